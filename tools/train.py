"""Train ``search/weights.json`` by self-play: ``python tools/train.py > weights.json``.

Least squares instead of search: in whole games the features of what each move leaves behind are written down, and what
the player then gained on the others, on average, until the end; the weights that explain it best, with a little
shrinking, are the value of each feature.  The first round learns from greedy players, each later one from games of the
static player that the round before made, against greedy players and against itself.  After each round the games of one
static player against greedy ones (the same deals, by turns on every seat) are told on standard error.

This is done for each game, with two, three and four players.  Seeded and repeatable; some four minutes of a core.
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
    MANY,
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
PLAYERS = range(2, MANY + 1)
# Of each row: the seat, its score after the turn and the others' together, its kind of player and the others' together,
# and what was gained on the others together from there to the end, the own points counted for each of them.
SEAT, SCORE, OTHERS, KIND, OTHER_KINDS, GAINED, COLUMNS = range(7)
TURNS = 70
SHRINK = 20.0


def _make_play(abi: int):
    @njit(cache=True, nogil=True)
    def play(board, deck, backgrounds, seed, kinds, weights, buffer, rows, info, row, score):
        """One game, written down from that row on; the scores are put in ``score``.  Returns the next row."""
        assert abi > 0
        players = len(kinds)
        state = np.zeros(1, np.uint64)
        state[0] = seed
        next_random(state)
        tiles = deck.copy()
        end = len(tiles)
        deal(tiles, end, end, state)
        hands = tiles[: 6 * players].copy().reshape(players, 6)
        size = np.full(players, 6, np.int64)
        score[:] = 0
        masks = np.zeros(3, np.uint64)
        word = np.zeros(2, np.uint64)
        back = np.zeros(6, np.uint8)
        unseen = np.zeros(108, np.uint8)
        at, laid, idle, player, first = 6 * players, 0, 0, 0, row
        while True:
            hand = hands[player]
            following = (player + 1) % players
            bag = end - at
            total = bag + size.sum() - size[player]
            unseen[:] = 0
            for i in range(at, end):
                unseen[tiles[i]] += 1
            for other in range(players):
                for i in range(size[other] if other != player else 0):
                    unseen[hands[other, i]] += 1
            hand_masks(hand, size[player], backgrounds, masks)
            swap = 0
            points = -1
            if kinds[player] == STATIC and laid:
                found = min(board_placements(board, masks.ctypes.data, buffer.ctypes.data, len(buffer)), len(buffer))
                best = -(1 << 60)
                if found:
                    values = value_placements(board, buffer[:found], hand, size[player], backgrounds, bag, unseen,
                                              total, size[following], weights, CAREFUL)  # fmt: skip
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
                                                   total, size[following], weights)  # fmt: skip
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
            board_features(board, hand, size[player], unseen, total, size[following], rows[row])
            rows[row, TURN] = 1
            rows[row, BAG] = bag
            info[row, SEAT] = player
            info[row, SCORE] = score[player]
            info[row, OTHERS] = score.sum() - score[player]
            info[row, KIND] = kinds[player]
            info[row, OTHER_KINDS] = kinds.sum() - kinds[player]
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
            if idle >= (1 if at == end else 10) * players or row - first == TURNS:
                break
            player = following
        for _ in range(laid):
            board_take_back(board)
        for i in range(first, row):
            own = score[info[i, SEAT]] - info[i, SCORE]
            others = score.sum() - score[info[i, SEAT]] - info[i, OTHERS]
            info[i, GAINED] = (players - 1) * own - others
        return row

    return play


play = _make_play(ABI)


@njit(cache=True, nogil=True)
def match(board, deck, backgrounds, seed, kinds, weights, buffer, rows, info, scores):
    """Games of one player of the first kind, by turns on every seat of a deal, against others of the second.

    scores: by game, the first kind's first, then the others' in the order of their turns.  Returns the rows written.
    """
    row = 0
    games, players = scores.shape
    seats = np.empty(players, np.int64)
    final = np.empty(players, np.int64)
    for game in range(games):
        seat = game % players
        seats[:] = kinds[1]
        seats[seat] = kinds[0]
        row = play(
            board,
            deck,
            backgrounds,
            np.uint64(seed + game // players),
            seats,
            weights,
            buffer,
            rows,
            info,
            row,
            final,
        )
        for i in range(players):
            scores[game, i] = final[(seat + i) % players]
    return row


class Trainer:
    def __init__(self, game: str, players: int) -> None:
        rules = Rules(game)
        self.players = players
        self.workspace = _core.Workspace(_core.Grid(rules))
        self.backgrounds = rules.tile_set.backgrounds
        self.deck = np.repeat(np.arange(len(rules.copies), dtype=np.uint8), rules.copies)
        self.buffer = np.zeros((1 << 14, 2), np.uint64)
        self.weights = np.zeros((STAGES, FEATURES), np.int64)
        self.rows: list[tuple[np.ndarray, np.ndarray]] = []

    def play(self, kinds: tuple[int, int], seed: int, games: int) -> np.ndarray:
        """Play, keep the rows, and return the scores, the first kind's first."""
        rows = np.zeros((games * TURNS, FEATURES), np.int32)
        info = np.zeros((games * TURNS, COLUMNS), np.int64)
        scores = np.zeros((games, self.players), np.int64)
        board = self.workspace.address
        count = match(
            board, self.deck, self.backgrounds, seed, np.array(kinds), self.weights, self.buffer, rows, info, scores
        )
        self.rows.append((rows[:count].copy(), info[:count].astype(np.int16)))
        return scores

    def fit(self) -> None:
        """The weights from the rows of the last two rounds, by least squares, beside what else is told of a turn."""
        self.rows = self.rows[-4:]
        rows, info = (np.concatenate(part) for part in zip(*self.rows, strict=True))
        table = rows.astype(float)
        table[:, GROWTH:OWN] /= 256
        stages = np.array([stage(bag) for bag in range(109)])[rows[:, BAG]]
        # What the kinds of player and the margin so far say is known of the row, not of the move.
        others = self.players - 1
        static = info[:, KIND] + info[:, OTHER_KINDS] - self.players * float(STATIC)
        stronger = info[:, KIND] - info[:, OTHER_KINDS] / others
        told = np.column_stack([static, stronger, info[:, SCORE] - info[:, OTHERS] / others])
        for number in range(STAGES):
            here = stages == number
            x = np.hstack([table[here], told[here]])
            shrink = np.diag([SHRINK] * TURN + [1e-3] * (x.shape[1] - TURN))
            found = np.linalg.solve(x.T @ x + shrink, x.T @ (info[here, GAINED] / others))
            self.weights[number] = np.rint(UNIT * found[:FEATURES])


