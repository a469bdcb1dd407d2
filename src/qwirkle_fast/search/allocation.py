"""Which candidates get the next samples: best-arm identification by a top-two rule.

Shares go in turn to the leader and to the challenger that is hardest to tell from it, by the transportation cost of
Gaussian arms with a penalty for arms that have had many samples: the rule TTTCI of Shang, de Heide, Kaufmann, Ménard
and Valko, "Fixed-confidence guarantees for Bayesian best-arm identification", 2020; see also Jourdan, Degenne, Baudry,
de Heide and Kaufmann, "Top two algorithms revisited", 2022.  The search may stop by the threshold of Garivier and
Kaufmann, "Optimal best arm identification with fixed confidence", 2016, in its stylised form log((1 + log n) / delta).

The mean of an arm whose samples depend on how it looked is biased, mostly downwards for those given up early; the
standard error stated with a hint is that of its samples taken as if their number had been fixed beforehand.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from .native import compiled
from .rollouts import COUNT, UTILITY, UTILITY_SQUARED, WIN_UNIT

#: Samples that a candidate gets at first at least, if it gets any.
LEAST = 4
#: The chance of a wrong answer that the stopping rule accepts.
DELTA = 0.01


@compiled
def _cost(means, spreads, counts, leader, other):
    """How strongly the samples say that the leader beats the other."""
    gap = means[leader] - means[other]
    if gap <= 0:
        return 0.0
    noise = spreads[leader] / counts[leader] + spreads[other] / counts[other]
    return gap * gap / (2 * max(noise, 1e-12))


@compiled
def _shares(sums, share, shares, budget, first):
    """Samples for each candidate in the next round; none at all when the best is all but certain."""
    n = len(sums)
    wanted = np.zeros(n, np.int64)
    spent = 0
    for i in range(n):
        if sums[i, COUNT] < first and spent < budget:
            wanted[i] = min(first - sums[i, COUNT], budget - spent)
            spent += wanted[i]
    if spent or n == 1 or budget <= 0:
        return wanted
    counts = np.empty(n)
    means = np.empty(n)
    spreads = np.empty(n)
    total = 0.0
    for i in range(n):
        counts[i] = sums[i, COUNT]
        total += counts[i]
        means[i] = sums[i, UTILITY] / counts[i] / WIN_UNIT
        spreads[i] = max(sums[i, UTILITY_SQUARED] / counts[i] / WIN_UNIT / WIN_UNIT - means[i] * means[i], 1e-6)
        if counts[i] < share:
            # So few say little about their own spread.
            spreads[i] = max(spreads[i], 0.02)
    leader = 0
    for i in range(1, n):
        if means[i] > means[leader]:
            leader = i
    threshold = math.log((1 + math.log(total)) / DELTA)
    certain = True
    for i in range(n):
        if i != leader and _cost(means, spreads, counts, leader, i) < threshold:
            certain = False
    if certain:
        return wanted
    for turn in range(shares):
        if spent >= budget:
            break
        chosen = leader
        if turn % 2:
            lowest = np.inf
            for i in range(n):
                if i != leader:
                    cost = _cost(means, spreads, counts, leader, i) + math.log(counts[i])
                    if cost < lowest:
                        lowest = cost
                        chosen = i
        size = min(share, budget - spent)
        wanted[chosen] += size
        counts[chosen] += size
        spent += size
    return wanted


def next_round(sums: npt.NDArray[np.int64], share: int, shares: int, budget: int | None) -> npt.NDArray[np.int64]:
    """The tasks of the next round, an array of (candidate, first sample, end), in pieces of at most ``share``.

    ``budget``: how many samples are left to spend.  Empty when there is nothing more to learn or to spend.
    """
    first = share if budget is None else min(share, max(LEAST, budget // (2 * len(sums))))
    wanted = _shares(sums, share, shares, 1 << 62 if budget is None else max(budget, 0), first)
    tasks = []
    for candidate in np.flatnonzero(wanted):
        start = int(sums[candidate, COUNT])
        end = start + int(wanted[candidate])
        tasks += [(candidate, at, min(at + share, end)) for at in range(start, end, share)]
    return np.array(tasks, np.int64).reshape(-1, 3)
