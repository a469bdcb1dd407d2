"""Hints: the moves worth making, best first.

Where everything is known, that is with an empty bag and two players, the game is solved; shortly before, deals of what
is hidden are searched; elsewhere rollouts judge the moves.
"""

from __future__ import annotations

import os
import time as clock
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from threading import Event

import numpy as np
import numpy.typing as npt

from ..move import PLACEMENT, Move
from ..notation import texts
from ..position import Position, PositionError
from ._endgame import Solver
from .hint import Hint
from .limits import Watch
from .montecarlo import ALONE, Search
from .preendgame import compared, is_near
from .replies import with_replies

#: The most that can be asked for.
SIMULATIONS, THREADS = 10**15, 1024
#: The solver's nodes for each simulation allowed.
SOLVER_NODES = 20
#: How many simulations are counted for one search of a deal before the end.
OUTCOME = 32
#: Plies of the solver's searches: a look at all the moves, a search for the best one that finds a good order, and one
#: that goes to the end.  (After an odd number the judgement by greedy play favours who moved last.)
GLANCE, DEPTHS = 2, (4, 40)


def hints(
    position: Position,
    *,
    top: int = 5,
    time: float | None = None,
    simulations: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    only: Sequence[Move] = (),
    inference: bool = True,
) -> list[Hint]:
    """The ``top`` best moves, exchanges included, by the chance to win, then equity; of ``only`` these moves, if given.

    ``time`` in seconds and ``simulations`` in all limit the search; with neither it takes one second.  ``threads``: all
    cores unless said.  With a number of simulations and no time, the same ``seed`` gives the same answer on every
    machine and with any number of threads; with a time it does not.  ``inference``: let the others' last moves, as far
    as the position's ``history`` has them, say what they may hold.  Empty when the game is over.  Raises
    :class:`PositionError` when the mover's own hand is not known, :class:`IllegalMove` for a move of ``only`` that is
    illegal, ``ValueError`` for limits that make no sense.
    """
    found: list[Hint] = []
    for answer in analyse(
        position,
        time=time,
        simulations=simulations,
        threads=threads,
        seed=seed,
        top=top,
        only=only,
        inference=inference,
    ):
        found = answer
    return with_replies(position, found, seed=seed, inference=inference)


def best_move(
    position: Position,
    *,
    time: float | None = None,
    simulations: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    inference: bool = True,
) -> Hint | None:
    """The first of :func:`hints`; ``None`` when the game is over."""
    found = hints(position, top=1, time=time, simulations=simulations, threads=threads, seed=seed, inference=inference)
    return found[0] if found else None


