"""Train ``search/weights.json`` by self-play: ``python tools/train.py --games 20000 --rounds 4 > weights.json``.

Least squares instead of search: in whole games the features of what each move leaves behind are written down, and what
the player then gained on the other until the end; the weights that explain it best, with a little shrinking, are the
value of each feature.  The first round learns from greedy players, each later one from games of the static player that
the round before made, against greedy players and against itself.  After each round the static player's paired games
against the greedy one (the same deals, seats swapped) are told on standard error.

Seeded and repeatable.  Some 700 games a second on one core, so about five minutes as above, for both games.
"""

from __future__ import annotations

import argparse
import json
import sys

import numpy as np
from numba import njit

from qwirkle_fast import _core
from qwirkle_fast.rules import Rules
from qwirkle_fast.search.candidates import value_exchange, value_placements
from qwirkle_fast.search.evaluate import (
    BAG,
    FEATURES,
    GROWTH,
    OWN,
    STAGES,
    TURN,
    UNIT,
    VERSION,
    board_features,
    stage,
    tile_features,
)  # fmt: skip
from qwirkle_fast.search.native import ABI, board_best, board_lay, board_placements, board_take_back
from qwirkle_fast.search.rollouts import deal, hand_masks, next_random, take_from_hand, tiles_in

CAREFUL = 16
GREEDY, STATIC = 0, 1
# Of each row: the seat, both scores after the turn, both kinds of player, and what was gained from there to the end.
SEAT, SCORE, OTHER, KIND, OTHER_KIND, GAINED, COLUMNS = range(7)
TURNS = 70
SHRINK = 20.0


def _make_play(abi: int):
    @njit(cache=True, nogil=True)
    def play(board, deck, backgrounds, seed, kinds, weights, buffer, rows, info, row):
        """One game, written down from that row on; returns the first seat's final margin and the next row."""
        assert abi > 0
        state = np.zeros(1, np.uint64)
        state[0] = seed
        next_random(state)
        tiles = deck.copy()
        end = len(tiles)
        deal(tiles, end, end, state)
        hands = np.zeros((2, 6), np.uint8)
        hands[0] = tiles[:6]
        hands[1] = tiles[6:12]
        size = np.full(2, 6, np.int64)
        score = np.zeros(2, np.int64)
        masks = np.zeros(3, np.uint64)
        word = np.zeros(2, np.uint64)
        back = np.zeros(6, np.uint8)
        unseen = np.zeros(108, np.uint8)
        at, laid, idle, player, first = 12, 0, 0, 0, row
        while True:
            hand = hands[player]
            other = 1 - player
            bag = end - at
            total = bag + size[other]
            unseen[:] = 0
            for i in range(at, end):
                unseen[tiles[i]] += 1
            for i in range(size[other]):
                unseen[hands[other, i]] += 1
            hand_masks(hand, size[player], backgrounds, masks)
            swap = 0
            points = -1
            if kinds[player] == STATIC and laid:
                found = min(board_placements(board, masks.ctypes.data, buffer.ctypes.data, len(buffer)), len(buffer))
                best = -(1 << 60)
                if found:
                    values = value_placements(board, buffer[:found], hand, size[player], backgrounds, bag, unseen,
                                              total, size[other], weights, CAREFUL)  # fmt: skip
                    i = np.argmax(values)
                    best = values[i]
                    word[:] = buffer[i]
                    points = np.int64(word[1] >> np.uint64(48) & np.uint64(255))
                # All exchanges are tried only where one may be best.
                if bag and points < 4:
                    for chosen in range(1, 1 << size[player]):
                        count = 0
                        for i in range(6):
                            count += chosen >> i & 1
                        if count <= bag:
                            value = value_exchange(board, hand, size[player], chosen, backgrounds, bag, unseen,
                                                   total, size[other], weights)  # fmt: skip
                            if value > best:
                                best = value
                                swap = chosen
                                points = -1
            else:
                points = np.int64(board_best(board, masks.ctypes.data, word.ctypes.data))
                if points < 0 and bag:
                    swap = (1 << min(size[player], bag)) - 1
            given = 0
            if points >= 0:
                board_lay(board, word.ctypes.data)
                laid += tiles_in(word[1])
                score[player] += points
                size[player] = take_from_hand(hand, size[player], word[1])
                idle = 0
            else:
                idle += 1
                left = 0
                for i in range(size[player]):
                    if swap >> i & 1:
                        back[given] = hand[i]
                        given += 1
                    else:
                        hand[left] = hand[i]
                        left += 1
                size[player] = left
            tile_features(hand, size[player], backgrounds, unseen, total, rows[row])
            board_features(board, hand, size[player], unseen, total, size[other], rows[row])
            rows[row, TURN] = 1
            rows[row, BAG] = bag
            info[row, SEAT] = player
            info[row, SCORE] = score[player]
            info[row, OTHER] = score[other]
            info[row, KIND] = kinds[player]
            info[row, OTHER_KIND] = kinds[other]
            row += 1
            while size[player] < 6 and at < end:
                hand[size[player]] = tiles[at]
                size[player] += 1
                at += 1
            if given:
                for i in range(given):
                    at -= 1
                    tiles[at] = back[i]
                deal(tiles[at:], end - at, end - at, state)
            if size[player] == 0:
                score[player] += 6
                break
            if idle >= (2 if at == end else 20) or row - first == TURNS:
                break
            player = other
        for _ in range(laid):
            board_take_back(board)
        for i in range(first, row):
            margin = score[info[i, SEAT]] - score[1 - info[i, SEAT]]
            info[i, GAINED] = margin - (info[i, SCORE] - info[i, OTHER])
        return score[0] - score[1], row

    return play


