"""What the arena asks of a game, and of a player: all that it knows of either.

A game joins the arena with one module of this room that holds a :class:`Kind`, and one line in :data:`KINDS`.  Nothing
else of the arena changes: the referee, the blocks, the records, the statistics and the protocol work through these
classes alone.

A game is a row of *decisions*, each by one seat.  Where several decide at once, as in action 1 of Qwixx, the table asks
them one after the other, and shows none of them what the others have chosen until all have.

How a game is played::

    table = kind.deal(seed, names)
    while table.end is None:
        choice = players[table.seat].decide(Turn(table, seed of the turn))
        table.apply(choice)             # ValueError: the choice is not legal, and nothing has changed
    table.scores, table.record()

Everything is fixed by the seed of the deal and the choices.  Chance within a game (draws, dice) goes by that seed and
the number of the turn, never by who sits where, so that the games of a block are fair under swapped seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

#: Where the kind of each game lives, by the game's name in the protocol (``newgame NAME``).
KINDS = {
    "qwirkle": ("qwirkle", "Qwirkle"),
    "qwixx": ("qwixx", "Qwixx"),
}

#: The end of a game in which a player was ruled out.
FORFEIT = "forfeit"

#: Why a player can be ruled out.
REASONS = ("time", "crash", "illegal")


class Table(Protocol):
    """One game as it is played, with everything hidden in it.  Seats are numbered from 0."""

    @property
    def seat(self) -> int:
        """Whose decision is next; of no meaning once the game is over."""

    @property
    def end(self) -> str | None:
        """How the game ended, a word of its rules or ``"forfeit"``; ``None`` while it goes on."""

    @property
    def scores(self) -> Sequence[int]:
        """The points so far by seat; higher is better, and the highest at the end wins."""

    def view(self) -> object:
        """What the seat to decide sees, for a player written in Python: its ``choose`` gets this object.

        It tells no more than the seat may know, and does not change when the game goes on.
        """

    def told(self) -> str:
        """The same for a program: what follows the word ``position`` in the protocol, the history included."""

    def read(self, text: str) -> object:
        """The choice that a program wrote after ``bestmove``; ``ValueError`` when it is not in the notation."""

    def apply(self, choice: Any) -> None:
        """The seat decides so.  ``ValueError``, in one line that says why, when that is not legal or no choice at all;
        nothing has changed then."""

    def forfeit(self) -> None:
        """A player has been ruled out: the game ends at once with the points as they are, ``end`` is ``"forfeit"``."""

    def record(self) -> dict[str, Any]:
        """The game so far as a JSON object, to be encoded: what replays it.

        It has at least ``rules``, ``seed``, ``players`` (names by seat), ``turns`` (a list of objects with ``seat``,
        ``move``, the choice as :meth:`read` reads it, and ``score``, the points of that decision), ``scores``, ``end``
        and ``versions``.  The arena adds ``pairing``, ``block``, ``game``, ``forfeit`` and ``times``.
        """


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision to be made: the table, of which a player uses :meth:`Table.view`, :meth:`Table.told` and
    :meth:`Table.read` alone, and the seed of all chance in the player's own choice."""

    table: Table
    seed: int


class Forfeit(Exception):
    """A player is ruled out: ``reason`` is one of :data:`REASONS`, ``detail`` one line for people."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


class Player:
    """Someone who decides.  A player sits at one table at a time and may sit at many, one after the other."""

    #: What the player says it is, for the records; empty when its name says all.
    identity = ""

    def begin(self, game: str) -> None:
        """A game of that name begins; may raise :class:`Forfeit`."""

    def decide(self, turn: Turn) -> object:
        """The choice; may raise :class:`Forfeit`.  Any other exception is a fault of our own and ends the match."""
        raise NotImplementedError

    def close(self) -> None:
        """Free what the player holds.  May be called at any time, more than once."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One game to be played: its seed and the names by seat."""

    seed: int
    names: tuple[str, ...]


class Kind(Protocol):
    """A game by its rules.  Small and picklable: it travels to the workers."""

    #: The game's name in the protocol.
    name: str
    #: How many can sit at a table.
    fewest: int
    most: int
    #: How a game can end by its rules, and what that brings to who decided last, beside the points of the decision.
    ends: Mapping[str, int]

    def __init__(self, rules: str) -> None:
        """``rules``: their text, empty for the default; ``ValueError`` when there are none such."""

    @property
    def rules(self) -> str:
        """The text of the rules, never empty."""

    def deal(self, deal: Deal) -> Table:
        """A game is dealt."""

    def player(self, name: str, options: Mapping[str, str]) -> Player | None:
        """The player of that name that comes with the game; ``None`` when there is none such, ``ValueError`` when it
        has no such option, or not that value."""

    @property
    def players(self) -> Sequence[str]:
        """The names that :meth:`player` knows."""

    def whole_games(self, players: Sequence[str], deals: Sequence[Deal]) -> list[dict[str, Any]] | None:
        """Whole games at once, where native code knows all these players (their specs by seat, the same for each
        deal): their records, with ``times``, the seconds of each turn.  ``None`` where it does not, for no deals too,
        which is always allowed."""


def kind_of(game: str, rules: str = "") -> Kind:
    """The kind of a game; ``ValueError`` when there is no such game, or not with these rules."""
    if game not in KINDS:
        raise ValueError(f"game: {game!r}, expected {' or '.join(KINDS)}")
    module, name = KINDS[game]
    kind: Kind = getattr(import_module(f".{module}", __package__), name)(rules)
    return kind
