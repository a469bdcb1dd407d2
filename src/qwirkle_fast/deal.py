"""Chance: the project's random generator and the deal.

Both are fixed for ever: a seed gives the same deal on every machine, in every version, in Python and in the core.
"""

from __future__ import annotations

from .rules import Rules
from .tiles import HAND_SIZE

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15

MIN_PLAYERS, MAX_PLAYERS = 2, 6


class Generator:
    """splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).

    >>> generator = Generator(1)
    >>> generator.below(6), generator.below(6)
    (3, 4)
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    @classmethod
    def for_turn(cls, seed: int, turn: int) -> Generator:
        """The generator of one turn's chance, the same whoever's turn it is."""
        return cls(_mixed(seed + _GOLDEN * (turn + 1)))

    def next(self) -> int:
        """64 random bits."""
        self._state = (self._state + _GOLDEN) & _MASK
        return _mixed(self._state)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, n at most 2^32."""
        return (self.next() >> 32) * n >> 32

    def shuffle(self, tiles: list[int]) -> None:
        """Fisher and Yates, from the end."""
        for i in range(len(tiles) - 1, 0, -1):
            j = self.below(i + 1)
            tiles[i], tiles[j] = tiles[j], tiles[i]


def _mixed(z: int) -> int:
    z &= _MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


def deal(seed: int, players: int, rules: Rules) -> tuple[list[list[int]], list[int]]:
    """The hands by seat and the rest of the bag, the next tile to draw last.

    All tiles, last in code order first, are shuffled; each seat in turn draws six from the end.

    >>> hands, bag = deal(1, 2, Rules())
    >>> [len(hand) for hand in hands], len(bag)
    ([6, 6], 96)
    """
    bag = [tile for tile in reversed(range(len(rules.copies))) for _ in range(rules.copies[tile])]
    Generator(seed).shuffle(bag)
    hands = [[bag.pop() for _ in range(HAND_SIZE)] for _ in range(players)]
    return hands, bag
