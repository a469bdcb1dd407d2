"""What all tests share."""

from __future__ import annotations

import importlib.util

import pytest


@pytest.fixture(scope="session", autouse=True)
def _compiled_search() -> None:
    """Have Numba's cache filled, so that no test meets the first use, which is slow and says so."""
    if importlib.util.find_spec("numba"):
        from qwirkle_fast.search import warm_up

        warm_up()
