"""What the samples of candidates say, and who gets the next ones."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("numba")

import numpy as np

import qwirkle_fast as qf
from qwirkle_fast.search import allocation, rollouts
from qwirkle_fast.search.outcomes import WIN_UNIT

Arm = tuple[int, float, float]


def outcomes_of(*arms: Arm, shared: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes of arms with so many samples, that mean chance to win and that spread; shared: how much of the spread is
    the same for all, sample by sample."""
    chance = np.random.default_rng(1)
    counts = np.array([count for count, _, _ in arms])
    outcomes = np.zeros((rollouts.KEPT, len(arms), counts.max()), np.int32)
    common = chance.standard_normal(counts.max())
    for i, (count, mean, spread) in enumerate(arms):
        own = chance.standard_normal(counts.max())
        noise = spread * (shared * common + (1 - shared**2) ** 0.5 * own)[:count]
        outcomes[rollouts.UTILITY, i, :count] = np.round((mean + noise - noise.mean()) * WIN_UNIT)
    return outcomes, counts


def given(outcomes: np.ndarray, counts: np.ndarray, budget: int | None = None) -> Counter[int]:
    found: Counter[int] = Counter()
    for candidate, start, end in allocation.next_round(outcomes, counts, 32, 16, budget).tolist():
        found[candidate] += end - start
    return found


def test_all_get_a_share_first() -> None:
    tasks = allocation.next_round(np.zeros((3, 3, 512), np.int32), np.zeros(3, np.int64), 32, 16, None)
    assert tasks.tolist() == [[0, 0, 32], [1, 0, 32], [2, 0, 32]]


def test_contenders_go_on_together() -> None:
    found = given(*outcomes_of((320, 0.52, 0.3), (320, 0.51, 0.3), (320, 0.2, 0.3)))
    assert found == {0: 256, 1: 256}


def test_who_looks_better_has_to_show_it_over_as_many_samples() -> None:
    assert given(*outcomes_of((640, 0.5, 0.1), (64, 0.6, 0.1))) == {1: 512}
    assert given(*outcomes_of((640, 0.5, 0.1), (480, 0.6, 0.1))) == {1: 160}


def test_it_stops_when_the_best_is_certain_or_the_budget_is_spent() -> None:
    assert not given(*outcomes_of((3000, 0.9, 0.1), (3000, 0.1, 0.1)))
    assert not given(*outcomes_of((300, 0.5, 0.3), (300, 0.5, 0.3)), budget=0)
    assert given(*outcomes_of((300, 0.5, 0.3), (300, 0.5, 0.3)), budget=40).total() == 40


def test_what_goes_together_is_told_apart_sooner() -> None:
    arms: tuple[Arm, ...] = ((600, 0.52, 0.2), (600, 0.5, 0.2))
    assert given(*outcomes_of(*arms))
    assert not given(*outcomes_of(*arms, shared=0.99))


def test_moves_that_come_to_the_same_need_no_samples() -> None:
    outcomes, counts = outcomes_of((600, 0.5, 0.2), (600, 0.5, 0.2))
    outcomes[:, 1] = outcomes[:, 0]
    counts[1] = 32
    assert not given(outcomes, counts)
    found, _ = allocation.estimates(outcomes[rollouts.UTILITY], counts, 0, WIN_UNIT)
    assert found[1, allocation.MEAN] == pytest.approx(found[0, allocation.MEAN])


def test_estimates_are_regressions_on_the_front() -> None:
    """The slope and what is left over are those of numpy's least squares; the mean is the line's at the front's."""
    outcomes, counts = outcomes_of((900, 0.5, 0.1), (200, 0.45, 0.1), shared=0.8)
    values = outcomes[rollouts.UTILITY].astype(float)
    found, spread = allocation.estimates(outcomes[rollouts.UTILITY], counts, 0, 1)
    slope, level = np.polyfit(values[0, :200], values[1, :200], 1)
    assert found[1, allocation.SLOPE] == pytest.approx(slope)
    assert found[1, allocation.MEAN] == pytest.approx(level + slope * values[0].mean())
    assert found[1, allocation.REST] == pytest.approx(np.var(values[1, :200] - slope * values[0, :200]))
    assert spread == pytest.approx(values[0].var())


def test_intervals_cover() -> None:
    """One move, 64 samples: 95 in 100 intervals hold the mean of 60,000 (the share within three standard errors)."""
    position = qf.Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic")
    move = qf.hints(position, simulations=500)[0].move
    truth = qf.hints(position, simulations=60_000, seed=10_000, only=[move])[0]
    assert truth.simulations == 60_000
    rounds = 400
    held = 0
    for seed in range(rounds):
        hint = qf.hints(position, simulations=64, seed=seed, only=[move], threads=1)[0]
        assert hint.stderr is not None
        held += abs(hint.equity - truth.equity) <= 1.96 * hint.stderr
    assert abs(held / rounds - 0.95) < 3 * (0.95 * 0.05 / rounds) ** 0.5
