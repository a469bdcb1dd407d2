"""The chance to win from the margins over the others and the tiles that are left."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from math import erfc, log2, sqrt

import numpy as np
import numpy.typing as npt

from .evaluate import UNIT
from .native import compiled

VERSION = 2
#: A chance of one.
WIN_UNIT = 1 << 16
#: Margins that the table knows, points either way.
REACH = 160
#: Halvings of a chance are counted in this part of one.
HALVING = 1 << 12
#: 2 to the power of minus so many parts, times :data:`WIN_UNIT`.
_POWERS = np.array([round(WIN_UNIT * 2 ** (-part / HALVING)) for part in range(HALVING)], np.int64)


def _found(game: str, players: int) -> dict[str, float]:
    data = json.loads(files(__package__).joinpath("outcomes.json").read_text(encoding="utf-8"))
    if data["version"] != VERSION:
        raise RuntimeError(f"outcomes.json: version {data['version']}, expected {VERSION}")
    found: dict[str, float] = data[game][str(players)]
    return found


@cache
def win_table(game: str, players: int) -> npt.NDArray[np.int64]:
    """By tiles left (0 to 108) and the margin over one of the others (from -:data:`REACH` points to as many): how often
    the chance to win is halved by that player, in parts of 1/:data:`HALVING`.

    How a margin changes until the end is taken as normal, its variance a line in the tiles left, which
    ``tools/outcomes.py`` measures.  The others do not win independently of each other: the chances to stay ahead of
    each are multiplied and raised to the power that makes all equal when nobody is ahead.
    """
    found = _found(game, players)
    power = log2(players) / (players - 1)
    table = np.empty((109, 2 * REACH + 1), np.int64)
    for left in range(109):
        spread = sqrt(found["base"] + found["slope"] * left)
        for i in range(2 * REACH + 1):
            ahead = max(erfc((REACH - i) / spread / sqrt(2)) / 2, 2.0**-16)
            table[left, i] = round(-power * log2(ahead) * HALVING)
    return table


@compiled
def halvings(margin, left, table):
    """How often a player halves the chance to win with that margin over it (1/256 point) and so many tiles left."""
    at = min(max(margin + REACH * UNIT, 0), 2 * REACH * UNIT - 1)
    i = at // UNIT
    return table[left, i] + (table[left, i + 1] - table[left, i]) * (at - i * UNIT) // UNIT


def _make_chance():
    powers = _POWERS

    @compiled
    def chance(halved):
        """The chance to win, in 1/65536, once it is halved so often."""
        return powers[halved % HALVING] >> (halved // HALVING)

    return chance


chance = _make_chance()
