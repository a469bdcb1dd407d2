"""Players that come with a game: functions of what the seat sees, and the options of those that search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .games import Player, Turn

#: The options of a search, what reads them, the most that they can be, and what is expected.
_LIMITS: dict[str, tuple[Callable[[str], float], float, str]] = {
    "time": (float, 1e6, "seconds, more than 0 and at most 1,000,000"),
    "simulations": (int, 10**15, "a whole number from 1 to 10^15"),
    "threads": (int, 1024, "a whole number from 1 to 1024"),
}
#: Its switches, 0 or 1.
_SWITCHES = ("inference",)


class Chooser(Player):
    """A player that is a function of what its seat sees and the seed of the turn's chance; ``prepare`` is called
    before each game."""

    def __init__(self, choose: Callable[[Any, int], object], prepare: Callable[[], object] | None = None) -> None:
        self._choose = choose
        self._prepare = prepare

    def begin(self, game: str) -> None:
        if self._prepare:
            self._prepare()

    def decide(self, turn: Turn) -> object:
        return self._choose(turn.table.view(), turn.seed)


def without_options(name: str, options: Mapping[str, str]) -> None:
    """Raise ``ValueError`` where there are any."""
    if options:
        raise ValueError(f"{name} has no option {next(iter(options))}, expected {name} alone")


def limits_of(options: Mapping[str, str], known: Sequence[str]) -> dict[str, Any]:
    """The limits and switches of a search that knows these options; raises ``ValueError``."""
    limits: dict[str, Any] = {}
    for name, text in options.items():
        if name not in known:
            raise ValueError(f"search has no option {name}, expected {', '.join(known)}")
        if name in _SWITCHES:
            if text not in ("0", "1"):
                raise ValueError(f"search: {name} is {text!r}, expected 0 or 1")
            limits[name] = text == "1"
            continue
        read, most, expected = _LIMITS[name]
        try:
            limits[name] = read(text)
            if not 0 < limits[name] <= most or not text.isascii() or "_" in text:
                raise ValueError
        except ValueError:
            raise ValueError(f"search: {name} is {text!r}, expected {expected}") from None
    return limits
