"""A position, as one player sees it: the board, the hands as far as they are known, the scores and the rules."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Protocol

import numpy as np
import numpy.typing as npt

from . import _core, reference
from .move import Move
from .notation import (
    Fields,
    NotationError,
    format_position,
    parse_position,
    position_from_json,
    position_to_json,
    ranked,
)
from .rules import Rules
from .tiles import HAND_SIZE

#: What the player who goes out gets.
OUT_BONUS = 6


class PositionError(NotationError):
    """A position that breaks a rule, or a question that it cannot answer because too much of it is hidden."""


class IllegalMove(ValueError):
    """A move that the rules forbid in this position; the message says why."""


class Grid(Protocol):
    """What a position asks of its board: the native :class:`qwirkle_fast._core.Grid` or the plain one of the
    reference."""

    def __init__(self, rules: Rules) -> None: ...
    def load(self, cells: Sequence[tuple[int, int, int]]) -> bool: ...
    def place(self, x: int, y: int, tile: int) -> None: ...
    def take_back(self) -> None: ...
    def copy(self) -> Grid: ...
    @property
    def cells(self) -> list[tuple[int, int, int]]: ...
    def __len__(self) -> int: ...
    @property
    def hash(self) -> int: ...
    def placements(self, hand: Sequence[int]) -> npt.NDArray[np.void]: ...
    def count(self, hand: Sequence[int]) -> int: ...
    def top(self, hand: Sequence[int], wanted: int) -> npt.NDArray[np.void]: ...
    def score(self, placed: Sequence[tuple[int, int, int]]) -> int | None: ...
    def fits(self, tiles: Sequence[int]) -> bool: ...


Hand = tuple[tuple[int, ...], int]


class Position:
    """What one player sees.  The player to move is the first of the hands and of the scores.

    ``Position(text)`` reads the one-line form and raises :class:`NotationError`, or :class:`PositionError` when the
    board breaks the rules.  ``grid`` chooses who answers: the native core, or ``qwirkle_fast.reference.Grid``.

    >>> position = Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic")
    >>> len(position.legal_moves), position.score(Move("Rs@3,0"))
    (48, 4)
    >>> position.push(Move("Rs@3,0+Bs@3,1+Ps@3,2")); str(position)
    'RvRdRcRs/3Bs/3Ps ?6/BcYtOx?3 3/7 classic'
    >>> position.pop(); str(position)
    Move('Rs@3,0+Bs@3,1+Ps@3,2')
    'RvRdRc BcBsRsPsYtOx/?6 0/3 classic'
    """

    __slots__ = ("_before", "_grid", "_hands", "_past", "_rules", "_scores")

    def __init__(self, text: str, *, grid: type[Grid] = _core.Grid) -> None:
        self._set(parse_position(text), grid)

    def _set(self, fields: Fields, grid: type[Grid]) -> None:
        cells, self._hands, self._scores, self._rules = fields
        self._before: tuple[Move, ...] = ()
        self._past: list[tuple[Move, int, tuple[Hand, ...], tuple[int, ...]]] = []
        self._grid: Grid = grid(self._rules)
        if not self._grid.load(cells):
            raise PositionError(_board_fault(fields))

    @classmethod
    def from_fields(cls, fields: Fields, *, grid: type[Grid] = _core.Grid) -> Position:
        """A position from its parts, which are taken to be in form (see :mod:`qwirkle_fast.notation`)."""
        position = cls.__new__(cls)
        position._set(fields, grid)
        return position

    @classmethod
    def from_json(cls, value: object, *, grid: type[Grid] = _core.Grid) -> Position:
        """A position from its JSON object form, already decoded."""
        return cls.from_fields(position_from_json(value), grid=grid)

    @classmethod
    def from_position(cls, other: Position, hands: tuple[Hand, ...], history: Iterable[Move] = ()) -> Position:
        """Another position with more or fewer of its tiles hidden, no moves to take back, and this history."""
        position = cls.__new__(cls)
        position._rules, position._scores, position._hands = other._rules, other._scores, hands
        position._before = tuple(history)
        position._past = []
        position._grid = other._grid.copy()
        return position

    def to_json(self) -> dict[str, object]:
        """The JSON object form, to be encoded."""
        return position_to_json(self._fields())

    def _fields(self) -> Fields:
        return Fields(sorted(self._grid.cells, key=_reading_order), self._hands, self._scores, self._rules)

    def __str__(self) -> str:
        return format_position(self._fields())

    def __repr__(self) -> str:
        return f"Position({str(self)!r})"

    def _repr_svg_(self) -> str:
        from .drawing import board_svg

        placed = self._past[-1][0].placed if self._past else ()
        return board_svg(
            self._grid.cells, self._rules.tile_set, hands=self._hands, highlight=[(x, y) for x, y, _ in placed]
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self is other or (self._key() == other._key() and set(self._grid.cells) == set(other._grid.cells))

    def _key(self) -> tuple[object, ...]:
        return self._grid.hash, self._hands, self._scores, self._rules

    def __hash__(self) -> int:
        return hash(self._key())

    def copy(self) -> Position:
        """An independent position with the same past."""
        other = Position.__new__(Position)
        other._rules, other._hands, other._scores = self._rules, self._hands, self._scores
        other._before, other._past = self._before, self._past.copy()
        other._grid = self._grid.copy()
        return other

    __copy__ = copy

    # -- what is there

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def players(self) -> int:
        return len(self._hands)

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves that led here as far as they are known, the last one last.  No part of what the position is: not in
        its text, and equal positions may differ in it."""
        return self._before + tuple(move for move, *_ in self._past)

    @property
    def scores(self) -> tuple[int, ...]:
        """In turn order, the player to move first."""
        return self._scores

    @property
    def hands(self) -> tuple[Hand, ...]:
        """Per player the known tiles (see :mod:`qwirkle_fast.tiles`) and how many more are hidden."""
        return self._hands

    @property
    def board(self) -> dict[tuple[int, int], str]:
        """The tile codes by (x, y)."""
        codes = self._rules.tile_set.codes
        return {(x, y): codes[tile] for x, y, tile in self._grid.cells}

    @property
    def cells(self) -> list[tuple[int, int, int]]:
        """Every tile on the board as (x, y, tile), in no order."""
        return self._grid.cells

    @property
    def unplaced(self) -> list[int]:
        """How many of each tile, in code order, are in hands or the bag."""
        left = list(self._rules.copies)
        for _, _, tile in self._grid.cells:
            left[tile] -= 1
        return left

    @property
    def unseen(self) -> list[int]:
        """How many of each tile, in code order, are in the bag or hidden in hands."""
        left = self.unplaced
        for tiles, _ in self._hands:
            for tile in tiles:
                left[tile] -= 1
        return left

    @property
    def bag(self) -> int:
        """How many tiles the bag holds."""
        return sum(self._rules.copies) - len(self._grid) - sum(len(tiles) + hidden for tiles, hidden in self._hands)

    @property
    def hand(self) -> tuple[int, ...]:
        """The tiles that the player to move is known to hold.

        Hidden ones are known too when the bag is empty and no other hand hides any: they are all that is unseen.
        """
        tiles, hidden = self._hands[0]
        if hidden and not self.bag and not any(hidden for _, hidden in self._hands[1:]):
            return tiles + tuple(tile for tile, count in enumerate(self.unseen) for _ in range(count))
        return tiles

    @property
    def hidden_in_hand(self) -> int:
        """How many tiles of the player to move are really not known: see :attr:`hand`."""
        tiles, hidden = self._hands[0]
        return len(tiles) + hidden - len(self.hand)

    @property
    def end(self) -> str | None:
        """How the game has ended: ``"out"``, ``"stuck"``, ``"dead"``, or ``None`` when it goes on.

        Too many exchanges end a game as well, but a position does not know its past: see :class:`Game`.
        """
        if self._gone_out:
            return "out"
        if self._grid.fits([tile for tile, count in enumerate(self.unplaced) if count]):
            return None
        return "dead" if self.bag else "stuck"

    @property
    def _gone_out(self) -> bool:
        return _EMPTY_HAND in self._hands and not self.bag

    # -- moves

    @property
    def legal_moves(self) -> LegalMoves:
        """Every legal placement; see :class:`LegalMoves`."""
        return LegalMoves(self)

    @property
    def exchanges(self) -> list[Move]:
        """Every exchange of known tiles that the bag allows, each different one once, fewest tiles first."""
        hand = () if self._must_open else sorted(self.hand)
        codes = self._rules.tile_set.codes
        limit = min(self.bag, len(hand))
        if self.end:
            return []
        return [
            Move.exchange([codes[tile] for tile in chosen])
            for size in range(1, limit + 1)
            for chosen in sorted(set(combinations(hand, size)))
        ]

    @property
    def _must_open(self) -> bool:
        """Is this the opening move, and is its size prescribed?"""
        return not len(self._grid) and self._rules.opening == "largest"

    def score(self, move: Move) -> int:
        """The points of a move, without those for going out; raises :class:`IllegalMove`."""
        _require_move(move)
        if move.is_placement:
            placed = self._tiles_of(move)
            # No need to ask for another end: where a tile of the hand can be placed, the game is not stuck or dead.
            score = None if self._gone_out or not self._may_place(placed) else self._grid.score(placed)
            if score is None:
                raise IllegalMove(self.explain(move).reason)
            return score
        reason = self._reason_against(move)
        if reason:
            raise IllegalMove(reason)
        return 0

    def is_legal(self, move: Move) -> bool:
        try:
            self.score(move)
        except IllegalMove:
            return False
        return True

    def explain(self, move: Move) -> reference.Explanation:
        """Whether a move is legal, its score and each line it makes with cells and points, or why it is illegal."""
        _require_move(move)
        if not move.is_placement:
            reason = self._reason_against(move)
            return reference.Explanation(not reason, None if reason else 0, (), reason)
        end = self.end
        if end:
            return reference.Explanation(False, None, (), f"the game is over: {_ENDS[end]}")
        placed = self._tiles_of(move)
        board = {(x, y): tile for x, y, tile in self._grid.cells}
        return reference.explain(board, placed, self._rules, self._hand_for(placed))

    def _tiles_of(self, move: Move) -> list[tuple[int, int, int]]:
        tiles = self._rules.tile_set.tiles
        for x, y, code in move.placed:
            if code not in tiles:
                raise NotationError(f"move: {code} at {x},{y} is no tile, expected a tile of {self._rules.name}")
        return [(x, y, tiles[code]) for x, y, code in move.placed]

    def _may_place(self, placed: list[tuple[int, int, int]]) -> bool:
        """Does the hand hold these tiles, and has an opening its size and place?"""
        hand = self._hand_for(placed)
        if not len(self._grid):
            return reference.explain({}, placed, self._rules, hand).legal
        left = list(hand)
        for _, _, tile in placed:
            if tile not in left:
                return False
            left.remove(tile)
        return True

    def _hand_for(self, placed: list[tuple[int, int, int]]) -> tuple[int, ...]:
        """The hand, with those of these tiles that may be among its hidden ones: any that are still unseen."""
        hand = self.hand
        hidden = self.hidden_in_hand
        if not hidden:
            return hand
        if self._must_open:
            raise PositionError(_HIDDEN_OPENING)
        needed = Counter([tile for _, _, tile in placed]) - Counter(hand)
        unseen = self.unseen
        possible = needed.total() <= hidden and all(unseen[tile] >= n for tile, n in needed.items())
        return hand + tuple(needed.elements()) if possible else hand

    def _reason_against(self, move: Move) -> str | None:
        """Why an exchange or a pass is illegal."""
        end = self.end
        if end:
            return f"the game is over: {_ENDS[end]}"
        bag = self.bag
        if move.is_pass:
            if bag:
                return f"a pass is refused while the bag holds {bag} tiles: place or exchange"
            if self._grid.count(self.hand):
                return "a pass is refused: the hand can place, and with the bag empty it must"
            return None
        if self._must_open:
            return "the opening move cannot be an exchange (opening=largest)"
        tiles = self._rules.tile_set.tiles
        for code in move.exchanged:
            if code not in tiles:
                raise NotationError(f"move: {code} is no tile, expected a tile of {self._rules.name}")
        missing = Counter(tiles[code] for code in move.exchanged) - Counter(self.hand)
        # Hidden tiles can be exchanged as such, or by name where they are unseen.
        unseen = self.unseen
        if missing.total() + move.hidden > self.hidden_in_hand or any(unseen[t] < n for t, n in missing.items()):
            codes = self._rules.tile_set.codes
            what = " ".join(codes[tile] for tile in missing.elements()) or f"?{move.hidden}"
            return f"the hand does not hold {what}"
        size = len(move.exchanged) + move.hidden
        if size > bag:
            return f"{size} tiles cannot be exchanged: the bag holds {bag}"
        return None

    def push(self, move: Move) -> None:
        """Make a move and pass the turn on; raises :class:`IllegalMove` and changes nothing when it is illegal.

        What the mover draws is hidden.  Going out with the bag empty brings 6 points.
        """
        score = self.score(move)
        bag = self.bag
        tiles, hidden = self._hands[0]
        left = list(tiles)
        placed = self._tiles_of(move)
        codes = self._rules.tile_set.tiles
        for tile in [tile for _, _, tile in placed] or [codes[code] for code in move.exchanged]:
            if tile in left:
                left.remove(tile)
            else:
                hidden -= 1
        if placed:
            hidden += min(HAND_SIZE - len(left) - hidden, bag)
            if not left and not hidden:
                score += OUT_BONUS
        else:
            hidden += len(move.exchanged)
        self._past.append((move, len(placed), self._hands, self._scores))
        for x, y, tile in placed:
            self._grid.place(x, y, tile)
        self._hands = (*self._hands[1:], (tuple(left), hidden))
        self._scores = (*self._scores[1:], self._scores[0] + score)

    def pop(self) -> Move:
        """Take the last move back and return it; ``IndexError`` when there is none."""
        move, count, self._hands, self._scores = self._past.pop()
        for _ in range(count):
            self._grid.take_back()
        return move

    def forget(self) -> None:
        """Drop the past: nothing can be taken back any more, and there is no history."""
        self._before = ()
        self._past.clear()

    def reveal(self, player: int, tiles: Iterable[int]) -> None:
        """Hidden tiles of a player (0 is the one to move) become known; ``PositionError`` when that cannot be."""
        new = tuple(tiles)
        known, hidden = self._hands[player]
        unseen = self.unseen
        if len(new) > hidden or any(unseen[tile] < n for tile, n in Counter(new).items()):
            codes = self._rules.tile_set.codes
            raise PositionError(f"hands: player {player} cannot hide {' '.join(codes[tile] for tile in new)}")
        hands = list(self._hands)
        hands[player] = (known + new, hidden - len(new))
        self._hands = tuple(hands)


