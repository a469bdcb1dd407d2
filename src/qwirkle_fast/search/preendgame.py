"""Shortly before the end: two players, and at most six tiles in the bag.

Here rollouts are soon as good as they get: what they leave out is that both will play the end well.  So the moves they
like best are compared again over the same deals of the hidden tiles, each deal played greedily until the bag is empty,
which is at once for most moves, and searched from there.  With few tiles in the bag that is every deal there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from math import comb, sqrt
from statistics import fmean, pstdev
from threading import Event

import numpy as np

from ..deal import Generator
from ..position import Position
from ._endgame import Solver
from .hint import Hint
from .inference import Inference
from .limits import Watch
from .montecarlo import Candidate

#: With more tiles in the bag than this the end is too far away.
BAG = 6
#: How many moves are compared.
CANDIDATES = 8
#: The most deals looked at, and how many before moves that do worse are given up.
DEALS, ROUND = 240, 4
#: The plies of each search.
DEPTH = 2
#: A move is given up when the best is better by so many standard errors of the difference, over so many deals.
CLEAR, LEAST = 2.5, 8
#: What a point is worth in wins, to tell apart moves that win equally often.
POINT = 1 / 2000


def is_near(position: Position) -> bool:
    """Is this the stage of the game for :func:`compared`?"""
    return position.players == 2 and 0 < position.bag <= BAG


def compared(
    position: Position,
    candidates: Sequence[Candidate],
    judged: list[Hint],
    *,
    seed: int,
    inference: bool,
    outcomes: int | None,
    time: float | None,
    threads: int,
    stop: Event | None,
) -> Iterator[list[Hint]]:
    """Compare the first of ``judged`` by searches; yields better and better answers, all of ``judged`` in a new order.

    ``outcomes``: how many searches at most.  The others keep what the rollouts said of them, but are not taken to be
    better than those compared.
    """
    known = {candidate.move: candidate for candidate in candidates}
    arms = [known[hint.move] for hint in judged[:CANDIDATES]]
    alive = list(range(len(arms)))
    found: list[list[int]] = [[] for _ in arms]
    margin = position.scores[0] - position.scores[1]
    deals = _deals(position, seed, inference)
    hands = position.hand, position.hands[1][0]
    hidden = position.hands[1][1]
    solvers = [Solver(position.rules, position.cells, hands) for _ in range(threads)]

    def play(job: tuple[int, list[tuple[int, int]]]) -> list[int | None]:
        thread, tasks = job
        return [
            solvers[thread].outcome(arms[arm].word, arms[arm].exchanged, deals[deal], hidden, DEPTH, deal)
            for arm, deal in tasks
        ]

    with Watch(solvers, time, stop), ThreadPoolExecutor(threads) as pool:
        for first in range(0, len(deals), ROUND):
            tasks = [(arm, deal) for deal in range(first, min(first + ROUND, len(deals))) for arm in alive]
            if outcomes is not None:
                outcomes -= len(tasks)
            if len(alive) < 2 or (outcomes is not None and outcomes < 0):
                return
            parts = [tasks[thread::threads] for thread in range(threads)]
            values = list(pool.map(play, enumerate(parts)))
            for thread, part in enumerate(parts):
                for (arm, _), value in zip(part, values[thread], strict=True):
                    if value is None:
                        return
                    found[arm].append(value)
            alive = _alive(found, alive, margin)
            yield _answer(judged, found, alive, margin)


def _deals(position: Position, seed: int, inference: bool) -> list[list[int]]:
    """Deals of the unseen tiles, the other's hidden ones first, then the bag in drawing order: all that there are, in
    random order, or as many as are wanted at random; these by what the other's last move says, if it says anything."""
    generator = Generator(seed)
    unseen = [tile for tile, count in enumerate(position.unseen) for _ in range(count)]
    hidden = position.hands[1][1]
    deals = []
    kept = Inference(position, np.array(unseen, np.uint8), seed, used=inference)
    if kept.says_something:
        kept.fill(DEALS)
        for chosen in kept.taken[:DEALS].tolist():
            rest = [tile for i, tile in enumerate(unseen) if i not in chosen]
            generator.shuffle(rest)
            deals.append([unseen[i] for i in chosen] + rest)
        return deals
    if comb(len(unseen), hidden) <= DEALS:
        for chosen in combinations(range(len(unseen)), hidden):
            bag = [tile for i, tile in enumerate(unseen) if i not in chosen]
            generator.shuffle(bag)
            deals.append([unseen[i] for i in chosen] + bag)
        order = list(range(len(deals)))
        generator.shuffle(order)
        return [deals[i] for i in order]
    for _ in range(DEALS):
        generator.shuffle(unseen)
        deals.append(list(unseen))
    return deals


def _win(margin: int) -> float:
    return 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0


def _worth(value: int, margin: int) -> float:
    return _win(margin + value) + POINT * value


def _alive(found: list[list[int]], alive: list[int], margin: int) -> list[int]:
    """Those that may still be best, the best first."""
    worths = {arm: [_worth(value, margin) for value in found[arm]] for arm in alive}
    order = sorted(alive, key=lambda arm: -fmean(worths[arm]))
    best = worths[order[0]]
    if len(best) < LEAST:
        return order
    kept = [order[0]]
    for arm in order[1:]:
        gaps = [a - b for a, b in zip(best, worths[arm], strict=True)]
        if fmean(gaps) <= CLEAR * pstdev(gaps) / sqrt(len(gaps)):
            kept.append(arm)
    return kept


def _answer(judged: list[Hint], found: list[list[int]], alive: list[int], margin: int) -> list[Hint]:
    """The moves still compared, best first, then the others in the order they had."""
    answer = []
    for arm in alive:
        values, hint = found[arm], judged[arm]
        answer.append(
            replace(
                hint,
                equity=round(fmean(values), 3),
                stderr=round(pstdev(values) / sqrt(len(values)), 3),
                win=round(fmean(_win(margin + value) for value in values), 4),
                simulations=hint.simulations + len(values),
            )
        )
    answer.sort(key=lambda hint: (-(hint.win or 0), -hint.equity, hint.move))
    last = answer[-1]
    for arm, hint in enumerate(judged):
        if arm not in alive:
            win = min(hint.win or 0.0, last.win or 0.0)
            answer.append(replace(hint, win=win, equity=min(hint.equity, last.equity)))
    return answer
