"""The search of one position: candidates, rollouts in rounds, and what they say.

A search deals with one position: it picks candidates, plays rollouts of them in rounds, and gives most samples to the
moves that may be best.  Which samples a round plays follows from the sums so far alone, and a round's size does not
depend on the threads, so that the same seed and number of simulations give the same answer everywhere.
"""

from __future__ import annotations

import time as clock
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _core
from ..deal import Generator
from ..move import Move
from ..notation import texts
from ..position import Position
from . import allocation, rollouts
from .candidates import NOTHING, value_exchange, value_exchanges, value_placements
from .evaluate import UNIT, weights
from .hint import Hint
from .inference import Inference
from .outcomes import WIN_UNIT, win_table

#: How many placements and how many exchanges a search looks at.
PLACEMENTS, EXCHANGES = 32, 6
#: Placements after which the board is looked at before the best are picked.
CAREFUL = 96
#: Samples that go to one candidate at once, and such shares in a round.
SHARE, SHARES = 32, 16
#: Simulations for each candidate that make it worth looking at: with few, only the best by value are.
FEW = 48
#: Simulations for a move that has no rival.
ALONE = 512
#: Seconds between two answers.
NEWS = 0.01
#: How often the turn goes round in a rollout before it ends with one of the mover's: with two players, and with more.
ROUNDS, ROUNDS_OF_MANY = 2, 1


class Candidate(NamedTuple):
    move: Move
    score: int
    word: tuple[int, int]
    exchanged: int
    value: int


