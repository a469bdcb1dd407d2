"""A turn as single actions: which tile goes to which cell, one after another, then done.

Actions are whole numbers below :data:`ACTIONS`. :data:`DONE` ends the turn; ``EXCHANGE + slot`` puts a tile of the hand
aside for an exchange; ``PLACE + (row * SIDE + column) * 6 + slot`` lays one. A slot is a tile's place in the hand as it
was when the turn began, in code order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..move import Move
from ..notation import texts
from ..position import Position
from ..tiles import HAND_SIZE
from .arguments import whole

#: Rows and columns of a board as it is observed; cell (x, y) is row ``(y + SIDE // 2) % SIDE`` and column
#: ``(x + SIDE // 2) % SIDE``, so the opening lies in the middle.  A grid of 108 tiles spans at most 91 cells, 93 with
#: the cells beside it, so no two cells that matter ever meet there.
SIDE = 96

DONE = 0
EXCHANGE = 1
PLACE = EXCHANGE + HAND_SIZE
ACTIONS = PLACE + SIDE * SIDE * HAND_SIZE

#: The choice of :meth:`qwirkle_fast.rl.Batch.step` that passes.
PASS = -64


class Cell(NamedTuple):
    """What an action lays: the row, the column and the slot."""

    row: int
    column: int
    slot: int


def cell_of(action: int) -> Cell:
    """The parts of an action that lays a tile."""
    cell, slot = divmod(action - PLACE, HAND_SIZE)
    return Cell(*divmod(cell, SIDE), slot)


class Unfinished:
    """The turn of a position's player to move, whose hand is known, as far as it has come.

    Tiles may be laid in any order that can still become a legal placement; those to be exchanged are chosen in the
    order of the hand.  The move is the same as if it were made at once.
    """

    __slots__ = ("_bag", "_codes", "_flex", "_may_exchange", "_placements", "_rows", "actions", "hand")

    def __init__(self, position: Position) -> None:
        self.hand = sorted(position.hand)
        #: What was done in the turn.
        self.actions: tuple[int, ...] = ()
        self._codes = position.rules.tile_set.codes
        self._flex = position.rules.name == "flex"
        self._bag = position.bag
        # The placements that hold all that was laid, and the actions that each still needs, 0 elsewhere.
        self._placements = position.legal_moves.array
        self._rows = _actions(self._placements, self.hand)
        self._may_exchange = bool(self._bag) and position.is_legal(Move.exchange([self._codes[self.hand[0]]]))

    def copy(self) -> Unfinished:
        other = Unfinished.__new__(Unfinished)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def legal(self) -> npt.NDArray[np.int64]:
        """The legal actions, in order."""
        last = self.actions[-1] if self.actions else DONE
        actions: list[npt.NDArray[np.int64]] = []
        if last < PLACE:
            slots = [slot for slot in range(len(self.hand)) if self._may_choose(slot)]
            if self.actions or (not len(self._rows) and not self._bag):
                actions.append(np.array([DONE]))
            actions.append(np.array([EXCHANGE + slot for slot in slots], np.int64))
        if last == DONE or last >= PLACE:
            if self.actions and (self._rows == 0).all(axis=1).any():
                actions.append(np.array([DONE]))
            actions.append(np.unique(self._rows[self._rows > 0]))
        return np.concatenate(actions)

    def _may_choose(self, slot: int) -> bool:
        """May this slot be put aside next?  Of equal tiles the first goes first."""
        if not self._may_exchange or len(self.actions) == self._bag:
            return False
        if self.actions and slot + EXCHANGE <= self.actions[-1]:
            return False
        return slot == 0 or self.hand[slot - 1] != self.hand[slot] or slot - 1 + EXCHANGE in self.actions

    def apply(self, action: int) -> Move | None:
        """Do a legal action; the move, once the turn is done.  Raises ``ValueError`` when it is illegal."""
        action = whole("action", action, 0, ACTIONS - 1)
        if action not in self.legal():
            raise ValueError(f"action: {action}, expected a legal one")
        if action == DONE:
            return self._move()
        self.actions = (*self.actions, action)
        if action >= PLACE:
            kept = (self._rows == action).any(axis=1)
            self._placements = self._placements[kept]
            self._rows = np.where(self._rows[kept] == action, 0, self._rows[kept])
        return None

    def _move(self) -> Move:
        if not self.actions:
            return Move.skip()
        if self.actions[0] < PLACE:
            return Move.exchange([self._codes[self.hand[action - EXCHANGE]] for action in self.actions])
        done = self._placements[(self._rows == 0).all(axis=1)]
        return Move.trusted(texts(done[:1], self._flex)[0])

    def laid(self) -> list[tuple[int, int, int]]:
        """The tiles laid so far as (row, column, tile)."""
        cells = [cell_of(action) for action in self.actions if action >= PLACE]
        return [(row, column, self.hand[slot]) for row, column, slot in cells]

    @property
    def used(self) -> list[int]:
        """The slots of the tiles that were laid or put aside so far."""
        return [(action - PLACE) % HAND_SIZE if action >= PLACE else action - EXCHANGE for action in self.actions]


def _actions(placements: npt.NDArray[np.void], hand: list[int]) -> npt.NDArray[np.int64]:
    """The action of each tile of each placement, then 0: (placements, 6)."""
    slots = np.zeros(128, np.int64)
    for slot in reversed(range(len(hand))):
        slots[hand[slot] + 1] = slot
    step = np.arange(HAND_SIZE)
    down = placements["axis"].astype(np.int64)[:, None]
    x = placements["x"].astype(np.int64)[:, None] + step * (1 - down) + SIDE // 2
    y = placements["y"].astype(np.int64)[:, None] + step * down + SIDE // 2
    tiles = placements["tiles"]
    actions = PLACE + (y % SIDE * SIDE + x % SIDE) * HAND_SIZE + slots[tiles]
    return np.where(tiles > 0, actions, 0)
