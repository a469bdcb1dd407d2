"""qwirkle_fast: move search, scoring and simulation for Qwirkle, Qwirkle Flex and Qwixx, with a native core.

>>> import qwirkle_fast as qf
>>> position = qf.Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic")
>>> str(position.legal_moves.best())
'Bs@-1,-1+Rs@-1,0+Ps@-1,1'
"""

from .game import Game, GameError, Turn
from .move import PLACEMENT, Move
from .notation import NotationError
from .position import IllegalMove, LegalMoves, Position, PositionError
from .rules import Rules, RulesError

__all__ = [
    "PLACEMENT",
    "Game",
    "GameError",
    "IllegalMove",
    "LegalMoves",
    "Move",
    "NotationError",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "Turn",
]