def described(scores: np.ndarray) -> str:
    own, best = scores[:, 0], scores[:, 1:].max(1)
    firsts = (own > best) + 0.5 * (own == best)
    blocks = firsts[: len(firsts) // scores.shape[1] * scores.shape[1]].reshape(-1, scores.shape[1]).mean(1)
    error = 1.96 * blocks.std() / len(blocks) ** 0.5
    margin = (own - scores[:, 1:].mean(1)).mean()
    return f"{100 * blocks.mean():.2f} +- {100 * error:.2f} % firsts, {margin:+.2f} points on each other"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=12000, help="games of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    answer: dict[str, object] = {"version": VERSION}
    for game in ("classic", "flex"):
        answer[game] = {str(players): trained(game, players, options).tolist() for players in PLAYERS}
    print(json.dumps(answer).replace("], [", "],\n  [").replace(', "', ',\n "'))


def trained(game: str, players: int, options: argparse.Namespace) -> np.ndarray:
    trainer = Trainer(game, players)
    trainer.play((GREEDY, GREEDY), options.seed * 100_000_000, options.games)
    trainer.fit()
    for number in range(1, options.rounds + 1):
        seed = options.seed * 100_000_000 + number * 1_000_000
        scores = trainer.play((STATIC, GREEDY), seed, options.games)
        print(f"{game}, {players} players, round {number}: {described(scores)}", file=sys.stderr, flush=True)
        if number < options.rounds:
            trainer.play((STATIC, STATIC), seed + 500_000, options.games // 2)
            trainer.fit()
    return trainer.weights


if __name__ == "__main__":
    main()
