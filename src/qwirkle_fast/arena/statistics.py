"""What the blocks of a match say: Elo, intervals, likelihood of superiority, and the sequential test.

A block's *score* is the first player's mean result over its games, 0 to 1, where 1/2 is level.  All that follows comes
from how often each score occurred: ``counts[i]`` blocks had the score ``i / (len(counts) - 1)``.  Two players and
blocks of two games have five possible scores, the *pentanomial* counts.  The games of a block are played from one deal,
so they depend on each other, and nothing here takes them for independent.

The method is that of fishtest: the likelihood of a mean is that of the likeliest distribution with this mean (Van den
Bergh, "A practical introduction to the GSPRT", and Proposition 1.1 of "Comments on maximum likelihood estimation for
multinomials", both at cantate.be/Fishtest).  A score that never occurred counts as a thousandth of a block, so that the
likeliest distribution may use it: this is what keeps lopsided results finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

#: What a score that never occurred counts as.
TRACE = 1e-3

#: Normalised Elo of one standard deviation of a game's result (Van den Bergh, "Normalized Elo").
NORMAL_UNIT = 800 / math.log(10)

_NORMAL = NormalDist()
#: The 95 % points of the normal distribution, and of its square.
POINT = _NORMAL.inv_cdf(0.975)
_SQUARE = POINT**2

Interval = tuple[float | None, float | None]


def expected_score(elo: float) -> float:
    """The score that an Elo difference promises.

    >>> round(expected_score(400), 4)
    0.9091
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float | None:
    """The Elo difference of a score; ``None`` when it is infinite.

    >>> elo_of(0.5), elo_of(1.0)
    (0.0, None)
    """
    return 400 * math.log10(score / (1 - score)) + 0.0 if 0 < score < 1 else None


def levels(counts: Sequence[int]) -> list[float]:
    """The score that each of the counts is of."""
    return [i / (len(counts) - 1) for i in range(len(counts))]


def mean_score(counts: Sequence[int]) -> float:
    """The mean of the blocks' scores, of which there is at least one."""
    return sum(i * n for i, n in enumerate(counts)) / (len(counts) - 1) / sum(counts)


def likeliest(counts: Sequence[int], mean: float) -> list[float]:
    """The likeliest probabilities of the scores whose mean is this, strictly between 0 and 1.

    They are ``p[i] / (1 + x * (level[i] - mean))`` with the one ``x`` that makes them add up.
    """
    weights = [n or TRACE for n in counts]
    total = sum(weights)
    offsets = [level - mean for level in levels(counts)]
    p = [weight / total for weight in weights]
    # The sum falls as x grows, from infinity to minus infinity between these two.
    low, high = -1 / offsets[-1], -1 / offsets[0]
    x = 0.0
    for _ in range(200):
        terms = [1 + x * a for a in offsets]
        value = sum(q * a / t for q, a, t in zip(p, offsets, terms, strict=True))
        if value > 0:
            low = x
        else:
            high = x
        # Newton's step, or the middle when that would leave the bounds.
        step = value / sum(q * (a / t) ** 2 for q, a, t in zip(p, offsets, terms, strict=True))
        following = x + step
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-13 * max(1.0, abs(x)):
            break
        x = following
    return [q / (1 + x * a) for q, a in zip(p, offsets, strict=True)]


def log_ratio(counts: Sequence[int], mean0: float, mean1: float) -> float:
    """The generalised log-likelihood ratio of the mean score ``mean1`` to ``mean0``."""
    if not sum(counts):
        return 0.0
    pairs = zip(counts, likeliest(counts, mean0), likeliest(counts, mean1), strict=True)
    return sum((n or TRACE) * math.log(q / p) for n, p, q in pairs)


def deviance(counts: Sequence[int], mean: float) -> float:
    """Twice the log-likelihood ratio of what was seen to the mean score ``mean``: about chi-squared of one degree."""
    weights = [n or TRACE for n in counts]
    total = sum(weights)
    return 2 * sum(n * math.log(n / total / q) for n, q in zip(weights, likeliest(counts, mean), strict=True))


def score_interval(counts: Sequence[int]) -> tuple[float, float]:
    """The 95 % interval of the mean score: the means that the likelihood ratio does not reject."""
    mean = mean_score(counts)
    low = 0.0 if mean <= 0 else _crossing(lambda s: deviance(counts, s), mean, 0.0)
    high = 1.0 if mean >= 1 else _crossing(lambda s: deviance(counts, s), mean, 1.0)
    return low, high


def _crossing(function: Callable[[float], float], inner: float, outer: float) -> float:
    """Where a function that grows from inner to outer crosses the 95 % point."""
    for _ in range(60):
        middle = (inner + outer) / 2
        if function(middle) < _SQUARE:
            inner = middle
        else:
            outer = middle
        if abs(outer - inner) < 1e-9:
            break
    return (inner + outer) / 2


def elo_interval(counts: Sequence[int]) -> Interval:
    """The 95 % interval of the Elo difference; an end that is infinite is ``None``."""
    low, high = score_interval(counts)
    return elo_of(low), elo_of(high)