play = _make_play(ABI)


@njit(cache=True, nogil=True)
def match(board, deck, backgrounds, seed, kinds, weights, buffer, rows, info, margins):
    """Paired games; margins: of the first kind of player.  Returns the rows written."""
    row = 0
    seats = np.zeros(2, np.int64)
    for game in range(len(margins)):
        seat = game & 1
        seats[seat] = kinds[0]
        seats[1 - seat] = kinds[1]
        margin, row = play(
            board,
            deck,
            backgrounds,
            np.uint64(seed + game // 2),
            seats,
            weights,
            buffer,
            rows,
            info,
            row,
        )
        margins[game] = -margin if seat else margin
    return row


class Trainer:
    def __init__(self, game: str) -> None:
        rules = Rules(game)
        self.workspace = _core.Workspace(_core.Grid(rules))
        self.backgrounds = rules.tile_set.backgrounds
        self.deck = np.repeat(np.arange(len(rules.copies), dtype=np.uint8), rules.copies)
        self.buffer = np.zeros((1 << 14, 2), np.uint64)
        self.weights = np.zeros((STAGES, FEATURES), np.int64)
        self.rows: list[tuple[np.ndarray, np.ndarray]] = []

    def play(self, kinds: tuple[int, int], seed: int, games: int) -> np.ndarray:
        """Play, keep the rows, and return the margins of the first kind."""
        rows = np.zeros((games * TURNS, FEATURES), np.int32)
        info = np.zeros((games * TURNS, COLUMNS), np.int64)
        margins = np.zeros(games, np.int64)
        board = self.workspace.address
        count = match(
            board, self.deck, self.backgrounds, seed, np.array(kinds), self.weights, self.buffer, rows, info, margins
        )
        self.rows.append((rows[:count].copy(), info[:count].astype(np.int16)))
        return margins

    def fit(self) -> None:
        """The weights from the rows of the last two rounds, by least squares, beside what else is told of a turn."""
        self.rows = self.rows[-4:]
        rows, info = (np.concatenate(part) for part in zip(*self.rows, strict=True))
        table = rows.astype(float)
        table[:, GROWTH:OWN] /= 256
        stages = np.array([stage(bag) for bag in range(109)])[rows[:, BAG]]
        # What both kinds of player and the margin so far say is known of the row, not of the move.
        static = info[:, KIND] + info[:, OTHER_KIND] - 2.0 * STATIC
        told = np.column_stack([static, info[:, KIND] - info[:, OTHER_KIND], info[:, SCORE] - info[:, OTHER]])
        for number in range(STAGES):
            here = stages == number
            x = np.hstack([table[here], told[here]])
            shrink = np.diag([SHRINK] * TURN + [1e-3] * (x.shape[1] - TURN))
            found = np.linalg.solve(x.T @ x + shrink, x.T @ info[here, GAINED])
            self.weights[number] = np.rint(UNIT * found[:FEATURES])


def described(margins: np.ndarray) -> str:
    pairs = (np.sign(margins) * 0.5 + 0.5).reshape(-1, 2).mean(1)
    error = 1.96 * pairs.std() / len(pairs) ** 0.5
    return f"{100 * pairs.mean():.2f} +- {100 * error:.2f} % wins, {margins.mean():+.2f} points"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20000, help="games of a round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    answer: dict[str, object] = {"version": VERSION}
    for game in ("classic", "flex"):
        trainer = Trainer(game)
        trainer.play((GREEDY, GREEDY), options.seed * 100_000_000, options.games)
        trainer.fit()
        for number in range(1, options.rounds + 1):
            seed = options.seed * 100_000_000 + number * 1_000_000
            margins = trainer.play((STATIC, GREEDY), seed, options.games)
            print(f"{game}, round {number}: {described(margins)}", file=sys.stderr, flush=True)
            if number < options.rounds:
                trainer.play((STATIC, STATIC), seed + 500_000, options.games // 2)
                trainer.fit()
        answer[game] = trainer.weights.tolist()
    print(json.dumps(answer).replace("], [", "],\n  [").replace(', "', ',\n "'))


if __name__ == "__main__":
    main()