class Search:
    """The search of one position whose mover's hand is known; of ``only`` these moves, if any are given."""

    def __init__(self, position: Position, *, seed: int = 0, only: Sequence[Move] = (), inference: bool = True) -> None:
        self.position = position
        rules = position.rules
        self._backgrounds = rules.tile_set.backgrounds
        self._weights = weights(rules.name, position.players)
        # With more than two players less of what a rollout leaves behind comes back to the mover.
        self._horizon = self._weights if position.players == 2 else self._weights // 2
        self._hand = np.zeros(6, np.uint8)
        self._count = len(position.hand)
        self._hand[: self._count] = position.hand
        self._bag = position.bag
        self._unseen = np.array(position.unseen, np.uint8)
        self._seed = np.uint64(Generator(seed).next())
        self._grid = _core.Grid(rules)
        for x, y, tile in position.cells:
            self._grid.place(x, y, tile)
        self._boards: list[_core.Workspace] = []
        self._asked_for = bool(only)
        self.candidates = [self._candidate(move) for move in only] or self._pick()
        self.counts = np.zeros(len(self.candidates), np.int64)
        self._outcomes = np.zeros((rollouts.KEPT, len(self.candidates), SHARE * SHARES), np.int32)
        players = position.players
        self._hands = np.zeros((players, 6), np.uint8)
        self._counts = np.zeros(players, np.int64)
        self._hidden = np.zeros(players, np.int64)
        for player, (tiles, hidden) in enumerate(position.hands):
            self._hands[player, : len(tiles)] = tiles
            self._counts[player], self._hidden[player] = len(tiles), hidden
        self._hands[0], self._counts[0], self._hidden[0] = self._hand, self._count, 0
        left = self._unseen if self._count == len(position.hands[0][0]) else np.zeros_like(self._unseen)
        self._tiles = np.repeat(np.arange(len(left), dtype=np.uint8), left)
        self._scores = np.array(position.scores, np.int64)
        self._inference = Inference(position, self._tiles, seed, used=inference)

    def _board(self, thread: int) -> int:
        """The address of a thread's own working area."""
        while len(self._boards) <= thread:
            self._boards.append(_core.Workspace(self._grid))
        return self._boards[thread].address

    # -- candidates

    def _pick(self) -> list[Candidate]:
        position = self.position
        array = position.legal_moves.array
        words = array.view(np.uint64).reshape(-1, 2).copy()
        next_tiles, next_hidden = position.hands[1]
        values = value_placements(
            self._board(0), words, self._hand, self._count, self._backgrounds, self._bag, self._unseen,
            int(self._unseen.sum()), len(next_tiles) + next_hidden, self._weights, CAREFUL,
        )  # fmt: skip
        found = []
        names = texts(array, position.rules.name == "flex") if len(array) <= 4 * CAREFUL else None
        order = np.argsort(-values, kind="stable")[: 4 * PLACEMENTS]
        for i in order:
            name = names[i] if names is not None else texts(array[i : i + 1], position.rules.name == "flex")[0]
            found.append(Candidate(Move.trusted(name), int(array["score"][i]), (int(words[i, 0]), int(words[i, 1])), 0,
                                   int(values[i])))  # fmt: skip
        found.sort(key=lambda candidate: (-candidate.value, candidate.move))
        found = found[:PLACEMENTS] + self._exchanges()
        if not found and position.is_legal(Move.skip()):
            found = [Candidate(Move.skip(), 0, (0, 0), 0, 0)]
        return found

    def _exchanges(self) -> list[Candidate]:
        if not self._bag or not self.position.exchanges:
            return []
        next_tiles, next_hidden = self.position.hands[1]
        values = value_exchanges(
            self._board(0), self._hand, self._count, self._bag, self._backgrounds, self._bag, self._unseen,
            int(self._unseen.sum()), len(next_tiles) + next_hidden, self._weights,
        )  # fmt: skip
        codes = self.position.rules.tile_set.codes
        seen: dict[Move, Candidate] = {}
        for swap in np.argsort(-values, kind="stable").tolist():
            if values[swap] == NOTHING or len(seen) == EXCHANGES:
                break
            move = Move.exchange([codes[self._hand[i]] for i in range(self._count) if swap >> i & 1])
            seen.setdefault(move, Candidate(move, 0, (0, 0), swap, int(values[swap])))
        return sorted(seen.values(), key=lambda candidate: (-candidate.value, candidate.move))

    def _value_exchange(self, swap: int) -> int:
        next_tiles, next_hidden = self.position.hands[1]
        return int(value_exchange(
            self._board(0), self._hand, self._count, swap, self._backgrounds, self._bag, self._unseen,
            int(self._unseen.sum()), len(next_tiles) + next_hidden, self._weights,
        ))  # fmt: skip

    def _candidate(self, move: Move) -> Candidate:
        """A move of choice; raises :class:`IllegalMove`."""
        score = self.position.score(move)
        if not move.is_placement:
            tiles = self.position.rules.tile_set.tiles
            swap = 0
            for code in move.exchanged:
                swap |= 1 << next(i for i in range(self._count) if not swap >> i & 1 and self._hand[i] == tiles[code])
            return Candidate(move, 0, (0, 0), swap, self._value_exchange(swap) if swap else 0)
        words = move.array(self.position.rules.tile_set, score).view(np.uint64).reshape(-1, 2)
        next_tiles, next_hidden = self.position.hands[1]
        value = value_placements(
            self._board(0), words, self._hand, self._count, self._backgrounds, self._bag, self._unseen,
            int(self._unseen.sum()), len(next_tiles) + next_hidden, self._weights, CAREFUL,
        )[0]  # fmt: skip
        return Candidate(move, score, (int(words[0, 0]), int(words[0, 1])), 0, int(value))

    def _keep_best(self, number: int) -> None:
        """Look at no more candidates than that, the best by value."""
        if number < len(self.candidates):
            self.candidates = sorted(self.candidates, key=lambda candidate: (-candidate.value, candidate.move))[:number]
            self.counts = self.counts[:number]
            self._outcomes = np.ascontiguousarray(self._outcomes[:, :number])

    # -- rounds

    def run(
        self, *, time: float | None, simulations: int | None, threads: int, stop: Event | None = None
    ) -> Iterator[list[Hint]]:
        """Play rounds until a limit is met or the best move is all but certain; yields the hints as they get better."""
        start = clock.perf_counter()
        if simulations is not None and not self._asked_for:
            self._keep_best(max(1, simulations // FEW))
        told, pending = start - NEWS, False
        moves = np.array([candidate.word for candidate in self.candidates], np.uint64).reshape(-1, 2)
        exchanged = np.array([candidate.exchanged for candidate in self.candidates], np.int64)
        table = win_table(self.position.rules.name, self.position.players)
        with ThreadPoolExecutor(threads) as pool:
            while True:
                budget = None if simulations is None else simulations - int(self.counts.sum())
                tasks = allocation.next_round(self._outcomes, self.counts, SHARE, SHARES, budget)
                if len(tasks) == 0:
                    break
                self._make_room(int(tasks[:, 2].max()))
                parts = [np.ascontiguousarray(tasks[i::threads]) for i in range(threads)]
                play = pool.map(
                    lambda job: self._play(job[0], job[1], moves, exchanged, table),
                    [(thread, part) for thread, part in enumerate(parts) if len(part)],
                )
                for _ in play:
                    pass
                np.maximum.at(self.counts, tasks[:, 0], tasks[:, 2])
                now = clock.perf_counter()
                over = time is not None and now - start >= time
                pending = not over and now - told < NEWS
                if not pending:
                    told = now
                    yield self.hints()
                if over or (stop is not None and stop.is_set()):
                    break
        if pending:
            yield self.hints()

    def _play(
        self, thread: int, tasks: npt.NDArray[np.int64], moves: npt.NDArray[np.uint64],
        exchanged: npt.NDArray[np.int64], table: npt.NDArray[np.int64],
    ) -> None:  # fmt: skip
        rollouts.simulate(
            self._board(thread), self._backgrounds, self._hands, self._counts, self._hidden, self._tiles, self._scores,
            self._seed, self.depth, self._horizon, table, moves, exchanged, self._inference.taken,
            self._inference.owners, tasks, self._outcomes,
        )  # fmt: skip

    def _make_room(self, samples: int) -> None:
        """Prepare for so many samples of a candidate."""
        self._inference.fill(samples)
        while self._outcomes.shape[2] < samples:
            self._outcomes = np.concatenate((self._outcomes, np.zeros_like(self._outcomes)), axis=2)

    @property
    def depth(self) -> int:
        """Plies that follow a candidate; the last one is the mover's, and what it leaves behind is weighed."""
        players = self.position.players
        return (ROUNDS if players == 2 else ROUNDS_OF_MANY) * players

    def hints(self) -> list[Hint]:
        """What the samples so far say, best first; candidates without samples are left out."""
        front = allocation.front_of(self._outcomes[rollouts.UTILITY], self.counts)
        points, spread = self._estimates(rollouts.EQUITY, front, UNIT)
        wins, _ = self._estimates(rollouts.WIN, front, WIN_UNIT)
        found = []
        for i, candidate in enumerate(self.candidates):
            n = int(self.counts[i])
            if n:
                equity, rest, slope = points[i].tolist()
                win = min(max(round(float(wins[i, allocation.MEAN]), 4), 0.0), 1.0)
                noise = (rest if i != front else spread) / n + slope * slope * spread / int(self.counts[front])
                error = round(noise**0.5, 3) if n > 1 else None
                found.append(Hint(candidate.move, candidate.score, round(equity, 3), error, win, n, exact=False))
        return sorted(found, key=lambda hint: (-(hint.win or 0), -hint.equity, hint.move))

    def _estimates(self, kept: int, front: int, unit: int) -> tuple[npt.NDArray[np.float64], float]:
        found, spread = allocation.estimates(self._outcomes[kept], self.counts, front, unit)
        return found, float(spread)
