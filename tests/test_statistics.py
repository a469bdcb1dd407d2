"""The arena's statistics against figures of fishtest's own code, brute force, and simulation."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import msgspec
import numpy as np
import pytest

from qwirkle_fast.arena.match import Match
from qwirkle_fast.arena.ratings import rate
from qwirkle_fast.arena.records import Played, RuledOut
from qwirkle_fast.arena.standings import Standings, figures, seen
from qwirkle_fast.arena.statistics import (
    NORMAL_UNIT,
    Sprt,
    deviance,
    elo_interval,
    elo_of,
    expected_score,
    likeliest,
    log_ratio,
    mean_and_error,
    mean_score,
    normalised_elo,
    score_interval,
    superiority,
)

#: LLRs that fishtest's LLR_logistic(elo0, elo1, counts) returns (server/fishtest/stats/LLRcalc.py, with SciPy).
FISHTEST = [
    (-3, 1, [10789, 19328, 33806, 19402, 10543], 2.1310678117940807),
    (0.2, 0.9, [39, 2226, 31451, 2412, 40], 2.1625425800483593),
    (0, 10, [0, 0, 0, 0, 100], 2.836871910455917),
    (0, 10, [0, 0, 0, 1, 99], 2.8368433442890124),
    (0, 10, [10, 20, 60, 35, 20], 1.4630359498731718),
    (-5, 5, [0, 0, 0, 50, 0], 1.4391444457312825),
    (0, 100, [3, 0, 1, 0, 0], -1.315012333359911),
]

#: The ends of the interval of normalised Elo: where twice the log-likelihood ratio by fishtest's MLE_t_value (the same
#: file) is the 95 % point of chi-squared.
NORMALISED = [
    ([10, 20, 60, 35, 20], 14.506026728, 96.758120888),
    ([39, 2226, 31451, 2412, 40], 0.918951744, 5.981049215),
    ([10789, 19328, 33806, 19402, 10543], -2.523261025, 0.619995296),
]

#: Counts of all kinds: full ones, lopsided ones, ones with a single score.
COUNTS = [
    [10, 20, 60, 35, 20],
    [0, 0, 0, 0, 100],
    [100, 0, 0, 0, 0],
    [0, 0, 0, 1, 99],
    [0, 0, 50, 0, 0],
    [0, 3, 0, 0, 0],
    [0, 0, 0, 0, 1],
    [1, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 7, 0, 0, 5, 0, 0, 1],
]


@pytest.mark.parametrize(("elo0", "elo1", "counts", "llr"), FISHTEST)
def test_the_log_likelihood_ratio_is_that_of_fishtest(elo0: float, elo1: float, counts: list[int], llr: float) -> None:
    assert log_ratio(counts, expected_score(elo0), expected_score(elo1)) == pytest.approx(llr, abs=1e-7)


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("mean", [0.01, 0.3, 0.5, 0.514, 0.999])
def test_the_likeliest_distribution_has_its_mean_and_none_is_likelier(counts: list[int], mean: float) -> None:
    p = likeliest(counts, mean)
    levels = [i / (len(p) - 1) for i in range(len(p))]
    assert sum(p) == pytest.approx(1)
    assert sum(q * level for q, level in zip(p, levels, strict=True)) == pytest.approx(mean)
    assert min(p) > 0

    def likelihood(p: Sequence[float]) -> float:
        return sum((n or 1e-3) * math.log(q) for n, q in zip(counts, p, strict=True))

    # Moving a little between any three scores keeps the sum and the mean.
    for i, j, k in itertools.combinations(range(len(p)), 3):
        for step in (1e-4, -1e-4):
            moved = list(p)
            size = step * min(p[i], p[j], p[k])
            moved[i] += size * (levels[k] - levels[j])
            moved[j] -= size * (levels[k] - levels[i])
            moved[k] += size * (levels[j] - levels[i])
            assert likelihood(moved) <= likelihood(p) + 1e-12


@pytest.mark.parametrize("counts", COUNTS)
def test_nothing_fails_on_zero_counts_and_lopsided_results(counts: list[int]) -> None:
    mean = mean_score(counts)
    low, high = score_interval(counts)
    assert 0 <= low <= mean <= high <= 1
    ends = elo_interval(counts)
    assert (ends[0] is None) == (mean == 0)
    assert (ends[1] is None) == (mean == 1)
    assert (elo_of(mean) is None) == (mean in (0, 1))
    assert 0 <= superiority(counts) <= 1
    assert (superiority(counts) > 0.5) == (mean > 0.5)
    state = Sprt(0, 10).state(counts)
    assert math.isfinite(state.llr)
    assert (state.llr > 0) == (mean > 0.507)
    normal, normal_ends = normalised_elo(counts, 2)
    # One score alone has no deviation, so its distance from 1/2 is infinite, but for 1/2 itself.
    one = sum(n > 0 for n in counts) == 1
    assert (normal is None) == (one and mean != 0.5)
    assert (normal_ends[0] is None) == (one and mean < 0.5)
    assert (normal_ends[1] is None) == (one and mean > 0.5)


def test_the_interval_ends_where_the_likelihood_ratio_says() -> None:
    counts = COUNTS[0]
    for end in score_interval(counts):
        assert deviance(counts, end) == pytest.approx(3.841458820694124, abs=1e-4)
    # A hundred blocks all won: the mean below 1 that is 147 times less likely, for there is nothing else to go by.
    low, high = score_interval([0, 0, 0, 0, 100])
    assert high == 1
    assert low == pytest.approx(math.exp(-3.841458820694124 / 200), abs=1e-3)


def test_with_many_blocks_the_figures_are_the_textbooks() -> None:
    counts = [1000, 2000, 6000, 3500, 2000]
    n = sum(counts)
    mean = sum(i / 4 * c for i, c in enumerate(counts)) / n
    variance = sum(c * (i / 4 - mean) ** 2 for i, c in enumerate(counts)) / n
    error = math.sqrt(variance / n)
    assert score_interval(counts) == pytest.approx((mean - 1.95996 * error, mean + 1.95996 * error), abs=1e-5)
    few = [10, 20, 60, 35, 20]
    assert superiority(few) == pytest.approx(NormalDist().cdf((mean - 0.5) / (error * 10)), abs=2e-3)
    assert normalised_elo(counts, 2)[0] == pytest.approx((mean - 0.5) / math.sqrt(2 * variance) * NORMAL_UNIT)
    assert pytest.approx(347.43558552260146) == NORMAL_UNIT


@pytest.mark.parametrize(("counts", "low", "high"), NORMALISED)
def test_the_interval_of_normalised_elo_is_that_of_fishtest(counts: list[int], low: float, high: float) -> None:
    assert normalised_elo(counts, 2)[1] == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("counts", [[3, 5, 12], [1, 0, 6], [0, 4, 9], [0, 0, 10], [2, 30, 3], [0, 7, 0], [1, 0, 0]])
def test_no_distribution_that_is_not_rejected_is_outside_of_the_interval(counts: list[int]) -> None:
    # Of three scores all distributions, close together where one of them is rare.
    weights = [n or 1e-3 for n in counts]
    best = sum(n * math.log(n / sum(weights)) for n in weights)
    rare = np.geomspace(1e-12, 0.01, 200, endpoint=False)
    shares = np.concatenate([rare, np.linspace(0.01, 0.99, 600), 1 - rare])
    lose, rest = (axis.ravel() for axis in np.meshgrid(shares, shares))
    win, draw = (1 - lose) * rest, (1 - lose) * (1 - rest)
    allowed = 2 * (best - sum(n * np.log(p) for n, p in zip(weights, (lose, draw, win), strict=True))) <= 3.8414588
    mean = draw / 2 + win
    deviation = np.sqrt(lose * mean**2 + draw * (0.5 - mean) ** 2 + win * (1 - mean) ** 2)
    found = ((mean - 0.5) / deviation)[allowed]
    low, high = normalised_elo(counts, 1)[1]
    for end, farthest, sign in ((low, found.min(), -1), (high, found.max(), 1)):
        if end is None:
            assert sign * farthest > 1e3
        else:
            assert -1e-9 <= sign * (end / NORMAL_UNIT - farthest) <= 0.01 * max(1, abs(farthest))


def test_normalised_elo_is_as_sure_of_who_is_better_as_elo_is() -> None:
    chance = random.Random(4)
    for _ in range(300):
        counts = [chance.choice([0, 0, 1, 2, 5, 40]) for _ in range(5)]
        if sum(counts):
            ends = elo_interval(counts), normalised_elo(counts, 2)[1]
            worse, better = (
                [end[i] is not None and end[i] * sign > 0 for end in ends] for i, sign in ((1, -1), (0, 1))
            )
            assert worse[0] == worse[1]
            assert better[0] == better[1]
    assert elo_interval([0, 0, 0, 0, 20])[0] > 0  # type: ignore[operator]
    assert normalised_elo([0, 0, 0, 0, 20], 2)[1][0] > 0  # type: ignore[operator]


def drawn(p: Sequence[float], blocks: int, chance: random.Random) -> list[int]:
    counts = [0] * len(p)
    for i in chance.choices(range(len(p)), p, k=blocks):
        counts[i] += 1
    return counts


@pytest.mark.parametrize(("mean", "blocks"), [(0.5, 60), (0.8, 60), (0.97, 60)])
def test_intervals_cover_at_their_nominal_rate(mean: float, blocks: int) -> None:
    chance = random.Random(1)
    p = likeliest([20, 10, 40, 10, 20], mean)
    variance = sum(q * (i / 4 - mean) ** 2 for i, q in enumerate(p))
    normal = (mean - 0.5) / math.sqrt(2 * variance) * NORMAL_UNIT
    runs, covered, normal_covered = 250, 0, 0
    for _ in range(runs):
        counts = drawn(p, blocks, chance)
        low, high = score_interval(counts)
        covered += low <= mean <= high
        least, most = normalised_elo(counts, 2)[1]
        normal_covered += (least is None or least <= normal) and (most is None or normal <= most)
    # Four standard errors about 95 %.
    assert 0.95 - 0.055 <= covered / runs <= 0.95 + 0.05
    assert 0.95 - 0.055 <= normal_covered / runs <= 0.95 + 0.05


@pytest.mark.parametrize("base", [[20, 10, 40, 10, 20], [10, 6, 68, 6, 10]])
def test_the_errors_of_the_test_stay_within_alpha_and_beta(base: list[int]) -> None:
    chance = random.Random(2)
    test = Sprt(0, 120, alpha=0.05, beta=0.1)
    runs = 150
    for elo, wrong, chosen in ((test.elo0, "H1", test.alpha), (test.elo1, "H0", test.beta)):
        p = likeliest(base, expected_score(elo))
        errors = 0
        for _ in range(runs):
            counts = [0] * 5
            result = None
            while result is None:
                counts[chance.choices(range(5), p)[0]] += 1
                result = test.state(counts).result
            errors += result == wrong
        assert errors / runs <= chosen + 3 * math.sqrt(chosen * (1 - chosen) / runs)


@pytest.mark.parametrize(
    "arguments", [(5, 0), (0, 0), (0, math.nan), (0, 2000), (0, 5, 0), (0, 5, 0.5), (0, 5, 0.05, math.nan)]
)
def test_tests_that_cannot_be(arguments: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"^sprt: .*, expected "):
        Sprt(*arguments)


def test_before_the_first_block_nothing_is_known() -> None:
    state = Sprt(0, 5).state([0] * 5)
    assert (state.llr, state.result) == (0, None)
    assert state.lower == pytest.approx(-2.9444, abs=1e-4)
    assert mean_and_error([]) == (None, None)
    assert mean_and_error([3.0]) == (3, None)
    assert mean_and_error([1.0, 3.0]) == (2, 1)


# -- tables


def played(pairing: int, block: int, game: int, scores: list[int], move: str = "x", **more: Any) -> Played:
    names = [f"player {seat}" for seat in range(len(scores))]
    kept = {"end": "out", "forfeit": None, "times": [], "versions": {}, **more}
    return Played(pairing, block, game, msgspec.Raw(b"{}"), 0, names, msgspec.Raw(move.encode()), scores, **kept)


def test_a_table_of_two_counted_by_hand() -> None:
    match = Match(("greedy", "random"), games=8)
    table = Standings(match)
    # The first player sits in seat 0 in game 0, and in seat 1 in game 1.
    for block, games in enumerate([([9, 5], [5, 9]), ([9, 5], [9, 5]), ([7, 7], [3, 8]), ([1, 2], [4, 2])]):
        for game, scores in enumerate(games):
            table.add(played(0, block, game, scores, move=f"{block}{game if block < 3 else ''}"))
    first = table.first()
    assert (first.games, first.blocks, first.wins, first.draws, first.losses) == (8, 4, 4, 1, 3)
    assert first.counts == [1, 0, 1, 1, 1]
    assert first.margin == pytest.approx((4 + 0 + 2.5 - 1.5) / 4)
    assert first.score == pytest.approx(4.5 / 8)
    assert first.differing_blocks == 3


def test_a_table_of_three_counts_everybody_behind_and_in_front() -> None:
    match = Match(("greedy", "random", "static"), seats=3, games=3)
    # Game 1: the players of the pairing sit in seats 1, 2, 0.
    game = seen(match, played(0, 0, 1, [10, 30, 10]))
    assert (game.points, game.place, game.lead, game.pairs) == (4, 1, 40, (2, 2, 1))
    game = seen(match, played(0, 0, 0, [10, 10, 4]))
    assert (game.points, game.place, game.lead) == (3, 0, 6)
    out = seen(match, played(0, 0, 0, [90, 10, 4], forfeit=RuledOut(0, "time")))
    assert (out.points, out.place, out.lead, out.out) == (0, -1, None, (0, "time"))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_what_is_level_is_exactly_level(seats: int) -> None:
    # Every player wins each deal by the same points once, so that all are level, whatever the points.
    names = ["greedy", *["random"] * (seats - 1)]
    table = Standings(Match(names, seats=seats, games=30 * seats))
    chance = random.Random(seats)
    for block in range(30):
        scores = [chance.randrange(200) for _ in range(seats)]
        for game in range(seats):
            table.add(played(0, block, game, scores))
    first = table.first()
    assert (first.games, first.score, first.margin, first.elo, first.superiority) == (30 * seats, 0.5, 0, 0, 0.5)
    assert [first.margin_stderr, first.normalised_elo] == [0, 0]
    assert {rating.elo for rating in table.ratings()} == {0}


def test_a_block_counts_when_it_is_whole() -> None:
    table = Standings(Match(("greedy", "random"), games=4))
    table.add(played(0, 1, 0, [5, 3]))
    assert (table.first().games, table.games, table.first().elo) == (0, 1, None)
    table.add(played(0, 1, 1, [5, 3]))
    assert (table.first().games, table.first().counts) == (2, [0, 0, 1, 0, 0])


def test_the_test_looks_at_blocks_in_their_order() -> None:
    match = Match(("greedy", "random"), sprt=Sprt(0, 400))
    table = Standings(match)
    for block in (3, 1, 2, *range(4, 16)):
        for game in (0, 1):
            table.add(played(0, block, game, [9, 5] if game == 0 else [5, 9]))
    table.look()
    assert table.path == []
    for game in (0, 1):
        table.add(played(0, 0, game, [5, 9] if game == 0 else [9, 5]))
    table.look()
    assert table.decided is not None
    assert table.decided < 16
    table.cut()
    assert table.games == 2 * table.decided
    assert figures(table.pairings).counts == [1, 0, 0, 0, table.decided - 1]


def test_ratings_of_two_are_their_elo_difference() -> None:
    results = [(block, 0, 1, 0.75) for block in range(2000)]
    best, other = rate(["a", "b"], results)
    assert best.player == "a"
    assert best.elo - other.elo == pytest.approx(190.848, abs=0.5)
    assert best.elo + other.elo == pytest.approx(0)


def test_ratings_come_out_of_made_up_results() -> None:
    chance = random.Random(3)
    true = [150.0, 20.0, -10.0, -160.0]
    covered = runs = 0
    for _ in range(40):
        results = []
        for block in range(150):
            for i, j in itertools.combinations(range(4), 2):
                p = expected_score(true[i] - true[j])
                results.append((block, i, j, ((chance.random() < p) + (chance.random() < p)) / 2))
        for rating in rate(["0", "1", "2", "3"], results):
            low, high = rating.elo_interval
            assert low is not None
            assert high is not None
            covered += low <= true[int(rating.player)] <= high
            runs += 1
    assert 0.95 - 0.07 <= covered / runs <= 0.95 + 0.05


def test_ratings_of_who_always_wins_are_finite() -> None:
    ratings = rate(["a", "b", "c"], [(b, i, j, 1.0) for b in range(10) for i, j in ((0, 1), (0, 2), (1, 2))])
    assert [rating.player for rating in ratings] == ["a", "b", "c"]
    assert all(math.isfinite(rating.elo) and abs(rating.elo) < 2000 for rating in ratings)
    assert all(rating.elo_interval[1] - rating.elo_interval[0] > 100 for rating in ratings)  # type: ignore[operator]
