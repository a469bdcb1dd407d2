"""Qwixx: sheets and dice, the rules in plain Python, the game of one player solved, and play at the table.

>>> from qwirkle_fast import qwixx
>>> sheet = qwixx.Sheet.parse("R2,3,5/Y-/G12,11/B-/P1")
>>> qwixx.score(sheet)
4
"""

from .game import Decision, Game
from .notation import Dice, Mark, NotationError, Row, Sheet, format_choice, parse_choice, parse_table
from .question import Question
from .reference import IllegalMark, score
from .rules import Rules
from .solitaire import Hint, Progress, Solitaire

__all__ = [
    "Decision",
    "Dice",
    "Game",
    "Hint",
    "IllegalMark",
    "Mark",
    "NotationError",
    "Progress",
    "Question",
    "Row",
    "Rules",
    "Sheet",
    "Solitaire",
    "format_choice",
    "parse_choice",
    "parse_table",
    "score",
]
