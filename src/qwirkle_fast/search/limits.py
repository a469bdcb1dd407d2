"""A limit of time and a caller's stop, for solvers at work in other threads."""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from threading import Event, Thread

from ._endgame import Solver


class Watch:
    """Stops solvers when their time is over or the caller says so."""

    def __init__(self, solvers: Sequence[Solver], seconds: float | None, stop: Event | None) -> None:
        self._solvers = solvers
        self._end = None if seconds is None else clock.perf_counter() + seconds
        self._stop = stop
        self._done = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.002):
            late = self._end is not None and clock.perf_counter() >= self._end
            if late or (self._stop is not None and self._stop.is_set()):
                for solver in self._solvers:
                    solver.stop()
                return
