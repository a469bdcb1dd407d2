import numpy as np
import numpy.typing as npt

LAST_CORNER: int
LAST_CELL: int
LAST_SCORE: int
FEWEST_HANDS: int
MOST_HANDS: int

class Fault(Exception): ...

def read_position(
    text: str, copies: bytes
) -> tuple[list[tuple[int, int, int]], tuple[tuple[tuple[int, ...], int], ...], tuple[int, ...]]: ...
def write_board(cells: list[tuple[int, int, int]], flex: bool) -> str: ...
def texts(array: npt.NDArray[np.void], flex: bool) -> list[str]: ...
def ranked(array: npt.NDArray[np.void], flex: bool) -> list[tuple[str, int]]: ...
