import numpy as np
import numpy.typing as npt

from ._solitaire import State

PARTS: int

def entries() -> list[int]: ...

class Walk:
    level: int
    def __init__(self, values: npt.NDArray[np.float64], finish_turn: bool, sheet: State) -> None: ...
    def step(self, level: int, part: int) -> None: ...
    def distribution(self) -> npt.NDArray[np.float64]: ...
