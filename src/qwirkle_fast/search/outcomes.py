"""The chance to win from a margin and the tiles that are left."""

from __future__ import annotations

from functools import cache
from math import erf, sqrt

import numpy as np
import numpy.typing as npt

from .evaluate import UNIT
from .rollouts import WIN_UNIT

STEPS = 150


@cache
def win_table(game: str, players: int) -> npt.NDArray[np.int64]:
    """By tiles left (0 to 108): the step in 1/256 point, then the chance in 1/65536 at 0, 1, 2 ... steps."""
    table = np.empty((109, STEPS + 1), np.int64)
    for left in range(109):
        spread = sqrt(30 + 9 * left)
        table[left, 0] = UNIT
        table[left, 1:] = [round(WIN_UNIT * (0.5 + erf(i / spread / sqrt(2)) / 2)) for i in range(STEPS)]
    return table
