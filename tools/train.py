"""Train the weights of ``search/weights.json`` by self-play: ``python tools/train.py classic --games 4000 --rounds 3``.

Coordinate hill climbing: each weight in turn is moved both ways, and a move is kept when it gains points over paired
games (the same deals, seats swapped) against the greedy player.  Seeded and repeatable; about 1,000 games a second on
one core, some 25 x games of them a round.  Prints the weights after every round, and the result on fresh deals.
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from numba import njit

from qwirkle_fast import _core
from qwirkle_fast.rules import Rules
from qwirkle_fast.search.candidates import value_exchange, value_placements
from qwirkle_fast.search.evaluate import WEIGHTS, weights
from qwirkle_fast.search.native import ABI, board_best, board_lay, board_placements, board_take_back
from qwirkle_fast.search.rollouts import deal, hand_masks, next_random, take_from_hand, tiles_in

CAREFUL = 12


def _make_play(abi: int):
    @njit(cache=True, nogil=True)
    def play(board, deck, backgrounds, seed, first, weight, buffer):
        """One game, the static player in seat ``first``; returns its final margin."""
        assert abi > 0
        state = np.zeros(1, np.uint64)
        state[0] = seed
        next_random(state)
        tiles = deck.copy()
        deal(tiles, len(tiles), len(tiles), state)
        hands = np.zeros((2, 6), np.uint8)
        size = np.full(2, 6, np.int64)
        hands[0] = tiles[:6]
        hands[1] = tiles[6:12]
        at = 12
        end = len(tiles)
        unseen = np.zeros(108, np.uint8)
        score = np.zeros(2, np.int64)
        masks = np.zeros(3, np.uint64)
        word = np.zeros(2, np.uint64)
        laid = 0
        idle = 0
        player = 0
        while True:
            hand = hands[player]
            bag = end - at
            hand_masks(hand, size[player], backgrounds, masks)
            swap = 0
            points = -1
            if player == first and laid:
                n = board_placements(board, masks.ctypes.data, buffer.ctypes.data, len(buffer))
                words = buffer[: min(n, len(buffer))]
                other = 1 - player
                unseen[:] = 0
                for i in range(at, end):
                    unseen[tiles[i]] += 1
                for i in range(size[other]):
                    unseen[hands[other, i]] += 1
                best = -(1 << 60)
                if n:
                    values = value_placements(board, words, hand, size[player], backgrounds, bag, unseen,
                                              bag + size[other], size[other], weight, CAREFUL)  # fmt: skip
                    i = np.argmax(values)
                    best = values[i]
                    word[:] = words[i]
                    points = np.int64(word[1] >> np.uint64(48) & np.uint64(255))
                for chosen in range(1, 1 << size[player]):
                    count = 0
                    for i in range(6):
                        count += chosen >> i & 1
                    if count <= bag:
                        value = value_exchange(hand, size[player], chosen, backgrounds, weight)
                        if value > best:
                            best = value
                            swap = chosen
                            points = -1
            else:
                points = np.int64(board_best(board, masks.ctypes.data, word.ctypes.data))
                if points < 0 and bag:
                    swap = (1 << min(size[player], bag)) - 1
            if points >= 0:
                board_lay(board, word.ctypes.data)
                laid += tiles_in(word[1])
                score[player] += points
                size[player] = take_from_hand(hand, size[player], word[1])
                while size[player] < 6 and at < end:
                    hand[size[player]] = tiles[at]
                    size[player] += 1
                    at += 1
                idle = 0
                if size[player] == 0:
                    score[player] += 6
                    break
            else:
                idle += 1
                if swap:
                    for i in range(6):
                        if swap >> i & 1:
                            j = at + np.int64(
                                (next_random(state) >> np.uint64(32)) * np.uint64(end - at) >> np.uint64(32)
                            )
                            back = hand[i]
                            hand[i] = tiles[j]
                            tiles[j] = back
                if idle >= (2 if at == end else 20):
                    break
            player = 1 - player
        for _ in range(laid):
            board_take_back(board)
        return score[first] - score[1 - first]

    return play


play = _make_play(ABI)


@njit(cache=True, nogil=True)
def match(board, deck, backgrounds, seed, pairs, weight, buffer, margins):
    for i in range(pairs):
        for seat in range(2):
            margins[2 * i + seat] = play(board, deck, backgrounds, np.uint64(seed + i), seat, weight, buffer)


class Trainer:
    def __init__(self, game: str) -> None:
        rules = Rules(game)
        self.workspace = _core.Workspace(_core.Grid(rules))
        self.backgrounds = rules.tile_set.backgrounds
        self.deck = np.repeat(np.arange(len(rules.copies), dtype=np.uint8), rules.copies)
        self.buffer = np.zeros((1 << 16, 2), np.uint64)

    def margins(self, weight: np.ndarray, seed: int, games: int) -> np.ndarray:
        found = np.zeros(games, np.int64)
        match(self.workspace.address, self.deck, self.backgrounds, seed, games // 2, weight, self.buffer, found)
        return found


def described(margins: np.ndarray) -> str:
    pairs = (np.sign(margins) * 0.5 + 0.5).reshape(-1, 2).mean(1)
    error = 1.96 * pairs.std() / len(pairs) ** 0.5
    return f"{100 * pairs.mean():.2f} +- {100 * error:.2f} % wins, {margins.mean():+.2f} points"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=["classic", "flex"])
    parser.add_argument("--games", type=int, default=4000, help="games for each trial")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    trainer = Trainer(options.game)
    weight = weights(options.game).copy()
    steps = np.maximum(np.abs(weight) // 3, 64)
    for number in range(options.rounds):
        seed = options.seed * 1_000_000 + number * 100_000
        best = trainer.margins(weight, seed, options.games)
        for i in range(WEIGHTS):
            if i in (0, 6, 7, 13, 12):  # nothing kept, or all: not after a placement
                continue
            for way in (1, -1):
                trial = weight.copy()
                trial[i] += way * steps[i]
                margins = trainer.margins(trial, seed, options.games)
                gain = (margins - best).reshape(-1, 2).mean(1)
                if gain.mean() > gain.std() / len(gain) ** 0.5:
                    weight, best = trial, margins
                    break
        steps = np.maximum(steps * 2 // 3, 16)
        print(f"round {number + 1}: {described(best)}\n{json.dumps(weight.tolist())}", flush=True)
    print("fresh deals:", described(trainer.margins(weight, 999_000_000, 5 * options.games)))


if __name__ == "__main__":
    main()
