"""What the others' last moves say about the tiles that they kept.

Who had a much better placement would have made it: of the tiles that a player may have kept, those with which more
points were to be had are less likely.  A player is taken to make a placement that falls so many points short of the
best one with a chance that drops by half every :data:`HALF` points, whatever else could be placed; an exchange counts
as a placement of :data:`EXCHANGE` points.  Kept tiles are drawn from the unseen ones and taken with that chance, which
is sampling by rejection; after :data:`TRIES` draws the likeliest of them is taken.  With several players each is dealt
to in turn, and what the next ones may hold comes from what is left.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import _core
from ..deal import Generator
from ..position import Position
from ..tiles import HAND_SIZE
from .native import ABI, board_best, compiled
from .rollouts import hand_masks, next_random

#: A placement so many points short of the best is made half as often.
HALF = 2
#: What an exchange is worth to who makes one, points.
EXCHANGE = 2
#: Draws for the tiles that one player kept.
TRIES = 32
#: How many sets of kept tiles are drawn before they are used again, with other tiles drawn to them.
SETS = 2048

#: By the points that a move falls short, the chance that it is made, in 1/65536.
_CHANCES = np.array([round(65536 * 0.5 ** (short / HALF)) for short in range(16 * HALF + 1)], np.int64)


def _make_draw(abi: int):
    chances = _CHANCES

    @compiled
    def draw(boards, backgrounds, laid, laid_counts, points, kept, unseen, seed, first, last, taken, owners):
        """Fill the sets from ``first`` up to ``last``: which of the unseen tiles, descending, are whose.

        boards, laid, laid_counts, points, kept: per player whose last move is known the board before it, the tiles
        placed, what they scored, and how many tiles were kept.  owners: the place of the player among those.
        """
        assert abi > 0
        n = len(unseen)
        order = np.empty(n, np.int64)
        hand = np.empty(HAND_SIZE, np.uint8)
        chosen = np.empty(HAND_SIZE, np.int64)
        masks = np.zeros(3, np.uint64)
        placement = np.zeros(2, np.uint64)
        state = np.zeros(1, np.uint64)
        for at in range(first, last):
            state[0] = seed + np.uint64(at) * np.uint64(0xD1342543DE82EF95)
            next_random(state)
            for i in range(n):
                order[i] = i
            start = 0
            for player in range(len(boards)):
                size = kept[player]
                count = laid_counts[player]
                for i in range(count):
                    hand[i] = laid[player, i]
                least = 1 << 30
                for _ in range(TRIES):
                    for i in range(start, start + size):
                        j = i + np.int64((next_random(state) >> np.uint64(32)) * np.uint64(n - i) >> np.uint64(32))
                        order[i], order[j] = order[j], order[i]
                        hand[count + i - start] = unseen[order[i]]
                    hand_masks(hand, count + size, backgrounds, masks)
                    best = np.int64(board_best(boards[player], masks.ctypes.data, placement.ctypes.data))
                    short = min(max(best - points[player], 0), len(chances) - 1)
                    taking = np.int64(next_random(state) >> np.uint64(48)) < chances[short]
                    if taking or short < least:
                        least = short
                        for i in range(size):
                            chosen[i] = order[start + i]
                    if taking:
                        break
                for i in range(size):
                    j = start + i
                    while order[j] != chosen[i]:
                        j += 1
                    order[start + i], order[j] = order[j], order[start + i]
                    # Descending, so that each can be replaced by the last of those left.
                    k = start + i
                    while k and taken[at, k - 1] < chosen[i]:
                        taken[at, k] = taken[at, k - 1]
                        owners[at, k] = owners[at, k - 1]
                        k -= 1
                    taken[at, k] = chosen[i]
                    owners[at, k] = player
                start += size

    return draw


draw = _make_draw(ABI)


class Inference:
    """Sets of tiles that the others may have kept, drawn as they are needed.

    ``taken`` and ``owners`` are int64 arrays of sets x tiles: which of the unseen tiles, in ascending order, and whose
    (0 is the player to move).  They have no columns when nothing is known of the last moves.
    """

    def __init__(self, position: Position, unseen: npt.NDArray[np.uint8], seed: int, *, used: bool = True) -> None:
        self._unseen = unseen
        # Not the one of the samples: the tiles drawn to a set must not follow from it.
        self._seed = np.uint64(Generator.for_turn(seed, 0).next())
        self._backgrounds = position.rules.tile_set.backgrounds
        self._moves = _last_moves(position) if used else []
        columns = sum(kept for _, _, _, _, kept in self._moves)
        self.taken = np.zeros((SETS if columns else 1, columns), np.int64)
        self.owners = np.zeros_like(self.taken)
        self._players = np.array([player for player, _, _, _, _ in self._moves], np.int64)
        self._boards = [_core.Workspace(grid) for _, grid, _, _, _ in self._moves]
        self._laid = np.zeros((len(self._moves), HAND_SIZE), np.uint8)
        for i, (_, _, laid, _, _) in enumerate(self._moves):
            self._laid[i, : len(laid)] = laid
        self._filled = 0

    @property
    def says_something(self) -> bool:
        """Is anything known of what any player kept?"""
        return bool(self._moves)

    def fill(self, samples: int) -> None:
        """Have sets for the samples up to that number."""
        wanted = min(samples, len(self.taken))
        if not self._moves or wanted <= self._filled:
            return
        first, self._filled = self._filled, wanted
        draw(
            np.array([board.address for board in self._boards], np.int64), self._backgrounds, self._laid,
            np.array([len(laid) for _, _, laid, _, _ in self._moves], np.int64),
            np.array([points for _, _, _, points, _ in self._moves], np.int64),
            np.array([kept for _, _, _, _, kept in self._moves], np.int64),
            self._unseen, self._seed, first, wanted, self.taken, self.owners,
        )  # fmt: skip
        self.owners[first:wanted] = self._players[self.owners[first:wanted]]


def _last_moves(position: Position) -> list[tuple[int, _core.Grid, list[int], int, int]]:
    """Of each other player whose last move tells something: the player, the board before it, the tiles placed, the
    points, and how many tiles were kept."""
    found = []
    rules = position.rules
    cells = {(x, y): tile for x, y, tile in position.cells}
    tiles = rules.tile_set.tiles
    for back, move in enumerate(reversed(position.history[1 - position.players :])):
        player = position.players - 1 - back
        placed = [(x, y, tiles[code]) for x, y, code in move.placed]
        for x, y, _ in placed:
            del cells[x, y]
        if not cells:
            break
        known, hidden = position.hands[player]
        bag = sum(rules.copies) - len(cells) - HAND_SIZE * position.players
        drawn = min(len(placed), max(bag, 0)) if placed else len(move.exchanged) + move.hidden
        kept = len(known) + hidden - drawn
        # With hands that were not full before, how many tiles were drawn cannot be told.
        if known or kept <= 0 or len(placed) + kept > HAND_SIZE:
            continue
        grid = _core.Grid(rules)
        for (x, y), tile in cells.items():
            grid.place(x, y, tile)
        points = EXCHANGE if drawn else 0
        if placed:
            points = grid.score(placed) or 0
        found.append((player, grid, [tile for _, _, tile in placed], points, kept))
    return found
