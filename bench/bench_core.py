"""The core's questions on each position of the fixed suite, native and in the reference.

``python -m pytest -c bench/pytest.ini bench`` runs them; ``-k "not reference"`` leaves out the slow half.
"""

from __future__ import annotations

from typing import Any

import pytest

import qwirkle_fast as qf
from qwirkle_fast import _play, reference
from qwirkle_fast.bench import Case, suite
from qwirkle_fast.rules import Rules

CASES = suite()
each_case = pytest.mark.parametrize("case", CASES, ids=[f"{case.game}-{case.name}" for case in CASES])


@each_case
def bench_placements(benchmark: Any, case: Case) -> None:
    legal = qf.Position(case.text).legal_moves
    assert len(benchmark(lambda: legal.array)) == len(legal)


@each_case
def bench_count(benchmark: Any, case: Case) -> None:
    legal = qf.Position(case.text).legal_moves
    assert benchmark(len, legal) == len(legal.array)


@each_case
def bench_best(benchmark: Any, case: Case) -> None:
    legal = qf.Position(case.text).legal_moves
    assert benchmark(legal.best) == next(iter(legal))


@each_case
def bench_top_ten(benchmark: Any, case: Case) -> None:
    legal = qf.Position(case.text).legal_moves
    assert benchmark(legal.top, 10) == list(legal)[:10]


@each_case
def bench_reference_placements(benchmark: Any, case: Case) -> None:
    plain = qf.Position(case.text, grid=reference.Grid).legal_moves
    found = benchmark.pedantic(lambda: plain.array, rounds=1)
    assert len(found) == len(qf.Position(case.text).legal_moves)


@pytest.mark.parametrize("game", ["classic", "flex"])
def bench_greedy_games(benchmark: Any, game: str) -> None:
    scores, _ = benchmark(_play.greedy_games, Rules(game), 2, 1, 100)
    assert len(scores) == 100
