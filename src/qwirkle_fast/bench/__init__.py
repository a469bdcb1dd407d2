"""How fast the package is: ``python -m qwirkle_fast.bench``.

Rates are taken on one thread from whole greedy two-player games, each position once and in order of play, so that no
position trains the processor for the next; each rate is the median of five runs.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from threading import Thread
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _core, _play, reference
from ..notation import ranked
from ..position import Position
from ..rules import Rules
from . import _measure, qwixx

RUNS = 5
SEED = 1

T = TypeVar("T")


class Case(NamedTuple):
    """A position of the fixed suite: which game, a word for what it stands for, and its text."""

    game: str
    name: str
    text: str


class Comparison(NamedTuple):
    """One question about one position, asked of the core and of the reference: seconds each, and the moves found."""

    case: Case
    moves: int
    native: float
    plain: float


def suite() -> list[Case]:
    """The fixed positions: early, middle and late, easy ones and ones with thousands of moves."""
    lines = files(__package__).joinpath("suite.txt").read_text(encoding="utf-8").splitlines()
    return [Case(*line.split(" ", 2)) for line in lines if line and not line.startswith("#")]


def signature() -> str:
    """A checksum of every move and score of the suite; the same on every machine."""
    digest = hashlib.sha256()
    for case in suite():
        position = Position(case.text)
        for move, score in ranked(position.legal_moves.array, case.game == "flex"):
            digest.update(f"{move} {score}\n".encode())
    return digest.hexdigest()[:16]


def rates(rules: Rules, *, quick: bool) -> dict[str, float]:
    """The core's rates for one game, by their names in FORMATS without the prefix; per second."""
    games = 40 if quick else 400
    names = (
        "enumerate_positions_per_second",
        "enumerate_moves_per_second",
        "best_move_positions_per_second",
        "greedy_games_per_second",
        "rollout_plies_per_second",
    )
    found: dict[str, list[float]] = {name: [] for name in names}
    for run in range(RUNS):
        seed = SEED + run * games
        seconds, _ = timed(partial(_play.greedy_games, rules, 2, seed, games))
        totals = _measure.measure(rules, seed, games // 4)
        plies, spent = _measure.rollouts(rules, seed, games // 4)
        for name, value in zip(
            names,
            (
                totals["positions"] / totals["listing"],
                totals["moves"] / totals["listing"],
                totals["positions"] / totals["choosing"],
                games / seconds,
                plies / spent,
            ),
            strict=True,
        ):
            found[name].append(value)
    return {name: statistics.median(values) for name, values in found.items()}


def threads_speedup(*, quick: bool) -> float:
    """Rollout plies per second on two threads over those on one."""
    games = 20 if quick else 200
    return statistics.median(_speedup(games, SEED + run * games) for run in range(RUNS))


def _speedup(games: int, seed: int) -> float:
    rules = Rules()
    plies: list[int] = []

    def work() -> None:
        plies.append(_measure.rollouts(rules, seed, games)[0])

    alone, _ = timed(work)
    threads = [Thread(target=work) for _ in range(2)]

    def together() -> None:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    both, _ = timed(together)
    return 2 * alone / both


def comparisons(*, quick: bool) -> Iterator[Comparison]:
    """The core beside the reference on each position of the suite, every placement listed."""
    repeats = 1 if quick else RUNS
    for case in suite():
        native = Position(case.text)
        plain = Position(case.text, grid=reference.Grid)
        seconds, array = timed(partial(listed, native), 20 * repeats)
        slow, _ = timed(partial(listed, plain))
        yield Comparison(case, len(array), seconds, slow)


def listed(position: Position) -> npt.NDArray[np.void]:
    return position.legal_moves.array


def reference_rate(rows: list[Comparison]) -> float:
    """Positions per second of the reference over the suite's positions that have under a thousand moves."""
    plain = [row.plain for row in rows if row.moves < 1000]
    return len(plain) / sum(plain)


def timed(work: Callable[[], T], repeats: int = 1) -> tuple[float, T]:
    """The median of the seconds that some work takes, and what it returned last."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def report(*, quick: bool, rows: list[Comparison]) -> dict[str, object]:
    """Everything measured, as the object that ``--json`` prints."""
    answer: dict[str, object] = {}
    for prefix, rules in (("", Rules()), ("flex_", Rules("flex"))):
        answer |= {prefix + name: round(value) for name, value in rates(rules, quick=quick).items()}
    answer["reference_positions_per_second"] = round(reference_rate(rows), 1)
    answer["threads_speedup"] = round(threads_speedup(quick=quick), 2)
    answer |= {name: round(value) for name, value in qwixx.rates(quick=quick).items()}
    answer["signature"] = signature()
    answer["native_build"] = _core.BUILD_FLAGS
    return answer


__all__ = ["Case", "Comparison", "comparisons", "report", "signature", "suite"]