def analyse(
    position: Position,
    *,
    top: int = 5,
    time: float | None = None,
    simulations: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    only: Sequence[Move] = (),
    inference: bool = True,
    stop: Event | None = None,
) -> Iterator[list[Hint]]:
    """As :func:`hints`, but yields better and better answers until a limit or ``stop`` ends it; with no limit at all it
    goes on until the best move is all but certain.  The replies are left to :func:`with_replies`."""
    check(position, top, time, simulations, threads, seed)
    require_known_hand(position)
    if position.end:
        return
    start = clock.perf_counter()
    if time is None and simulations is None and stop is None:
        time = 1.0
    only = tuple(dict.fromkeys(only))
    if position.players == 2 and not position.bag and (only or len(position.legal_moves)):
        answered = False
        if only:
            answers = _solved_only(position, only, time, simulations, stop)
        else:
            answers = _solved(position, top, time, simulations, stop)
        for answer in answers:
            answered = True
            yield answer[:top]
        if answered:
            return
        if time is not None:
            time = max(time - (clock.perf_counter() - start), 0.001)
    search = Search(position, seed=seed, only=only, inference=inference)
    if not search.candidates:
        return
    if len(search.candidates) == 1 and not only:
        simulations = ALONE if simulations is None else min(simulations, ALONE)
    threads = threads or os.cpu_count() or 1
    if not is_near(position):
        for answer in search.run(time=time, simulations=simulations, threads=threads, stop=stop):
            yield answer[:top]
        return
    # Half of the budget for rollouts, to find the moves worth comparing.
    judged: list[Hint] = []
    half = None if simulations is None else max(simulations // 2, 1)
    for judged in search.run(time=None if time is None else time / 2, simulations=half, threads=threads, stop=stop):
        yield judged[:top]
    if time is not None:
        time = max(time - (clock.perf_counter() - start), 0.001)
    outcomes = None if half is None else half // OUTCOME
    for answer in compared(
        position, search.candidates, judged, seed=seed, inference=inference, outcomes=outcomes, time=time,
        threads=threads, stop=stop,
    ):  # fmt: skip
        yield answer[:top]


def static_move(position: Position) -> Move | None:
    """The best move by its value without search; ``None`` when the game is over.  Raises as :func:`hints`."""
    require_known_hand(position)
    if position.end:
        return None
    candidates = Search(position).candidates
    return max(candidates, key=lambda candidate: candidate.value).move if candidates else None


@cache
def warm_up() -> None:
    """Compile what the search needs, or load it from the cache: the first time on a machine it takes some seconds."""
    for text in ("Rs Rc/?6 0/0 classic", "Rsk Rck/?6 0/0 flex"):
        hints(Position(text), simulations=1, threads=1)


def require_known_hand(position: Position) -> None:
    """Raise :class:`PositionError` when the mover's own hand is not known."""
    if position.hidden_in_hand:
        raise PositionError("hands: the player to move has hidden tiles, expected a hand that is known")


def check(
    position: Position, top: int, time: float | None, simulations: int | None, threads: int | None, seed: int
) -> None:
    """Raise ``ValueError`` for arguments that make no sense."""
    if not isinstance(position, Position):
        raise ValueError(f"position: {position!r}, expected a Position")
    for name, value, most in (
        ("top", top, None),
        ("simulations", simulations, SIMULATIONS),
        ("threads", threads, THREADS),
    ):
        if value is None and most is not None:
            continue
        if type(value) is not int or value < 1 or (most is not None and value > most):
            raise ValueError(f"{name}: {value!r}, expected a whole number from 1 {f'to {most}' if most else 'on'}")
    if type(seed) is not int:
        raise ValueError(f"seed: {seed!r}, expected a whole number")
    if time is not None and (type(time) not in (int, float) or not 0 < time < 1e9):
        raise ValueError(f"time: {time!r}, expected a positive number of seconds")


def _solved(
    position: Position, top: int, time: float | None, simulations: int | None, stop: Event | None
) -> Iterator[list[Hint]]:
    """Better and better answers for a position whose hands are all known; none when the limit came at once.

    All moves are looked at first, then the best is sought and solved, then the others wanted.
    """
    tiles, hidden = position.hands[1]
    if hidden:
        tiles += tuple(tile for tile, count in enumerate(position.unseen) for _ in range(count))
    solver = Solver(position.rules, position.cells, (position.hand, tiles))
    nodes = 1 << 60 if simulations is None else SOLVER_NODES * simulations
    with Watch([solver], time, stop):
        exact, found = solver.deepen(GLANCE, nodes, top)
        if solver.stopped:
            return
        answer = _ranked(_hint(position, exact, *move) for move in found)
        yield answer
        if exact:
            return
        for depth in DEPTHS:
            exact, found = solver.deepen(depth, nodes, 1)
            if found:
                answer = _with_best(_hint(position, exact, *found[0]), answer)[:top]
                yield answer
            if exact or solver.stopped:
                break
        if exact and top > 1:
            exact, found = solver.deepen(DEPTHS[-1], nodes, top)
            if exact:
                yield _ranked(_hint(position, True, *move) for move in found)


def _solved_only(
    position: Position, moves: Sequence[Move], time: float | None, simulations: int | None, stop: Event | None
) -> Iterator[list[Hint]]:
    """These moves of a position whose hands are all known, solved, best first; none when the limit came first."""
    tiles, hidden = position.hands[1]
    if hidden:
        tiles += tuple(tile for tile, count in enumerate(position.unseen) for _ in range(count))
    known = Position.from_position(position, ((position.hand, 0), (tiles, 0)))
    share = None if time is None else time / len(moves)
    found = []
    for move in moves:
        hint = _solved_move(known, move, share, simulations, stop)
        if hint is None:
            return
        found.append(hint)
    yield _ranked(found)


def _solved_move(
    position: Position, move: Move, time: float | None, simulations: int | None, stop: Event | None
) -> Hint | None:
    """A move of a position that shows all hands, solved by solving what follows it; ``None`` at the limit."""
    score = position.score(move)
    after = position.copy()
    after.push(move)
    value = after.scores[1] - position.scores[0]
    line: tuple[Move, ...] = (move,)
    if after.end is None:
        reply: Hint | None
        if len(after.legal_moves):
            answers = list(_solved(after, 1, time, simulations, stop))
            reply = answers[-1][0] if answers else None
        else:
            reply = _solved_move(after, Move.skip(), time, simulations, stop)
        if reply is None or not reply.exact:
            return None
        value -= round(reply.equity)
        line += reply.line
    win = _win(position.scores[0] - position.scores[1] + value)
    return Hint(move, score, float(value), 0.0, win, 0, exact=True, line=line)


def _win(margin: int) -> float:
    return 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0


def _ranked(hints: Iterable[Hint]) -> list[Hint]:
    return sorted(hints, key=lambda hint: (-hint.equity, hint.move))


def _with_best(best: Hint, others: list[Hint]) -> list[Hint]:
    """The best move, then the others, none of which is taken to be better."""
    return [best] + [
        replace(hint, win=min(hint.win or 0.0, best.win or 0.0), equity=min(hint.equity, best.equity))
        for hint in others
        if hint.move != best.move
    ]


def _hint(
    position: Position, exact: bool, where: int, what: int, value: int, words: list[tuple[int, int] | None]
) -> Hint:
    flex = position.rules.name == "flex"
    shown = words if exact else words[:1]
    line = tuple(Move.skip() if pair is None else Move.trusted(texts(_record(pair), flex)[0]) for pair in shown)
    win = _win(position.scores[0] - position.scores[1] + value)  # as the solver sees it, when that is not exact
    score = int(_record((where, what))["score"][0])
    return Hint(line[0], score, float(value), 0.0 if exact else None, win, 0, exact, line if exact else ())


def _record(pair: tuple[int, int]) -> npt.NDArray[np.void]:
    return np.array([pair], np.uint64).view(PLACEMENT).reshape(-1)
