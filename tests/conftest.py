"""What all tests share.  Test modules may import the modules beside them, and those of ``tools``."""

from __future__ import annotations

import importlib.util
import signal
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]

# A shell's background job ignores Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _compiled_search() -> None:
    """Have Numba's cache filled, so that no test meets the first use, which is slow and says so."""
    if importlib.util.find_spec("numba"):
        from qwirkle_fast.search import warm_up

        warm_up()
