"""Which move is best: Monte Carlo over hidden hands, and exact endgames."""

try:
    import numba  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"search: no Numba here ({error}), expected it to be installed; all but the search works without it",
        name="numba",
    ) from None

from .advice import analyse, best_move, hints, require_known_hand, static_move, warm_up
from .hint import Hint, Reply
from .judgement import Judgement, Total, review, review_json
from .replies import with_replies

__all__ = [
    "Hint",
    "Judgement",
    "Reply",
    "Total",
    "analyse",
    "best_move",
    "hints",
    "require_known_hand",
    "review",
    "review_json",
    "static_move",
    "warm_up",
    "with_replies",
]
