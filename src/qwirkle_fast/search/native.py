"""The core's C interface, callable from Numba.

The functions are registered with LLVM by name, so that code which Numba has cached finds them again in another process.
Code that calls them must hold :data:`ABI` in a closure: Numba then compiles it anew when the interface has changed.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as llvm
from numba import types

from .. import _core

ABI = _core.ABI_VERSION

_void, _int, _int32, _pointer = types.void, types.int64, types.int32, types.intp


def _function(name: str, result: Any, *arguments: Any) -> Any:
    capsule = vars(_core)["__pyx_capi__"][name]
    of_name = ctypes.pythonapi.PyCapsule_GetName
    of_name.restype, of_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    of_address = ctypes.pythonapi.PyCapsule_GetPointer
    of_address.restype, of_address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    symbol = f"qwirkle_fast_{name}"
    llvm.add_symbol(symbol, of_address(capsule, of_name(capsule)))
    return types.ExternalFunction(symbol, result(*arguments))


#: ``Board*`` and every other pointer is an ``intp``: see ``_core.pxd`` for what each means.
board_new = _function("board_new", _pointer, _int32, _int32, _int32)
board_free = _function("board_free", _void, _pointer)
board_place = _function("board_place", _void, _pointer, _int32, _int32, _int32)
board_take_back = _function("board_take_back", _void, _pointer)
board_lay = _function("board_lay", _void, _pointer, _pointer)
board_placements = _function("board_placements", _int, _pointer, _pointer, _pointer, _int)
board_best = _function("board_best", _int32, _pointer, _pointer, _pointer)
board_fits = _function("board_fits", _int32, _pointer, _pointer)
board_threats = _function("board_threats", _void, _pointer, _pointer, _pointer)