def superiority(counts: Sequence[int]) -> float:
    """The likelihood of superiority: how sure it is that the mean score is over 1/2."""
    mean = mean_score(counts)
    root = math.sqrt(max(deviance(counts, 0.5), 0.0))
    return _NORMAL.cdf(math.copysign(root, mean - 0.5) if mean != 0.5 else 0.0)


def normalised_elo(counts: Sequence[int], games: int) -> tuple[float | None, Interval]:
    """The normalised Elo with its 95 % interval; ``games``: how many a block has.  What is infinite is ``None``.

    It measures the mean result in standard deviations of a single game, times :data:`NORMAL_UNIT`, and so says how many
    games it takes to tell two players apart (Van den Bergh, "Normalized Elo").  The interval holds what the likelihood
    ratio does not reject, each value with the likeliest distribution that has it (section 4.1 of his
    "normalized_elo_practical").  So it holds 0 exactly where the interval of Elo does.
    """
    unit = NORMAL_UNIT / math.sqrt(games)
    blocks = sum(counts)
    t = _t_value([n / blocks for n in counts], levels(counts))
    low = -math.inf if t == -math.inf else _farthest_t(counts, -1)
    high = math.inf if t == math.inf else _farthest_t(counts, 1)
    value, *ends = (unit * x if math.isfinite(x) else None for x in (t, low, high))
    return value, (ends[0], ends[1])


def _t_value(p: Sequence[float], scores: Sequence[float]) -> float:
    """The mean's distance from 1/2 in standard deviations, of a distribution over these scores."""
    mean, deviation = _moments(p, scores)
    if deviation:
        return (mean - 0.5) / deviation
    return math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0


def _moments(p: Sequence[float], scores: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation."""
    mean = sum(q * score for q, score in zip(p, scores, strict=True))
    return mean, math.sqrt(sum(q * (score - mean) ** 2 for q, score in zip(p, scores, strict=True)))


def _farthest_t(counts: Sequence[int], sign: int) -> float:
    """The greatest (sign 1) or least (-1) t value of the distributions that the likelihood ratio does not reject.

    These are a convex set.  The t value is climbed along its gradient, each time as far as the set goes; where it turns
    back on the way, half as far.
    """
    scores = levels(counts)
    weights = [n or TRACE for n in counts]
    total = sum(weights)
    centre = [weight / total for weight in weights]
    p, best = centre, sign * _t_value(centre, scores)
    for _ in range(200):
        mean, deviation = _moments(p, scores)
        t = (mean - 0.5) / deviation
        slope = [sign * (x - t * x * x / 2) for x in ((score - mean) / deviation for score in scores)]
        goal = _farthest(centre, slope, _SQUARE / 2 / total)
        step, found = 1.0, -math.inf
        while found <= best and step > 1e-9:
            there = [a + step * (b - a) for a, b in zip(p, goal, strict=True)]
            found = sign * _t_value(there, scores)
            step /= 2
        if found <= best + 1e-10:
            break
        p, best = there, found
    return sign * best


def _farthest(centre: Sequence[float], slope: Sequence[float], limit: float) -> list[float]:
    """The distribution with the greatest mean slope among those whose divergence from the centre is within the limit.

    They are ``centre[i] / (c - slope[i])``, made to add up to 1, with the one ``c`` that reaches the limit.
    """
    top = max(slope)
    gaps = [top - value for value in slope]
    low, high = math.log(1e-30), math.log(1e20)
    for _ in range(70):
        middle = (low + high) / 2
        room = math.exp(middle)
        terms = [gap + room for gap in gaps]
        whole = sum(q / term for q, term in zip(centre, terms, strict=True))
        divergence = sum(q * math.log(term * whole) for q, term in zip(centre, terms, strict=True))
        if divergence > limit:
            low = middle
        else:
            high = middle
    return [q / term / whole for q, term in zip(centre, terms, strict=True)]


def mean_and_error(values: Sequence[float]) -> tuple[float | None, float | None]:
    """The mean and its standard error; ``None`` where there are too few values to tell."""
    n = len(values)
    if not n:
        return None, None
    mean = math.fsum(values) / n
    if n == 1:
        return mean, None
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1) / n)


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where the test stands: ``result`` is ``"H0"``, ``"H1"``, or ``None`` while it goes on."""

    llr: float
    lower: float
    upper: float
    result: str | None


@dataclass(frozen=True, slots=True)
class Sprt:
    """The sequential probability ratio test of the Elo difference ``elo0`` (H0) against ``elo1`` (H1).

    It is looked at after every block, and wrongly accepts H1 with a chance of at most ``alpha``, H0 of at most
    ``beta``.  Raises ``ValueError``.

    >>> Sprt(0, 10).state([10, 20, 60, 35, 20])
    SprtState(llr=1.46..., lower=-2.94..., upper=2.94..., result=None)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise ValueError(f"sprt: elo0={self.elo0:g},elo1={self.elo1:g}, expected elo0 < elo1, both up to 1000")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"sprt: {name} is {value:g}, expected a chance between 0 and 0.5")

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def state(self, counts: Sequence[int]) -> SprtState:
        """Where the test stands after these blocks."""
        llr = log_ratio(counts, expected_score(self.elo0), expected_score(self.elo1))
        result = "H1" if llr >= self.upper else "H0" if llr <= self.lower else None
        return SprtState(llr, self.lower, self.upper, result)
