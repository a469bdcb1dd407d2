"""The fast player's outlooks: what a row still brings on the average.  ``tools/qwixx_outlook.py`` makes them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
import numpy as np
import numpy.typing as npt

FILE = "outlook.json"
#: Points of a number in the file.
UNIT = 0.05
#: No row or one is closed; stretches of the game, by the marks that the players have; places; numbers of marks.
SHAPE = (2, 10, 11, 12)


@cache
def outlook(players: int) -> npt.NDArray[np.float32]:
    """The outlook for a table of 2 to 5, flat."""
    tables = msgspec.json.decode(files(__package__).joinpath(FILE).read_bytes(), type=dict[str, list[int]])
    return (np.array(tables[str(players)]) * UNIT).astype(np.float32)
