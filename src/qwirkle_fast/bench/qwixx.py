"""How fast Qwixx is: whole games, the search's rollouts, and the solved game."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from ..qwixx import Rules, Sheet, _core, _players, _solitaire, solitaire
from ..qwixx.outlook import outlook

RUNS = 5
SEED = 1


def rates(*, quick: bool) -> dict[str, float]:
    """Figures of one thread, per second, medians of five: whole solitaire games of ``skip:2``; games of two fast
    players, which are the search's rollouts from an empty table; steps of the Bellman equation; hints for a lone player
    by the loaded table."""
    games = 2_000 if quick else 50_000
    low, high, starts = _solitaire.schedule()
    begin, entries = starts[len(starts) // 2], games // 20
    values = _solitaire.empty()
    solved = _solitaire.Solved(values, Rules().finish_turn)
    state, dice = solitaire.state_of(Sheet()), _core.dice(SEED, 0)

    def hints() -> None:
        for _ in range(games):
            solved.choices(state, dice)

    works: dict[str, tuple[int, Callable[[], object]]] = {
        "qwixx_solitaire_games_per_second": (games, lambda: _players.games([2], SEED, games)),
        "qwixx_rollout_games_per_second": (
            games,
            lambda: _players.games(["fast", "fast"], SEED, games, outlook=outlook(2)),
        ),
        "qwixx_solver_entries_per_second": (
            entries,
            lambda: _solitaire.solve(values, low, high, begin, begin + entries, False),
        ),
        "qwixx_hints_per_second": (games, hints),
    }
    return {
        name: number / statistics.median(_seconds(work) for _ in range(RUNS)) for name, (number, work) in works.items()
    }


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
