from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

#: A player of native code; a number is the most that a ``skip`` player skips.
Native = int | Literal["random", "fast"]
#: The places of the last marks, the numbers of marks with the lock, and the penalties.
State = tuple[Sequence[int], Sequence[int], int]

def games(
    players: Sequence[Native],
    seed: int,
    games: int,
    *,
    finish_turn: bool = False,
    outlook: npt.NDArray[np.float32] | None = None,
) -> tuple[npt.NDArray[np.int32], int]: ...
def outlook_games(
    players: Sequence[Native],
    seed: int,
    games: int,
    outlook: npt.NDArray[np.float32],
    daring: float,
    sums: npt.NDArray[np.float64],
    counts: npt.NDArray[np.int64],
) -> list[float]: ...

class Rollouts:
    sums: npt.NDArray[np.int64]
    def __init__(
        self,
        sheets: Sequence[State],
        closed: int,
        active: int,
        seat: int,
        dice: Sequence[int],
        choices: Sequence[tuple[int, int, int]],
        outlook: npt.NDArray[np.float32],
        *,
        first_done: bool,
        marked: bool,
        finish_turn: bool,
    ) -> None: ...
    def worths(self) -> list[float]: ...
    def play(self, wanted: Sequence[int], seed: int, start: int, stop: int) -> None: ...
