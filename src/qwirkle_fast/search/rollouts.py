"""Monte Carlo rollouts: hidden tiles dealt anew, a few plies played, the outcome weighed.  In Numba, over the core.

A *sample* is one deal of all that is hidden, fixed by the search's seed and the sample's number alone, so that every
candidate meets the same deals (common random numbers) and nothing depends on threads or on the order of work.
"""

from __future__ import annotations

import numpy as np

from .evaluate import BAG, FEATURES, TURN, UNIT, board_features, stage, tile_features, weighed
from .native import ABI, board_best, board_lay, board_take_back, compiled
from .outcomes import WIN_UNIT, chance, halvings

HAND = 6
OUT_BONUS = 6

# What is kept of each sample: points in 1/256, the chance to win, and what is maximised, both in 1/65536.
EQUITY, WIN, UTILITY, KEPT = 0, 1, 2, 3


@compiled
def next_random(state):
    """splitmix64; ``state`` is an array of one uint64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def deal(tiles, count, wanted, state):
    """Shuffle so that the first ``wanted`` of ``count`` tiles are a random draw without replacement, in order.

    Dealt out as hands, they are a multivariate hypergeometric sample of the counts that the tiles stand for.
    """
    for i in range(min(wanted, count - 1)):
        j = i + np.int64((next_random(state) >> np.uint64(32)) * np.uint64(count - i) >> np.uint64(32))
        tile = tiles[i]
        tiles[i] = tiles[j]
        tiles[j] = tile


@compiled
def give_kept(tiles, taken, owners, hands, sizes):
    """Give tiles that players kept to them, by one set of an :class:`~qwirkle_fast.search.inference.Inference`; returns
    how many tiles are left, at the front."""
    left = len(tiles)
    for i in range(len(taken)):
        owner = owners[i]
        hands[owner, sizes[owner]] = tiles[taken[i]]
        sizes[owner] += 1
        left -= 1
        tiles[taken[i]] = tiles[left]
    return left


@compiled
def hand_masks(hand, count, backgrounds, masks):
    masks[0] = masks[1] = masks[2] = np.uint64(0)
    for i in range(count):
        tile = np.int64(hand[i])
        masks[tile % backgrounds] |= np.uint64(1) << np.uint64(tile // backgrounds)


@compiled
def take_from_hand(hand, count, what):
    """Remove a placement's tiles from a hand; returns how many are left."""
    rest = what & np.uint64((1 << 48) - 1)
    while rest:
        tile = np.int64(rest & np.uint64(255)) - 1
        rest >>= np.uint64(8)
        if tile >= 0:
            i = 0
            while hand[i] != tile:
                i += 1
            count -= 1
            hand[i] = hand[count]
    return count


@compiled
def tiles_in(what):
    rest = what & np.uint64((1 << 48) - 1)
    count = 0
    while rest:
        count += (rest & np.uint64(255)) != np.uint64(0)
        rest >>= np.uint64(8)
    return count


@compiled
def left_behind(board, kept, left, next_hand, next_size, rest, backgrounds, bag, weights):
    """The value of what a turn leaves to the player who made it; rest: the tiles in the bag, in any order."""
    found = np.empty(FEATURES, np.int64)
    counts = np.zeros(108, np.uint8)
    for i in range(next_size):
        counts[next_hand[i]] += 1
    board_features(board, kept, left, counts, next_size, next_size, found)
    for i in range(len(rest)):
        counts[rest[i]] += 1
    tile_features(kept, left, backgrounds, counts, next_size + len(rest), found)
    found[TURN] = 1
    found[BAG] = bag
    return weighed(found, weights[stage(bag)], 0, FEATURES)


