"""What a Qwixx set is, and the rules' only option."""

from __future__ import annotations

from dataclasses import dataclass

#: The rows in their order: red, yellow, green, blue.
COLOURS = "RYGB"
ROWS = len(COLOURS)
#: Cells of a row; its numbers in their own order are 2 to 12 in red and yellow, 12 to 2 in green and blue.
CELLS = 11
NUMBERS = (tuple(range(2, 13)),) * 2 + (tuple(range(12, 1, -1)),) * 2
#: Marks that a row needs before its last number.
NEEDED = 5
FACES = 6
MAX_PLAYERS = 5
#: Penalties that end the game, and what each costs.
MAX_PENALTIES = 4
PENALTY = 5
#: Locked rows that end the game.
MAX_CLOSED = 2


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules' options.

    ``finish_turn``: is action 2 still played, and the penalty taken, when the second row locks in action 1?
    """

    finish_turn: bool = False
