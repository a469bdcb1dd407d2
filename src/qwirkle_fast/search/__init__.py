"""Which move is best: Monte Carlo over hidden hands, and exact endgames."""

from .advice import analyse, best_move, hints, require_known_hand, static_move, warm_up
from .hint import Hint, Reply
from .replies import with_replies

__all__ = [
    "Hint",
    "Reply",
    "analyse",
    "best_move",
    "hints",
    "require_known_hand",
    "static_move",
    "warm_up",
    "with_replies",
]
