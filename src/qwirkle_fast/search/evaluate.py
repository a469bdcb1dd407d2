"""What a move is worth without search: its score, the tiles it keeps, and what it opens to the next player.

All values are whole numbers in units of 1/256 point, so that they are the same on every machine.  The weights come from
``weights.json``, which ``tools/train.py`` makes by self-play.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from .native import ABI, board_threats, compiled

UNIT = 256
VERSION = 1

# Where each weight stands: by the number of tiles kept after a placement, by the size of the largest set among them,
# for each repeat, for each pair that can stand in one line; for each cell that would make a line of 4, 5, 6, times the
# chance that the next player holds a tile for it; and for the turn that an exchange costs.
KEPT, LARGEST, REPEAT, PAIR, OPEN, EXCHANGE, WEIGHTS = 0, 7, 14, 15, 16, 19, 20


@cache
def weights(game: str) -> npt.NDArray[np.int64]:
    """The weights of ``"classic"`` or ``"flex"``, an int64 array of :data:`WEIGHTS` values in 1/256 point."""
    data = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    if data["version"] != VERSION:
        raise RuntimeError(f"weights.json: version {data['version']}, expected {VERSION}")
    return np.array(data[game], np.int64)


@compiled
def tiles_value(tiles, count, backgrounds, weight):
    """The value of what the first ``count`` tiles make together, held while there are more to draw."""
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
    return weight[LARGEST + largest] + (count - distinct) * weight[REPEAT] + pairs * weight[PAIR]


def _make_open_value(abi: int):
    @compiled
    def open_value(board, unseen, total, hand, weight, threats):
        """What lies open to a player with ``hand`` of the ``total`` unseen tiles, all equally likely."""
        assert abi > 0
        if hand == 0 or total == 0:
            return 0
        board_threats(board, unseen.ctypes.data, threats.ctypes.data)
        value = 0
        for t in range(1, 16):
            many = (threats[t], threats[16 + t], threats[32 + t])
            if many[0] or many[1] or many[2]:
                # The chance to hold one of t among total, hypergeometric, in 1/4096.
                missed = 4096
                for i in range(min(hand, total)):
                    missed = missed * max(total - t - i, 0) // (total - i)
                held = 4096 - missed
                for n in range(3):
                    value += many[n] * held * weight[OPEN + n] // 4096
        return value

    return open_value


open_value = _make_open_value(ABI)
