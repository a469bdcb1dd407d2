"""qwirkle_fast: move search, scoring and simulation for Qwirkle and Qwirkle Flex, with a native core.

>>> import qwirkle_fast as qf
>>> position = qf.Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic")
>>> str(position.legal_moves.best())
'Bs@-1,-1+Rs@-1,0+Ps@-1,1'
"""

from typing import TYPE_CHECKING

from .game import Game, GameError, Turn
from .move import PLACEMENT, Move
from .notation import NotationError
from .position import IllegalMove, LegalMoves, Position, PositionError
from .rules import Rules, RulesError

if TYPE_CHECKING:
    from .search import Hint, analyse, best_move, hints

__all__ = [
    "PLACEMENT",
    "Game",
    "GameError",
    "Hint",
    "IllegalMove",
    "LegalMoves",
    "Move",
    "NotationError",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "Turn",
    "analyse",
    "best_move",
    "hints",
]


def __getattr__(name: str) -> object:
    # The search needs Numba, which takes longer to import than all the rest: it is imported when it is asked for.
    if name in ("Hint", "analyse", "best_move", "hints"):
        from . import search

        return getattr(search, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
