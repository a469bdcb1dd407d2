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
#: Margins that the table knows, in standard deviations either way, and its entries for each of these.
REACH, STEPS = 8, 64
#: Parts of an entry.
PARTS = 1 << 20
#: Tiles in the game.
TILES = 108
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
    """How often another player halves the chance to win, in parts of 1/:data:`HALVING`, by the margin over that player
    in standard deviations; before that, by tiles left (0 to :data:`TILES`), how many entries, in 1/:data:`PARTS`,
    1/256 point of the margin is.

    How a margin changes until the end is taken as normal, its variance a line in the tiles left, which
    ``tools/outcomes.py`` measures.  The others do not win independently of each other: the chances to stay ahead of
    each are multiplied and raised to the power that makes all equal when nobody is ahead.
    """
    found = _found(game, players)
    power = log2(players) / (players - 1)
    spreads = [sqrt(found["base"] + found["slope"] * left) for left in range(TILES + 1)]
    ahead = [max(erfc((REACH - i / STEPS) / sqrt(2)) / 2, 1 / WIN_UNIT) for i in range(2 * REACH * STEPS + 1)]
    return np.array(
        [round(PARTS * STEPS / spread / UNIT) for spread in spreads]
        + [round(-power * log2(share) * HALVING) for share in ahead],
        np.int64,
    )


@compiled
def halvings(margin, left, table):
    """How often a player halves the chance to win with that margin over it (1/256 point) and so many tiles left."""
    at = margin * table[left] + REACH * STEPS * PARTS
    at = min(max(at, 0), 2 * REACH * STEPS * PARTS - 1)
    i = TILES + 1 + at // PARTS
    return table[i] + (table[i + 1] - table[i]) * (at % PARTS) // PARTS


def _make_chance():
    powers = _POWERS

    @compiled
    def chance(halved):
        """The chance to win, in 1/65536, once it is halved so often."""
        return powers[halved % HALVING] >> (halved // HALVING)

    return chance


chance = _make_chance()
