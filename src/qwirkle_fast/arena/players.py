"""Players by a spec of one line, or by an object with ``choose``.

A spec is the name of a player that comes with the game, with options after a colon (``search:time=0.1,threads=1``), or
``cmd:`` and the command line of a program that speaks the protocol (``cmd:./mybot --level 3``).
"""

from __future__ import annotations

import shlex
import shutil
from typing import Any

from .games import Forfeit, Kind, Player, Turn
from .match import Limits, Match


class Guest(Player):
    """A player from outside: any object with ``choose(view) -> choice``; what it raises is its crash."""

    def __init__(self, guest: Any) -> None:
        self._guest = guest

    def decide(self, turn: Turn) -> object:
        view = turn.table.view()
        try:
            choice: object = self._guest.choose(view)
        except (Exception, SystemExit) as error:
            raise Forfeit("crash", f"{type(error).__name__}: {error}") from error
        return choice


def make_player(player: Any, kind: Kind, limits: Limits) -> Player:
    """The player of a spec or around an object; ``ValueError`` when there is none such."""
    if not isinstance(player, str):
        if not callable(getattr(player, "choose", None)):
            raise ValueError(f"player {player!r}: no spec and no method choose, expected one of them")
        return Guest(player)
    name, colon, rest = (player, "", "") if player in kind.players else player.partition(":")
    if name == "cmd":
        from .bots import Bot

        return Bot(_command(rest), limits)
    try:
        made = kind.player(name, _options(rest) if colon and name in kind.players else {})
    except ValueError as error:
        raise ValueError(f"player {player!r}: {error}") from None
    if made is None:
        raise ValueError(f"player {player!r}: no such player, expected {', '.join(kind.players)} or cmd:COMMAND")
    return made


def check_players(match: Match, here: bool) -> None:
    """Raise ``ValueError`` for players that cannot be; ``here``: programs must be found on this machine."""
    for player in match.players:
        make_player(player, match.kind, match.limits).close()
        if here and isinstance(player, str) and player.startswith("cmd:"):
            program = _command(player.removeprefix("cmd:"))[0]
            if shutil.which(program) is None:
                raise ValueError(f"player {player!r}: {program} is no program that can be run, expected one")


def _command(text: str) -> list[str]:
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"player {'cmd:' + text!r}: {error}, expected a command line") from None
    if not command or "\0" in text:
        raise ValueError(f"player {'cmd:' + text!r}: no command, expected cmd:COMMAND")
    return command


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in text.split(","):
        name, separator, value = part.partition("=")
        if not separator or not name or name in options:
            what = "twice" if name in options else "no option"
            raise ValueError(f"{part!r} is {what}, expected NAME=VALUE, each once, with commas between them")
        options[name] = value
    return options
