"""Which candidates get the next samples: best-arm identification by a top-two rule on paired samples.

All candidates meet the same samples, and the outcomes of two go together (a correlation of 0.4 to 0.99 among the best):
what they differ by is known far better than what either is worth.  So each is judged by its regression on the *front*,
the candidate with most samples: the front's mean over all of its samples, of which the others have met but the first,
corrects theirs.  This is the method of control variates (Asmussen and Glynn, "Stochastic Simulation", 2007, V.2).
Moves that come to the same thing have the same outcomes, and so get the front's samples for nothing.

Shares go to the challenger that is hardest to tell from the front, by the transportation cost of Gaussian arms with a
penalty for arms that have had many samples: the rule TTTCI of Shang, de Heide, Kaufmann, Ménard and Valko,
"Fixed-confidence guarantees for Bayesian best-arm identification", 2020; see also Jourdan, Degenne, Baudry, de Heide
and Kaufmann, "Top two algorithms revisited", 2022.  The front keeps ahead of it.  The search may stop by the threshold
of Garivier and Kaufmann, "Optimal best arm identification with fixed confidence", 2016, in its stylised form
log((1 + log n) / delta).

The mean of an arm whose samples depend on how it looked is biased, mostly downwards for those given up early; the
standard error stated with a hint is that of its samples taken as if their number had been fixed beforehand.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from .native import compiled
from .outcomes import WIN_UNIT
from .rollouts import UTILITY

#: Samples that a candidate gets at first at least, if it gets any.
LEAST = 4
#: Samples that say how two candidates go together.
TOGETHER = 16
#: The most samples of one candidate: by then all is known that can be.
MOST = 1 << 18
#: The chance of a wrong answer that the stopping rule accepts.
DELTA = 0.01
#: Moves this close in utility are as good as each other.
EVEN = 0.0005
#: The least variance of a utility that fewer than a share of samples are believed to have.
UNTRIED = 0.02

# What is estimated of a candidate: its mean, the variance of what the front's outcomes do not explain, and the slope.
MEAN, REST, SLOPE = 0, 1, 2


@compiled
def front_of(values, counts):
    """The candidate with most samples; of several the one with the highest sum."""
    front = 0
    highest = values[0, : counts[0]].sum()
    for i in range(1, len(counts)):
        if counts[i] >= counts[front]:
            total = values[i, : counts[i]].sum()
            if counts[i] > counts[front] or total > highest:
                front = i
                highest = total
    return front


@compiled
def estimates(values, counts, front, unit):
    """MEAN, REST and SLOPE of each candidate, for values in 1/unit; and the variance of the front's samples."""
    found = np.zeros((len(counts), 3))
    full = counts[front]
    whole = 0
    square = 0
    for s in range(full):
        whole += np.int64(values[front, s])
        square += np.int64(values[front, s]) * values[front, s]
    spread = max(square / full - (whole / full) * (whole / full), 0.0)
    for i in range(len(counts)):
        n = counts[i]
        if n == 0:
            continue
        x = 0
        y = 0
        xx = 0
        yy = 0
        xy = 0
        for s in range(n):
            a = np.int64(values[i, s])
            b = np.int64(values[front, s])
            x += a
            y += b
            xx += a * a
            yy += b * b
            xy += a * b
        mean = x / n
        own = max(xx / n - mean * mean, 0.0)
        other = yy / n - (y / n) * (y / n)
        both = xy / n - mean * (y / n)
        slope = both / other if n >= TOGETHER and other > 0 and i != front else 0.0
        found[i, MEAN] = (mean + slope * (whole / full - y / n)) / unit
        found[i, REST] = max(own - slope * both, 0.0) / unit / unit
        found[i, SLOPE] = slope
    return found, spread / unit / unit


@compiled
def _shares(values, counts, share, shares, budget, first):
    """Samples for each candidate in the next round; none at all when the best is all but certain."""
    n = len(counts)
    wanted = np.zeros(n, np.int64)
    spent = 0
    for i in range(n):
        if counts[i] < first and spent < budget:
            wanted[i] = min(first - counts[i], budget - spent)
            spent += wanted[i]
    if spent or budget <= 0:
        return wanted
    if n == 1:
        wanted[0] = min(share * shares, budget, MOST - counts[0])
        return wanted
    front = front_of(values, counts)
    found, spread = estimates(values, counts, front, WIN_UNIT)
    leader = front
    for i in range(n):
        if found[i, MEAN] > found[leader, MEAN] + EVEN:
            leader = i
    if leader != front:
        # Whoever looks better has to show it over as many samples.
        wanted[leader] = min(counts[front] - counts[leader], share * shares, budget)
        if wanted[leader]:
            return wanted
    now = counts.copy()
    total = now.sum()
    threshold = math.log((1 + math.log(total)) / DELTA)
    certain = True
    most = min(share * shares, budget)
    for _ in range(shares):
        lowest = np.inf
        challenger = -1
        for i in range(n):
            if i == front:
                continue
            rest = found[i, REST] if counts[i] >= share else max(found[i, REST], UNTRIED)
            gap = found[front, MEAN] - found[i, MEAN] + EVEN
            noise = rest / now[i] + (1 - found[i, SLOPE]) ** 2 * spread / now[front]
            cost = max(gap, 0.0) ** 2 / (2 * max(noise, 1e-12))
            if cost < threshold:
                certain = False
            if cost + math.log(now[i]) < lowest and now[i] < MOST:
                lowest = cost + math.log(now[i])
                challenger = i
        if certain or challenger < 0 or spent >= most:
            break
        size = min(share, most - spent)
        wanted[challenger] += size
        now[challenger] += size
        spent += size
        ahead = min(now[challenger] - now[front], budget - spent)
        if ahead > 0:
            wanted[front] += ahead
            now[front] += ahead
            spent += ahead
    return wanted


def next_round(
    outcomes: npt.NDArray[np.int32], counts: npt.NDArray[np.int64], share: int, shares: int, budget: int | None
) -> npt.NDArray[np.int64]:
    """The tasks of the next round, an array of (candidate, first sample, end), in pieces of at most ``share``.

    ``budget``: how many samples are left to spend.  Empty when there is nothing more to learn or to spend.
    """
    first = share if budget is None else min(share, max(LEAST, budget // (2 * len(counts))))
    wanted = _shares(outcomes[UTILITY], counts, share, shares, 1 << 62 if budget is None else max(budget, 0), first)
    tasks = []
    for candidate in np.flatnonzero(wanted):
        start = int(counts[candidate])
        end = start + int(wanted[candidate])
        tasks += [(candidate, at, min(at + share, end)) for at in range(start, end, share)]
    return np.array(tasks, np.int64).reshape(-1, 3)
