"""A match: who plays, how many games of what, and which seat everybody has in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from ..deal import Generator
from .games import Deal, Kind, kind_of
from .statistics import Sprt

#: Seeds of deals stay below this, so that every reader of JSON can hold them.
_SEED_BITS = 53

#: What the seed of a player's own chance is mixed with, to be another than that of the game's chance.
_CHOICES = 0x5EED_0F_C401CE5


class Key(NamedTuple):
    """One game of a match: the pairing, the block, and the game's number in it."""

    pairing: int
    block: int
    game: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What programs are held to, in seconds: ``move`` is the time for a move that they are told, ``grace`` how much
    longer the arena waits for it, ``start`` the time to start and to be ready for a game."""

    move: float = 1.0
    grace: float = 0.5
    start: float = 30.0

    def __post_init__(self) -> None:
        for name, least in (("move", 0.001), ("grace", 0.0), ("start", 0.001)):
            value = getattr(self, name)
            if not least <= value <= 1e6:
                raise ValueError(f"limits: {name} is {value:g}, expected seconds from {least:g} to 1,000,000")


@dataclass(frozen=True)
class Match:
    """A match between players: each a spec (see :mod:`~qwirkle_fast.arena.players`) or an object with ``choose``.

    ``seats``: how many sit at a table.  All tables of that many of the players are played, with ``gauntlet`` only those
    with the first; with fewer players than seats there is one table, and the last player fills it up.  ``games`` for
    each table, rounded up to whole blocks; with ``sprt`` at most so many, without limit when it is ``None``.
    Raises ``ValueError``.

    >>> match = Match(("greedy", "random"), games=5)
    >>> match.blocks, match.names, match.pairings
    (3, ('greedy', 'random'), ((0, 1),))
    >>> [match.deal(Key(0, 0, game)).names for game in (0, 1)]
    [('greedy', 'random'), ('random', 'greedy')]
    """

    players: Sequence[Any]
    seats: int = 2
    games: int | None = None
    sprt: Sprt | None = None
    seed: int = 1
    rules: str = ""
    game: str = "qwirkle"
    gauntlet: bool = False
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        kind = kind_of(self.game, self.rules)
        object.__setattr__(self, "players", tuple(self.players))
        object.__setattr__(self, "rules", kind.rules)
        if not self.players:
            raise ValueError("players: none, expected one at least")
        if type(self.seats) is not int or not max(kind.fewest, 2) <= self.seats <= kind.most:
            raise ValueError(f"players: {self.seats} at a table, expected {max(kind.fewest, 2)} to {kind.most}")
        if self.games is not None and (type(self.games) is not int or not 1 <= self.games <= 10**9):
            raise ValueError(f"games: {self.games}, expected a whole number from 1 to 1,000,000,000")
        if type(self.seed) is not int or not 0 <= self.seed < 1 << 64:
            raise ValueError(f"seed: {self.seed}, expected a whole number from 0 to 2^64 - 1")
        if self.sprt and len(self.pairings) > 1:
            raise ValueError(f"sprt: {len(self.players)} players, expected one table: the test compares two")
        if self.games is None and self.sprt is None:
            object.__setattr__(self, "games", 100)

    @cached_property
    def kind(self) -> Kind:
        return kind_of(self.game, self.rules)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names, each another: their specs, or what an object calls itself."""
        names: list[str] = []
        for player in self.players:
            name = base = player if isinstance(player, str) else str(getattr(player, "name", type(player).__name__))
            number = 1
            while name in names:
                number += 1
                name = f"{base} ({number})"
            names.append(name)
        return tuple(names)

    @cached_property
    def pairings(self) -> tuple[tuple[int, ...], ...]:
        """Who meets: for each table the players' numbers, in the order of seats of the first game of a block."""
        everybody = range(len(self.players))
        if len(everybody) <= self.seats:
            last = everybody[-1]
            return ((*everybody, *[last] * (self.seats - len(everybody))),)
        tables = combinations(everybody, self.seats)
        return tuple(table for table in tables if 0 in table or not self.gauntlet)

    @property
    def blocks(self) -> int | None:
        """Blocks of each table; ``None`` when only the test ends the match."""
        return None if self.games is None else -(-self.games // self.seats)

    def place(self, game: int, seat: int) -> int:
        """Which place in the pairing has that seat in a game of a block: the seats rotate."""
        return (seat - game) % self.seats

    @cached_property
    def _lineups(self) -> list[list[tuple[tuple[int, ...], tuple[str, ...]]]]:
        """Of each pairing and each game of a block, the players' numbers and names by seat."""
        seats, names = range(self.seats), self.names
        numbers = [[[table[self.place(game, seat)] for seat in seats] for game in seats] for table in self.pairings]
        return [[(tuple(table), tuple([names[i] for i in table])) for table in games] for games in numbers]

    def lineup(self, key: Key) -> tuple[int, ...]:
        """The players' numbers by seat."""
        return self._lineups[key.pairing][key.game][0]

    def deal(self, key: Key) -> Deal:
        """The seed, the same for all games of the block whoever plays, and the names by seat."""
        seed = Generator.for_turn(self.seed, key.block).next() >> (64 - _SEED_BITS)
        return Deal(seed, self._lineups[key.pairing][key.game][1])

    def schedule(self) -> Iterator[Key]:
        """All games, block by block; without end when only the test ends the match."""
        block = 0
        while self.blocks is None or block < self.blocks:
            for pairing in range(len(self.pairings)):
                for game in range(self.seats):
                    yield Key(pairing, block, game)
            block += 1


def choice_seed(seed: int, turn: int) -> int:
    """The seed of a player's own chance in one turn of a game, the same whoever's turn it is."""
    return Generator.for_turn(seed ^ _CHOICES, turn).next() >> (64 - _SEED_BITS)
