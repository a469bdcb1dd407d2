"""A move as a small value, and the record that holds a placement in an array."""

from __future__ import annotations

from collections.abc import Iterable
from functools import total_ordering
from operator import index
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from .notation import MoveFields, NotationError, format_move, parse_move
from .tiles import TileSet

#: One placement as a record.
#:
#: ``x``, ``y``: its first cell.  ``axis``: 0 when it runs to the right, as a lone tile does, 1 when it runs down.
#: ``tiles[i]``: 1 + the tile laid on the i-th cell from there along the axis, 0 where none is.  ``score``: its points.
PLACEMENT = np.dtype([("x", "<i4"), ("y", "<i4"), ("tiles", "u1", (6,)), ("score", "u1"), ("axis", "u1")])


@total_ordering
class Move:
    """A placement, an exchange or a pass: an immutable value around its text.

    Moves are equal when their texts are, and are ordered as their texts.  Whether a move is legal depends on the
    position and is not looked at here.  Raises :class:`~qwirkle_fast.notation.NotationError`.

    >>> move = Move("Bx@4,1+Rx@4,0")
    >>> move
    Move('Rx@4,0+Bx@4,1')
    >>> str(move), move.placed, move == Move.place([(4, 1, "Bx"), (4, 0, "Rx")])
    ('Rx@4,0+Bx@4,1', ((4, 0, 'Rx'), (4, 1, 'Bx')), True)
    >>> Move.exchange(["Bc", "Rs"]), Move.skip()
    (Move('-RsBc'), Move('-'))
    """

    __slots__ = ("_fields", "_text")

    _fields: MoveFields | None
    _text: str

    def __init__(self, text: str) -> None:
        self._fields = parse_move(text)
        self._text = format_move(self._fields)

    @classmethod
    def trusted(cls, text: str) -> Move:
        """The move of a text that is known to be canonical: nothing is checked."""
        move = cls.__new__(cls)
        move._fields = None
        move._text = text
        return move

    @classmethod
    def place(cls, tiles: Iterable[tuple[SupportsIndex, SupportsIndex, str]]) -> Move:
        """The placement of these (x, y, tile code), in any order."""
        try:
            placed = tuple([(index(x), index(y), code) for x, y, code in tiles])
        except (TypeError, ValueError):
            raise NotationError("move: a placed tile is in another form, expected (x, y, tile code)") from None
        if not placed:
            raise NotationError("move: no tile is placed, expected 1 to 6")
        return cls.trusted(format_move(MoveFields(placed, (), 0)))

    @classmethod
    def exchange(cls, codes: Iterable[str], hidden: int = 0) -> Move:
        """The exchange of these tiles, and of as many that are not known."""
        try:
            exchanged = tuple(codes)
        except TypeError:
            raise NotationError("move: the exchanged tiles are no list, expected a list of tile codes") from None
        if not exchanged and hidden == 0:
            raise NotationError("move: no tile is exchanged, expected 1 to 6")
        return cls.trusted(format_move(MoveFields((), exchanged, hidden)))

    @classmethod
    def skip(cls) -> Move:
        """The pass."""
        return cls.trusted("-")

    @property
    def fields(self) -> MoveFields:
        """What the text says."""
        if self._fields is None:
            self._fields = parse_move(self._text)
        return self._fields

    @property
    def placed(self) -> tuple[tuple[int, int, str], ...]:
        """The placed tiles (x, y, tile code), by y, then x; none unless this is a placement."""
        return self.fields.placed

    @property
    def exchanged(self) -> tuple[str, ...]:
        """The codes of the exchanged tiles that are known, in code order."""
        return self.fields.exchanged

    @property
    def hidden(self) -> int:
        """How many exchanged tiles are not known."""
        return self.fields.hidden

    @property
    def is_placement(self) -> bool:
        return not self._text.startswith("-")

    @property
    def is_exchange(self) -> bool:
        return self._text.startswith("-") and not self.is_pass

    @property
    def is_pass(self) -> bool:
        return self._text == "-"

    def array(self, tile_set: TileSet, score: int) -> npt.NDArray[np.void]:
        """A legal placement and its points as an array of one :data:`PLACEMENT`, which owns its memory."""
        record = np.zeros(1, PLACEMENT)
        (left, top, _), *others = self.placed
        axis = int(bool(others) and others[0][0] == left)
        record["x"], record["y"], record["axis"], record["score"] = left, top, axis, score
        for x, y, code in self.placed:
            record["tiles"][0, x - left + y - top] = 1 + tile_set.tile(code)
        return record

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Move({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Move) else NotImplemented

    def __lt__(self, other: Move) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self._text < other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __copy__(self) -> Move:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Move:
        return self

    def __reduce__(self) -> tuple[type[Move], tuple[str]]:
        return Move, (self._text,)