_EMPTY_HAND: Hand = ((), 0)
_ENDS = {
    "out": "a player has gone out",
    "stuck": "the bag is empty and nobody can place",
    "dead": "no tile that is left fits anywhere",
}
_HIDDEN_OPENING = "hands: the opening depends on hidden tiles of the player to move, expected a hand that is known"


def _require_move(move: object) -> None:
    if not isinstance(move, Move):
        raise NotationError(f"move: {move!r}, expected a Move")


def _reading_order(cell: tuple[int, int, int]) -> tuple[int, int]:
    return cell[1], cell[0]


def _board_fault(fields: Fields) -> str:
    board = {(x, y): tile for x, y, tile in fields.cells}
    fault = reference.fault(board, fields.rules)
    assert fault is not None, "the core and the reference disagree on a board"
    kind, x, y = fault
    code = fields.rules.tile_set.codes[board[x, y]]
    expected = {
        "row": "a row of one colour or one shape without a repeat",
        "column": "a column of one colour or one shape without a repeat",
        "diagonal": "no diagonal run of one background over six",
        "island": "every tile joined to the others edge to edge",
    }[kind]
    return f"board: {code} at {x},{y}, expected {expected}"


class LegalMoves:
    """The legal placements of a position, found when they are asked for.

    Iterating gives :class:`Move` s, best score first, then by text.  ``len()`` only counts, ``in`` only checks,
    ``best()`` and ``top(n)`` search only as far as they must, and ``array`` makes no moves at all.
    """

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        self._position = position

    def _hand(self) -> Sequence[int]:
        """The hand to ask the grid about: none once the game is over."""
        position = self._position
        hand, hidden = position._hands[0]
        if hidden:
            hand = position.hand
            if position._must_open and position.hidden_in_hand:
                raise PositionError(_HIDDEN_OPENING)
        return () if position._gone_out else hand

    @property
    def array(self) -> npt.NDArray[np.void]:
        """Every placement in an array of :data:`qwirkle_fast.move.PLACEMENT`, in no order; it owns its memory."""
        return self._position._grid.placements(self._hand())

    def __len__(self) -> int:
        return self._position._grid.count(self._hand())

    def __iter__(self) -> Iterator[Move]:
        return (move for move, _ in self.scored())

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and move.is_placement and self._position.is_legal(move)

    def scored(self, n: int | None = None) -> list[tuple[Move, int]]:
        """The moves with their scores, or the first ``n`` of them, in the order of iteration."""
        if n is not None and n < 0:
            raise ValueError(f"n: {n}, expected 0 or more moves")
        array = self.array if n is None else self._position._grid.top(self._hand(), min(n, sys.maxsize))
        flex = self._position.rules.name == "flex"
        return [(Move.trusted(text), score) for text, score in ranked(array, flex)[:n]]

    def top(self, n: int) -> list[Move]:
        """The first ``n`` moves of the order of iteration."""
        return [move for move, _ in self.scored(n)]

    def best(self) -> Move | None:
        """The first move of the order of iteration; ``None`` when there is none."""
        moves = self.top(1)
        return moves[0] if moves else None

    def __repr__(self) -> str:
        return f"<{len(self)} legal moves of {self._position!r}>"
