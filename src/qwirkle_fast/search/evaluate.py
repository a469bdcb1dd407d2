"""What a move is worth without search: its score, the tiles it keeps, and what the board then offers either player.

The value of what a move leaves behind is a weighted sum of features; the weights are one set for each number of players
and :func:`stage` of the game.  They come from ``weights.json``, which ``tools/train.py`` makes from games by least
squares.
Everything is a whole number, values in units of 1/256 point, so that they are the same on every machine.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from .native import ABI, board_threats, compiled

UNIT = 256
VERSION = 3
STAGES = 4

# Where each feature stands.  Of the tiles kept: 1 for their number, 1 for the size of their largest set, the repeats,
# the pairs that can stand in one line, and the size of the largest set times the share of the unseen tiles that extend
# it, in 1/256.  Of the board, for lines that would reach 4, 5 and 6 cells: how many the next player can be expected to
# hold a tile for, in 1/256, and how many one of the tiles kept fits.  And 1 for the turn that has passed to the next
# player, and the tiles that were in the bag.
KEPT, LARGEST, REPEAT, PAIR, GROWTH, OPEN, OWN, TURN, BAG, FEATURES = 0, 7, 14, 15, 16, 17, 20, 23, 24, 25


#: The most players that have weights of their own; more have these.
MANY = 4


@cache
def weights(game: str, players: int) -> npt.NDArray[np.int64]:
    """The weights of ``"classic"`` or ``"flex"`` for 2 to 6 players: int64 of STAGES x FEATURES, in 1/256 point."""
    data = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    if data["version"] != VERSION:
        raise RuntimeError(f"weights.json: version {data['version']}, expected {VERSION}")
    return np.array(data[game][str(min(players, MANY))], np.int64).reshape(STAGES, FEATURES)


@compiled
def stage(bag):
    """Which part of the game a turn belongs to, by the tiles in the bag before it."""
    return 0 if bag == 0 else 1 if bag <= 12 else 2 if bag <= 40 else 3


@compiled
def tile_features(tiles, count, backgrounds, unseen, total, found):
    """The features of the first ``count`` tiles, kept, into ``found``; unseen: of each tile, ``total`` in all."""
    for i in range(OPEN):
        found[i] = 0
    colours = 0
    shapes = 0
    seen = 0
    distinct = 0
    pairs = 0
    largest = 0
    # Six counters of four bits each.
    for i in range(count):
        symbol = tiles[i] // backgrounds
        if seen >> symbol & 1:
            continue
        seen |= 1 << symbol
        distinct += 1
        colour = 4 * (symbol // 6)
        shape = 4 * (symbol % 6)
        pairs += (colours >> colour & 15) + (shapes >> shape & 15)
        colours += 1 << colour
        shapes += 1 << shape
        largest = max(largest, colours >> colour & 15, shapes >> shape & 15)
    found[KEPT + count] = 1
    found[LARGEST + largest] = 1
    found[REPEAT] = count - distinct
    found[PAIR] = pairs
    if total == 0 or count == 0:
        return
    most = 0
    for i in range(6):
        # A colour, then a shape: the symbols of each that are kept, and the unseen tiles of the others.
        for first, step, held in ((6 * i, 1, colours >> 4 * i & 15), (i, 6, shapes >> 4 * i & 15)):
            if held == largest:
                mates = 0
                for j in range(6):
                    symbol = first + step * j
                    if not seen >> symbol & 1:
                        for background in range(backgrounds):
                            mates += unseen[symbol * backgrounds + background]
                most = max(most, mates)
    found[GROWTH] = largest * most * 256 // total


def _make_board_features(abi: int):
    @compiled
    def board_features(board, tiles, count, unseen, total, hand, found):
        """The features OPEN and OWN, to a next player with ``hand`` of the ``total`` unseen tiles."""
        assert abi > 0
        for i in range(OPEN, TURN):
            found[i] = 0
        threats = np.empty(48, np.int32)
        if hand and total:
            board_threats(board, unseen.ctypes.data, threats.ctypes.data)
            for t in range(1, 16):
                if threats[t] or threats[16 + t] or threats[32 + t]:
                    # The chance to hold none of t among total, hypergeometric, in 1/4096.
                    missed = 4096
                    for i in range(min(hand, total)):
                        missed = missed * max(total - t - i, 0) // (total - i)
                    for n in range(3):
                        found[OPEN + n] += threats[16 * n + t] * (4096 - missed) // 16
        if count:
            kept = np.zeros(108, np.uint8)
            for i in range(count):
                kept[tiles[i]] += 1
            board_threats(board, kept.ctypes.data, threats.ctypes.data)
            for n in range(3):
                for t in range(1, 16):
                    found[OWN + n] += threats[16 * n + t]

    return board_features


board_features = _make_board_features(ABI)


@compiled
def weighed(found, weight, first, last):
    """The value of the features from first up to last, those in 1/256 as such."""
    value = 0
    for i in range(first, last):
        value += found[i] * weight[i] // (256 if GROWTH <= i < OWN else 1)
    return value
