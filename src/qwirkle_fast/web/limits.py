"""What one request may ask for, and how much may wait."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """``body``: bytes of a request.  ``body_seconds``: how long they may take to arrive.  ``time``: seconds of thought.
    ``simulations``, ``top``: of one search.  ``waiting``: searches that may wait for a worker.  ``games``: those kept
    in memory; the one not touched for longest goes first."""

    body: int = 1 << 18
    body_seconds: float = 10.0
    time: float = 30.0
    simulations: int = 1_000_000
    top: int = 100
    waiting: int = 16
    games: int = 10_000
