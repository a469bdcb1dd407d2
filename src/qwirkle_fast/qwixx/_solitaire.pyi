from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

#: The places of the last marks, the numbers of marks, the closed rows as bits, and the penalties.
State = tuple[Sequence[int], Sequence[int], int, int]

def set_rules(needed: int, lock: int) -> None: ...
def schedule() -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16], list[int]]: ...
def empty() -> npt.NDArray[np.float64]: ...
def solve(
    values: npt.NDArray[np.float64],
    low: npt.NDArray[np.uint16],
    high: npt.NDArray[np.uint16],
    start: int,
    stop: int,
    finish_turn: bool,
) -> None: ...

class Solved:
    finish_turn: bool
    def __init__(self, values: npt.NDArray[np.float64], finish_turn: bool) -> None: ...
    def value(self, sheet: State) -> float: ...
    def choices(
        self, sheet: State, dice: Sequence[int], active: bool = True, after_first: int = 0
    ) -> list[tuple[int, int, int, float]]: ...
    def games(self, seed: int, games: int) -> npt.NDArray[np.int32]: ...
