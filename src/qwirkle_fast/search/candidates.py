"""The moves that a search looks at: the best placements and exchanges by their value without search."""

from __future__ import annotations

import numpy as np

from .evaluate import EXCHANGE, KEPT, UNIT, open_value, tiles_value
from .native import ABI, board_lay, board_take_back, compiled
from .rollouts import take_from_hand


def _make_value_placements(abi: int):
    @compiled
    def value_placements(board, words, hand, count, backgrounds, bag, unseen, hidden, next_hand, weight, careful):
        """The value of each placement: its points, the tiles kept, and, for the best ``careful``, what it opens."""
        assert abi > 0
        n = len(words)
        values = np.empty(n, np.int64)
        kept = np.empty(6, np.uint8)
        threats = np.empty(48, np.int32)
        for i in range(n):
            values[i] = np.int64(words[i, 1] >> np.uint64(48) & np.uint64(255)) * UNIT
            if bag:
                kept[:count] = hand[:count]
                left = take_from_hand(kept, count, words[i, 1])
                values[i] += weight[KEPT + left] + tiles_value(kept, left, backgrounds, weight)
        order = np.argsort(-values, kind="mergesort")
        for at in range(min(careful, n)):
            i = order[at]
            board_lay(board, words[i].ctypes.data)
            values[i] += open_value(board, unseen, hidden, next_hand, weight, threats)
            rest = words[i, 1] & np.uint64((1 << 48) - 1)
            while rest:
                if rest & np.uint64(255):
                    board_take_back(board)
                rest >>= np.uint64(8)
        # What was not looked at closely stays behind what was.
        for at in range(careful, n):
            values[order[at]] -= 1 << 20
        return values

    return value_placements


value_placements = _make_value_placements(ABI)


@compiled
def value_exchange(hand, count, swap, backgrounds, weight):
    """The value of giving away the tiles of the hand whose bits are set."""
    kept = np.empty(6, np.uint8)
    left = 0
    for i in range(count):
        if not swap >> i & 1:
            kept[left] = hand[i]
            left += 1
    return weight[EXCHANGE] + tiles_value(kept, left, backgrounds, weight)
