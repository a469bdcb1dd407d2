"""Hints: the moves worth making, best first.

Where everything is known, that is with an empty bag and two players, the game is solved; elsewhere, or when the limit
comes first, rollouts judge the moves.
"""

from __future__ import annotations

import os
import time as clock
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from threading import Event, Thread

import numpy as np
import numpy.typing as npt

from ..move import PLACEMENT, Move
from ..notation import texts
from ..position import Position, PositionError
from ._endgame import Solver
from .hint import Hint
from .montecarlo import Search

#: Of the time for one answer, the part that the solver may take; and its nodes for each simulation allowed.
SOLVER_SHARE = 0.6
SOLVER_NODES = 20
#: Nodes for writing down the best play of a solved position.
LINE_NODES = 5_000_000
#: Plies of the solver's first searches, which find a good order; the last one goes to the end.
DEPTHS = (1, 2, 3, 4, 40)


def hints(
    position: Position,
    *,
    top: int = 5,
    time: float | None = None,
    simulations: int | None = None,
    threads: int | None = None,
    seed: int = 0,
) -> list[Hint]:
    """The ``top`` best moves, exchanges included, by the chance to win, then equity.

    ``time`` in seconds and ``simulations`` in all limit the search; with neither it takes one second.  ``threads``: all
    cores unless said.  With a number of simulations and no time, the same ``seed`` gives the same answer on every
    machine and with any number of threads; with a time it does not.  Empty when the game is over.  Raises
    :class:`PositionError` when the mover's own hand is not known, ``ValueError`` for limits that make no sense.
    """
    found: list[Hint] = []
    for answer in analyse(position, time=time, simulations=simulations, threads=threads, seed=seed, top=top):
        found = answer
    return found


def best_move(
    position: Position,
    *,
    time: float | None = None,
    simulations: int | None = None,
    threads: int | None = None,
    seed: int = 0,
) -> Hint | None:
    """The first of :func:`hints`; ``None`` when the game is over."""
    found = hints(position, top=1, time=time, simulations=simulations, threads=threads, seed=seed)
    return found[0] if found else None


def analyse(
    position: Position,
    *,
    top: int = 5,
    time: float | None = None,
    simulations: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    stop: Event | None = None,
) -> Iterator[list[Hint]]:
    """As :func:`hints`, but yields better and better answers until a limit or ``stop`` ends it; with no limit at all it
    goes on until the best move is all but certain."""
    _check(position, top, time, simulations, threads, seed)
    require_known_hand(position)
    if position.end:
        return
    start = clock.perf_counter()
    if time is None and simulations is None and stop is None:
        time = 1.0
    solved: list[Hint] = []
    if position.players == 2 and not position.bag:
        solved = _solved(position, top, time, simulations, stop)
        if len(solved) >= top or len(solved) == len(position.legal_moves) > 0:
            yield solved
            return
        if time is not None:
            time = max(time - (clock.perf_counter() - start), 0.001)
    search = Search(position, seed=seed)
    if not search.candidates:
        return
    if len(search.candidates) == 1:
        yield solved or search.only()
        return
    for answer in search.run(time=time, simulations=simulations, threads=threads or os.cpu_count() or 1, stop=stop):
        yield _after(solved, answer)[:top]


def _after(solved: list[Hint], judged: list[Hint]) -> list[Hint]:
    """The solved moves, then the others; none of those is better than the best, which is proved."""
    if not solved:
        return judged
    known = {hint.move for hint in solved}
    last = solved[-1]
    others = [
        replace(hint, win=min(hint.win or 0.0, last.win or 0.0), equity=min(hint.equity, last.equity))
        for hint in judged
        if hint.move not in known
    ]
    return solved + others


@cache
def warm_up() -> None:
    """Compile what the search needs, or load it from the cache: the first time on a machine it takes some seconds."""
    for text in ("Rs Rc/?6 0/0 classic", "Rsk Rck/?6 0/0 flex"):
        hints(Position(text), simulations=1, threads=1)


def require_known_hand(position: Position) -> None:
    """Raise :class:`PositionError` when the mover's own hand is not known."""
    if position.hidden_in_hand:
        raise PositionError("hands: the player to move has hidden tiles, expected a hand that is known")


def _check(
    position: Position, top: int, time: float | None, simulations: int | None, threads: int | None, seed: int
) -> None:
    if not isinstance(position, Position):
        raise ValueError(f"position: {position!r}, expected a Position")
    for name, value, optional in (("top", top, False), ("simulations", simulations, True), ("threads", threads, True)):
        if not (optional and value is None) and (type(value) is not int or value < 1):
            raise ValueError(f"{name}: {value!r}, expected a whole number from 1 on")
    if type(seed) is not int:
        raise ValueError(f"seed: {seed!r}, expected a whole number")
    if time is not None and (type(time) not in (int, float) or not 0 < time < 1e9):
        raise ValueError(f"time: {time!r}, expected a positive number of seconds")


def _solved(
    position: Position, top: int, time: float | None, simulations: int | None, stop: Event | None
) -> list[Hint]:
    """The best moves of a position whose hands are all known, solved; empty when the limit came first."""
    tiles, hidden = position.hands[1]
    if hidden:
        tiles += tuple(tile for tile, count in enumerate(position.unseen) for _ in range(count))
    if not len(position.legal_moves):
        return []
    solver = Solver(position.rules, position.cells, (position.hand, tiles))
    nodes = 1 << 60 if simulations is None else SOLVER_NODES * simulations
    best: list[tuple[int, int, int]] = []
    with _Watch(solver, None if time is None else SOLVER_SHARE * time, stop):
        for depth in DEPTHS:
            answer = solver.deepen(depth, nodes, 1)
            if answer is None:
                return []
            exact, best = answer
            if exact:
                break
        # The others wanted are solved too as far as the limit goes.
        more = solver.deepen(DEPTHS[-1], nodes, top) if top > 1 else None
    return [_exact_hint(position, solver, *move) for move in (more[1] if more else best)]


def _exact_hint(position: Position, solver: Solver, where: int, what: int, value: int) -> Hint:
    flex = position.rules.name == "flex"
    words = solver.line((where, what), LINE_NODES)
    line = tuple(Move.skip() if pair is None else Move.trusted(texts(_record(pair), flex)[0]) for pair in words)
    margin = position.scores[0] - position.scores[1] + value
    win = 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
    score = int(_record((where, what))["score"][0])
    return Hint(line[0], score, float(value), 0.0, win, 0, exact=True, line=line)


class _Watch:
    """Stops a solver when its time is over or the caller says so."""

    def __init__(self, solver: Solver, seconds: float | None, stop: Event | None) -> None:
        self._solver = solver
        self._end = None if seconds is None else clock.perf_counter() + seconds
        self._stop = stop
        self._done = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.002):
            late = self._end is not None and clock.perf_counter() >= self._end
            if late or (self._stop is not None and self._stop.is_set()):
                self._solver.stop()
                return


def _record(pair: tuple[int, int]) -> npt.NDArray[np.void]:
    return np.array([pair], np.uint64).view(PLACEMENT).reshape(-1)
