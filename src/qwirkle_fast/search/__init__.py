"""Which move is best: until the search exists, the one that scores most."""

from .hints import Hint, best_move, hints

__all__ = ["Hint", "best_move", "hints"]
