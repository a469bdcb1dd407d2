"""Qwirkle for reinforcement learning: a PettingZoo environment, states as OpenSpiel has them, and batches of games.

``environment`` needs the extra ``rl``; the others do not.
"""

from ._batch import ENDS, Batch
from .actions import ACTIONS, DONE, EXCHANGE, PASS, PLACE, SIDE
from .history import ResamplingFailed
from .state import CHANCE, TERMINAL, State

__all__ = [
    "ACTIONS",
    "CHANCE",
    "DONE",
    "ENDS",
    "EXCHANGE",
    "PASS",
    "PLACE",
    "SIDE",
    "TERMINAL",
    "Batch",
    "ResamplingFailed",
    "State",
]
