"""The moves that a search looks at: the best placements and exchanges by their value without search."""

from __future__ import annotations

import numpy as np

from .evaluate import FEATURES, OPEN, TURN, UNIT, board_features, stage, tile_features, weighed
from .native import ABI, board_lay, board_take_back, compiled
from .rollouts import take_from_hand, tiles_in

#: The value of what is no exchange.
NOTHING = -(1 << 60)


def _make_value_placements(abi: int):
    @compiled
    def value_placements(board, words, hand, count, backgrounds, bag, unseen, hidden, next_hand, weights, careful):
        """The value of each placement: its points, the tiles kept, and for the best ``careful`` what they leave."""
        assert abi > 0
        n = len(words)
        weight = weights[stage(bag)]
        values = np.empty(n, np.int64)
        kept = np.empty(6, np.uint8)
        found = np.empty(FEATURES, np.int64)
        for i in range(n):
            for j in range(count):
                kept[j] = hand[j]
            left = take_from_hand(kept, count, words[i, 1])
            tile_features(kept, left, backgrounds, unseen, hidden, found)
            points = np.int64(words[i, 1] >> np.uint64(48) & np.uint64(255)) * UNIT
            values[i] = points + weighed(found, weight, 0, OPEN)
        looked_at = np.zeros(n, np.bool_)
        for _ in range(min(careful, n)):
            i = -1
            for j in range(n):
                if not looked_at[j] and (i < 0 or values[j] > values[i]):
                    i = j
            looked_at[i] = True
            for j in range(count):
                kept[j] = hand[j]
            left = take_from_hand(kept, count, words[i, 1])
            board_lay(board, words[i].ctypes.data)
            board_features(board, kept, left, unseen, hidden, next_hand, found)
            values[i] += weighed(found, weight, OPEN, TURN)
            for _ in range(tiles_in(words[i, 1])):
                board_take_back(board)
        # What was not looked at closely stays behind what was.
        for i in range(n):
            if not looked_at[i]:
                values[i] -= 1 << 20
        return values

    return value_placements


value_placements = _make_value_placements(ABI)


@compiled
def value_exchange(board, hand, count, swap, backgrounds, bag, unseen, hidden, next_hand, weights):
    """The value of giving away the tiles of the hand whose bits are set."""
    weight = weights[stage(bag)]
    kept = np.empty(6, np.uint8)
    found = np.empty(FEATURES, np.int64)
    left = 0
    for i in range(count):
        if not swap >> i & 1:
            kept[left] = hand[i]
            left += 1
    tile_features(kept, left, backgrounds, unseen, hidden, found)
    board_features(board, kept, left, unseen, hidden, next_hand, found)
    return weighed(found, weight, 0, TURN)


@compiled
def value_exchanges(board, hand, count, most, backgrounds, bag, unseen, hidden, next_hand, weights):
    """The value of each exchange of up to ``most`` tiles, by the bits of the tiles given away; none has ``NOTHING``."""
    values = np.empty(1 << count, np.int64)
    for swap in range(len(values)):
        size = 0
        for i in range(count):
            size += swap >> i & 1
        values[swap] = NOTHING
        if 0 < size <= most:
            values[swap] = value_exchange(
                board, hand, count, swap, backgrounds, bag, unseen, hidden, next_hand, weights
            )
    return values
