"""What a seat sees, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..position import Position
from ..tiles import HAND_SIZE
from .actions import ACTIONS, SIDE, Unfinished

Observation = dict[str, npt.NDArray[Any]]


def observed(position: Position, index: int, turn: Unfinished | None) -> Observation:
    """A position seen by the player of this index in turn order, whose hand alone is looked at.

    ``turn``: the unfinished turn, when that player is the one to move.  The arrays:

    - ``observation``: (SIDE, SIDE, 2), uint8: 1 + the tile on each cell, 0 where none lies; 1 where it was laid in the
      unfinished turn.
    - ``hand``: (6,), uint8: 1 + the tile of each slot as the turn began, 0 where there is none.
    - ``used``: (6,), int8: 1 where the slot's tile was laid or put aside in the unfinished turn.
    - ``unseen``: (tiles,), uint8: how many of each tile are in the bag or with others.
    - ``scores``: (players,), int16, and ``hand_sizes``: (players,), int8: from this player on, in turn order.
    - ``bag``: (1,), uint8: how many tiles it holds.
    - ``action_mask``: (ACTIONS,), int8: 1 for each legal action; all 0 unless this player is the one to move.
    """
    hands = position.hands
    order = [(index + i) % position.players for i in range(position.players)]
    hand = sorted(hands[index][0])
    board = np.zeros((SIDE, SIDE, 2), np.uint8)
    for x, y, tile in position.cells:
        board[(y + SIDE // 2) % SIDE, (x + SIDE // 2) % SIDE, 0] = tile + 1
    unseen = np.array(position.unplaced, np.uint8)
    slots = np.zeros(HAND_SIZE, np.uint8)
    for slot, tile in enumerate(hand):
        slots[slot] = tile + 1
        unseen[tile] -= 1
    used = np.zeros(HAND_SIZE, np.int8)
    mask = np.zeros(ACTIONS, np.int8)
    if turn:
        mask[turn.legal()] = 1
        used[turn.used] = 1
        for row, column, tile in turn.laid():
            board[row, column] = tile + 1, 1
    return {
        "observation": board,
        "hand": slots,
        "used": used,
        "unseen": unseen,
        "scores": np.array([position.scores[i] for i in order], np.int16),
        "hand_sizes": np.array([len(hands[i][0]) + hands[i][1] for i in order], np.int8),
        "bag": np.array([position.bag], np.uint8),
        "action_mask": mask,
    }


def returns_of(scores: tuple[int, ...]) -> list[float]:
    """What each seat gets at the end, in all 0: with two players 1 for a win, -1 for a loss, 0 for a draw.

    With more, a winner's share is set against the mean share and scaled so that winning alone is 1.
    """
    players = len(scores)
    winners = [score == max(scores) for score in scores]
    return [(players * won / sum(winners) - 1) / (players - 1) for won in winners]