def _make_simulate(abi: int):
    @compiled
    def simulate(
        board,
        backgrounds,
        hands,
        counts,
        hidden,
        unseen,
        scores,
        seed,
        depth,
        weights,
        win_table,
        moves,
        exchanged,
        taken,
        owners,
        tasks,
        outcomes,
    ):
        """For each task play the samples ``task[1]`` to ``task[2]`` of candidate ``task[0]``.

        outcomes: int32 of KEPT x candidates x samples, where the results go.

        hands, counts, hidden: per player, the mover first, the known tiles and the number of hidden ones.  unseen: the
        tiles hidden in hands and in the bag.  moves: per candidate a placement's two words, the second 0 for an
        exchange of exchanged (a bit for each tile of the hand).  taken, owners: sets of tiles that others kept, see
        :class:`~qwirkle_fast.search.inference.Inference`.  Plies are greedy; depth is how many follow the
        candidate, and what the last of them leaves behind is weighed.
        """
        assert abi > 0
        players = len(counts)
        masks = np.zeros(3, np.uint64)
        placement = np.zeros(2, np.uint64)
        kept = np.zeros(HAND, np.uint8)
        state = np.zeros(1, np.uint64)
        tiles = unseen.copy()
        now = np.zeros((players, HAND), np.uint8)
        size = np.zeros(players, np.int64)
        gained = np.zeros(players, np.int64)
        concealed = hidden.sum()
        bag_size = len(unseen) - concealed
        sets, inferred = taken.shape
        for task in range(len(tasks)):
            candidate = tasks[task, 0]
            for sample in range(tasks[task, 1], tasks[task, 2]):
                state[0] = seed + np.uint64(sample) * np.uint64(0xD1342543DE82EF95)
                next_random(state)
                for i in range(len(unseen)):
                    tiles[i] = unseen[i]
                for player in range(players):
                    size[player] = counts[player]
                    gained[player] = 0
                    for i in range(counts[player]):
                        now[player, i] = hands[player, i]
                total = give_kept(tiles, taken[sample % sets], owners[sample % sets], now, size)
                deal(tiles, total, concealed - inferred + 6 * (depth + 1), state)
                at = 0
                for player in range(players):
                    for _ in range(counts[player] + hidden[player] - size[player]):
                        now[player, size[player]] = tiles[at]
                        size[player] += 1
                        at += 1
                bag = bag_size
                laid = 0
                idle = 0
                player = 0
                over = False
                horizon = 0
                for ply in range(depth + 1):
                    hand = now[player]
                    following = player + 1 if player + 1 < players else 0
                    score = -1
                    swap = 0
                    if ply == 0:
                        placement[0] = moves[candidate, 0]
                        placement[1] = moves[candidate, 1]
                        if placement[1]:
                            score = np.int64(placement[1] >> np.uint64(48) & np.uint64(255))
                        else:
                            swap = exchanged[candidate]
                    else:
                        hand_masks(hand, size[player], backgrounds, masks)
                        score = np.int64(board_best(board, masks.ctypes.data, placement.ctypes.data))
                        if score < 0 and bag:
                            swap = (1 << min(size[player], bag)) - 1
                    if score >= 0:
                        board_lay(board, placement.ctypes.data)
                        laid += tiles_in(placement[1])
                        gained[player] += score
                        size[player] = take_from_hand(hand, size[player], placement[1])
                        if ply == depth:
                            horizon = left_behind(board, hand, size[player], now[following], size[following],
                                                  tiles[at : at + bag], backgrounds, bag, weights)  # fmt: skip
                        while size[player] < HAND and bag:
                            hand[size[player]] = tiles[at]
                            size[player] += 1
                            at += 1
                            bag -= 1
                        idle = 0
                        if size[player] == 0:
                            gained[player] += OUT_BONUS
                            over = True
                            break
                    else:
                        idle += 1
                        if ply == depth:
                            left = 0
                            for i in range(size[player]):
                                if not swap >> i & 1:
                                    kept[left] = hand[i]
                                    left += 1
                            horizon = left_behind(board, kept, left, now[following], size[following],
                                                  tiles[at : at + bag], backgrounds, bag, weights)  # fmt: skip
                        if swap:
                            # What is put back goes under the rest: drawn again late, or not within the horizon.
                            for i in range(HAND):
                                if swap >> i & 1:
                                    back = hand[i]
                                    hand[i] = tiles[at]
                                    for j in range(at, at + bag - 1):
                                        tiles[j] = tiles[j + 1]
                                    tiles[at + bag - 1] = back
                        if idle >= players and not bag:
                            over = True
                            break
                    player = following
                for _ in range(laid):
                    board_take_back(board)
                other = 1
                for i in range(2, players):
                    if scores[i] + gained[i] > scores[other] + gained[other]:
                        other = i
                equity = (gained[0] - gained[other]) * UNIT
                left = bag
                for i in range(players):
                    left += size[i]
                win = WIN_UNIT
                if over:
                    best = 0
                    for i in range(players):
                        ahead = scores[0] + gained[0] - scores[i] - gained[i]
                        best += ahead == 0
                        if ahead < 0:
                            win = 0
                    win //= best
                else:
                    # The last ply is the mover's.
                    equity += horizon
                    halved = 0
                    for i in range(1, players):
                        ahead = scores[0] + gained[0] - scores[i] - gained[i]
                        halved += halvings(ahead * UNIT + horizon, left, win_table)
                    win = chance(halved)
                outcomes[EQUITY, candidate, sample] = equity
                outcomes[WIN, candidate, sample] = win
                # Once the win is certain either way, points decide: one is worth a two-thousandth of a win.
                outcomes[UTILITY, candidate, sample] = win + (equity * (WIN_UNIT // 2000) >> 8)

    return simulate


simulate = _make_simulate(ABI)
