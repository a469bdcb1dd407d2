"""One scale for many players: Elo ratings that explain best how they did against each other."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .statistics import POINT, Interval

Numbers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

#: Every player is taken to have drawn this many blocks with a player rated 0, so that nobody's rating is infinite.
PRIOR = 0.5

_SCALE = math.log(10) / 400


class Rating(NamedTuple):
    """A player's rating, with its 95 % interval; the mean of all players is 0.  ``score``: the mean result against the
    others, by ``blocks``."""

    player: str
    elo: float
    elo_interval: Interval
    score: float
    blocks: int


def rate(names: Sequence[str], results: Sequence[tuple[int, int, int, float]]) -> list[Rating]:
    """Ratings from results (block, player, other player, the player's result from 0 to 1), the best first.

    The model is Bradley and Terry's, fitted by likelihood (with :data:`PRIOR`).  The games of a block come from one
    deal, whoever plays them, so the errors are those of a sandwich with blocks as its clusters.
    """
    n = len(names)
    blocks = np.array([result[0] for result in results], np.int64)
    one = np.array([result[1] for result in results], np.int64)
    other = np.array([result[2] for result in results], np.int64)
    score = np.array([result[3] for result in results], np.float64)
    elo = np.zeros(n)
    for _ in range(100):
        expected = 1 / (1 + 10 ** ((elo[other] - elo[one]) / 400))
        weight = expected * (1 - expected)
        own = 1 / (1 + 10 ** (-elo / 400))
        gradient = PRIOR * (0.5 - own)
        np.add.at(gradient, one, score - expected)
        np.add.at(gradient, other, expected - score)
        information = np.diag(PRIOR * own * (1 - own))
        for i, j, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
            np.add.at(information, (i, j), sign * weight)
        step = np.clip(np.linalg.solve(information, gradient) / _SCALE, -200, 200)
        elo += step
        if np.abs(step).max() < 1e-6:
            break
    errors = _errors(information, blocks, one, other, score - expected)
    # No more is known than the last step; who is level has 0, and not something near it.
    elo = np.round(elo - elo.mean(), 6) + 0.0
    points: defaultdict[int, list[float]] = defaultdict(list)
    for _, first, second, result in results:
        points[first].append(result)
        points[second].append(1 - result)
    found = [
        Rating(name, float(elo[i]), _interval(float(elo[i]), float(errors[i])), _mean(points[i]), len(points[i]))
        for i, name in enumerate(names)
    ]
    return sorted(found, key=lambda rating: -rating.elo)


def _errors(information: Reals, blocks: Numbers, one: Numbers, other: Numbers, residual: Reals) -> Reals:
    """The standard errors of the ratings about their mean, in Elo."""
    n = len(information)
    inverse = np.linalg.inv(information)
    number, cluster = np.unique(blocks, return_inverse=True)
    parts = np.zeros((len(number), n))
    np.add.at(parts, (cluster, one), residual)
    np.add.at(parts, (cluster, other), -residual)
    centre = np.eye(n) - 1 / n
    sandwich = centre @ inverse @ (parts.T @ parts) @ inverse @ centre.T
    # Of a player whose results were all alike the sandwich knows no error; the model does.
    empirical, model = np.diag(sandwich), np.diag(centre @ inverse @ centre.T)
    errors: Reals = np.sqrt(np.where(empirical < model / 10, model, empirical)) / _SCALE
    return errors


def _interval(elo: float, error: float) -> Interval:
    return elo - POINT * error, elo + POINT * error


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.5
