"""The core's C interface, callable from Numba.

The functions are registered with LLVM by name, so that code which Numba has cached finds them again in another process.
Code that calls them must hold :data:`ABI` in a closure: Numba then compiles it anew when the interface has changed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from threading import Event
from typing import Any

import llvmlite.binding as llvm
from numba import njit, types

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


#: Set once anything had to be compiled, instead of loaded.
compiling = Event()


class _Forgiving:
    """A Numba cache that is done without when it cannot be read or written: damaged files, a full disk."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, *arguments: Any) -> Any:
        try:
            found = self._cache.load_overload(*arguments)
        except Exception:
            # What is there is of no use: begin anew.
            self._try(self._cache.flush)
            found = None
        if found is None:
            compiling.set()
        return found

    def save_overload(self, *arguments: Any) -> None:
        self._try(self._cache.save_overload, *arguments)

    @staticmethod
    def _try(action: Callable[..., Any], *arguments: Any) -> None:
        try:
            action(*arguments)
        except Exception:
            return


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function with Numba, without the GIL, and keep it for other processes where that is possible.

    What is compiled so copies arrays by loops and sorts by hand: NumPy's own ways bring so much code along, such as
    that for the text of errors, that they take seconds to compile.
    """
    try:
        dispatcher: Any = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        # No folder can be written to: neither the package's own nor one of the user's.
        return njit(nogil=True)(function)
    dispatcher._cache = _Forgiving(dispatcher._cache)
    return dispatcher
