"""The core called from code that Numba has compiled, with no Python in between.

python examples/greedy_numba.py
python examples/greedy_numba.py "-1,-1:GtGvGdGc/RtRvRdRcRs GsOsPtPxRcBd/?6 12/20 classic" 5
"""

import ctypes
import sys

import numba
import numpy as np
from llvmlite import binding
from numba import types

import qwirkle_fast as qf
from qwirkle_fast import _core

MAX_TILES = 108  # a board holds no more

ABI = 2
if _core.ABI_VERSION != ABI:
    raise ImportError(f"written for ABI {ABI} of qwirkle_fast, found {_core.ABI_VERSION}")

api = ctypes.pythonapi
api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def core(name, signature):
    """A function of the core that compiled code can call."""
    capsule = _core.__pyx_capi__[name]
    symbol = f"qwirkle_fast_{name}"
    binding.add_symbol(symbol, api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule)))
    return types.ExternalFunction(symbol, signature)


pointer, i32 = types.intp, types.int32
board_new = core("board_new", pointer(i32, i32, i32))
board_free = core("board_free", types.void(pointer))
board_place = core("board_place", types.void(pointer, i32, i32, i32))
board_lay = core("board_lay", types.void(pointer, pointer))
board_best = core("board_best", i32(pointer, pointer, pointer))


@numba.njit(nogil=True)  # in a module of your own also cache=True
def points(cells, hand, turns, abi=ABI):
    """What so many turns with always the same hand bring, if each takes the most points it can."""
    best = np.empty(2, np.uint64)  # a placement: where and what
    board = board_new(0, 2, 1)  # classic
    if board == 0:
        raise MemoryError
    for i in range(len(cells)):
        board_place(board, cells[i, 0], cells[i, 1], cells[i, 2])
    total = 0
    for _ in range(min(turns, (MAX_TILES - len(cells)) // 6)):
        score = board_best(board, hand.ctypes.data, best.ctypes.data)
        if score < 0:
            break
        total += score
        board_lay(board, best.ctypes.data)
    board_free(board)
    return total


def main(text="RvRdRc BcBsRsPsYtOx/?6 0/3 classic", turns="3"):
    position = qf.Position(text)
    if position.rules.name != "classic":
        raise ValueError(f"rules: {position.rules.name}, expected classic")
    if not (turns.isdecimal() and int(turns) < 1000):
        raise ValueError(f"turns: {turns}, expected a number below 1000")
    cells = np.array(position.cells, np.int32).reshape(-1, 3)
    hand = np.zeros(3, np.uint64)
    for tile in position.hand:
        hand[0] |= np.uint64(1 << tile)
    print(points(cells, hand, int(turns)))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except ValueError as error:
        sys.exit(str(error))
