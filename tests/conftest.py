"""What all tests share.  Test modules may import the modules beside them, and those of ``tools``."""

from __future__ import annotations

import importlib.util
import signal
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]
# Other processes find what is defined in a test under the name that pytest gives its module, wherever they run.
sys.path.append(str(HERE.parent))

# A shell's background job ignores Ctrl-C, and one under nohup a closed terminal; so would the commands that tests end.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


NUMBA = importlib.util.find_spec("numba") is not None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what needs the search where there is none."""
    if not NUMBA:
        for item in items:
            if item.get_closest_marker("search"):
                item.add_marker(pytest.mark.skip(reason="needs Numba"))


@pytest.fixture(scope="session", autouse=True)
def _compiled_search() -> None:
    """Have Numba's cache filled, so that no test meets the first use, which is slow and says so."""
    if NUMBA:
        from qwirkle_fast.search import warm_up

        warm_up()
