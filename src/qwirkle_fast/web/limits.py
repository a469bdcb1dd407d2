"""What one request may ask for, and how much may wait."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """``body``: bytes of a request.  ``body_seconds``: how long they may take to arrive.  ``time``: seconds of thought.
    ``simulations``, ``top``: of one search.  ``turns``, ``review``: of a reviewed game, and seconds for all of it.
    ``qwixx_time``, ``qwixx_simulations``: of a search at the Qwixx table.
    ``waiting``: searches that may wait for a worker.  ``games``: those kept
    in memory; the one not touched for longest goes first."""

    body: int = 1 << 18
    body_seconds: float = 10.0
    time: float = 30.0
    simulations: int = 1_000_000
    top: int = 100
    turns: int = 1000
    review: float = 120.0
    qwixx_time: float = 5.0
    qwixx_simulations: int = 100_000
    waiting: int = 16
    games: int = 10_000
