"""The chance to win from a margin and the tiles that are left."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from math import erf, sqrt

import numpy as np
import numpy.typing as npt

from .evaluate import UNIT
from .rollouts import WIN_UNIT

VERSION = 1
STEPS = 150


def _found(game: str, players: int) -> dict[str, float]:
    data = json.loads(files(__package__).joinpath("outcomes.json").read_text(encoding="utf-8"))
    if data["version"] != VERSION:
        raise RuntimeError(f"outcomes.json: version {data['version']}, expected {VERSION}")
    found: dict[str, float] = data[game][str(players)]
    return found


@cache
def win_table(game: str, players: int) -> npt.NDArray[np.int64]:
    """By tiles left (0 to 108): the step in 1/256 point, then the chance in 1/65536 at 0, 1, 2 ... steps of margin.

    How the margin changes until the end is taken as normal, its variance a line in the tiles left, which
    ``tools/outcomes.py`` measures.
    """
    found = _found(game, players)
    table = np.empty((109, STEPS + 1), np.int64)
    for left in range(109):
        spread = sqrt(found["base"] + found["slope"] * left)
        table[left, 0] = UNIT
        table[left, 1:] = [round(WIN_UNIT * (0.5 + erf(i / spread / sqrt(2)) / 2)) for i in range(STEPS)]
    return table
