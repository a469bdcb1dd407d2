from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

def dice(seed: int, turn: int) -> tuple[int, int, int, int, int, int]: ...
def chance(seed: int, n: int) -> int: ...
def simple_games(
    players: Sequence[int | Literal["random"]], seed: int, games: int, finish_turn: bool = False
) -> tuple[npt.NDArray[np.int32], int]: ...
