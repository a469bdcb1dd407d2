"""The board rules of Qwirkle and Qwirkle Flex in plain Python, to be read beside the rule sheet.

A board is a dict from a cell ``(x, y)`` to the tile that lies there; x grows to the right, y downwards.  Nothing here
is made fast: this is the twin that the native core is held against, and it shares no code with it.

Here are the rules of one placement: what may be placed, what it scores, and why not.  Turns, draws, exchanges, passes,
who opens and how a game ends are in :mod:`qwirkle_fast.game`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .move import PLACEMENT
from .rules import Rules
from .tiles import HAND_SIZE, LINE_LIMIT, TileSet

Cell = tuple[int, int]
Board = dict[Cell, int]
Step = tuple[int, int]
#: A placed tile: x, y, tile.
Placed = tuple[int, int, int]
#: A whole placement, by y, then x.
Placement = tuple[Placed, ...]

# Every step but that of the row leads downwards, so that a run followed along its step is in reading order.
ROW: Step = (1, 0)
COLUMN: Step = (0, 1)
FALLING: Step = (1, 1)
RISING: Step = (-1, 1)
AXES = (ROW, COLUMN)
DIAGONALS = (FALLING, RISING)
KINDS = {ROW: "row", COLUMN: "column", FALLING: "diagonal", RISING: "diagonal"}

BONUS = 6
START: Cell = (0, 0)


class Line(NamedTuple):
    """A line that a placement makes or extends: a row, a column, or in Flex a diagonal, with its points.

    ``cells`` run from left to right in a row, else from top to bottom; ``points`` include the bonus of six.
    """

    kind: str
    cells: tuple[Cell, ...]
    points: int


class Explanation(NamedTuple):
    """What a placement is worth and by which lines, or why it is illegal (``score`` is then ``None``)."""

    legal: bool
    score: int | None
    lines: tuple[Line, ...]
    reason: str | None


# Sets and lines


def is_set(tiles: Sequence[int], tile_set: TileSet) -> bool:
    """Are the tiles of one colour with different shapes, or of one shape with different colours?

    Backgrounds count for nothing.  A lone tile is a set, and no set can have more than six.
    """
    colours = {tile_set.colour(tile) for tile in tiles}
    shapes = {tile_set.shape(tile) for tile in tiles}
    one_colour = len(colours) == 1 and len(shapes) == len(tiles)
    one_shape = len(shapes) == 1 and len(colours) == len(tiles)
    return one_colour or one_shape


def largest_set(hand: Sequence[int], rules: Rules) -> int:
    """The size of the largest set in the hand, 0 for an empty one.  Who has the largest of all opens the game."""
    symbols = {(rules.tile_set.colour(tile), rules.tile_set.shape(tile)) for tile in hand}
    colours = Counter(colour for colour, _ in symbols)
    shapes = Counter(shape for _, shape in symbols)
    return max([*colours.values(), *shapes.values()], default=0)


def _run(cell: Cell, step: Step, belongs: Callable[[Cell], bool]) -> tuple[Cell, ...]:
    """The unbroken run of cells that belong, through ``cell``, which must belong itself."""
    (x, y), (dx, dy) = cell, step
    while belongs((x - dx, y - dy)):
        x, y = x - dx, y - dy
    cells = []
    while belongs((x, y)):
        cells.append((x, y))
        x, y = x + dx, y + dy
    return tuple(cells)


def _line(board: Board, cell: Cell, axis: Step) -> tuple[Cell, ...]:
    """The row or column through a tile, up to the empty cells at both ends."""
    return _run(cell, axis, board.__contains__)


def _diagonal(board: Board, cell: Cell, step: Step, tile_set: TileSet) -> tuple[Cell, ...]:
    """The diagonal through a tile, up to an empty cell or another background at both ends."""
    background = tile_set.background(board[cell])
    return _run(cell, step, lambda other: other in board and tile_set.background(board[other]) == background)


def _diagonals(rules: Rules) -> tuple[Step, ...]:
    """The diagonals that count in these rules."""
    return DIAGONALS if rules.name == "flex" else ()


def _broken(board: Board, cell: Cell, rules: Rules) -> Step | None:
    """Which way a line through this tile breaks the rules: the row, the column, a diagonal over six, or ``None``."""
    for axis in AXES:
        if not is_set([board[other] for other in _line(board, cell, axis)], rules.tile_set):
            return axis
    for step in _diagonals(rules):
        if len(_diagonal(board, cell, step, rules.tile_set)) > LINE_LIMIT:
            return step
    return None


# Scores


def _points(length: int) -> int:
    """A point a tile, and the bonus for all six."""
    return length + (BONUS if length == LINE_LIMIT else 0)


def _axis(cells: Sequence[Cell]) -> Step:
    """The way the cells of a placement run; a lone cell counts as a row."""
    return COLUMN if len(cells) > 1 and cells[0][0] == cells[1][0] else ROW


def _lines(board: Board, cells: Sequence[Cell], rules: Rules) -> tuple[Line, ...]:
    """The lines that score for the tiles just placed on ``cells``: their own, then those across it, then diagonals."""
    axis = _axis(cells)
    across = COLUMN if axis == ROW else ROW
    runs = [(axis, _line(board, cells[0], axis))]
    runs += [(across, _line(board, cell, across)) for cell in cells]
    runs = [(step, run) for step, run in runs if len(run) >= 2]
    # The tiles of one placement are in one row or column, so no two are on one diagonal and none is counted twice.
    diagonals = [(step, _diagonal(board, cell, step, rules.tile_set)) for cell in cells for step in _diagonals(rules)]
    runs += [(step, run) for step, run in diagonals if len(run) >= rules.diagonal_min]
    return tuple(Line(KINDS[step], run, _points(len(run))) for step, run in runs)


def _score(lines: Sequence[Line]) -> int:
    # Only a lone opening tile makes no line, and it scores 1.
    return sum(line.points for line in lines) or 1


# One placement, judged


def explain(board: Board, placed: Sequence[Placed], rules: Rules, hand: Sequence[int] | None = None) -> Explanation:
    """Judge a placement, its tiles ``(x, y, tile)`` in any order: its score and its lines, or why it is illegal.

    The lines are in this order: the one along the placement, those across it by cell, the diagonals by cell, falling
    before rising.  Without a ``hand`` any tiles may be placed, and the opening may have any size.
    """
    placed = sorted(placed, key=_reading_order)
    cells = [(x, y) for x, y, _ in placed]
    after = {**board, **{(x, y): tile for x, y, tile in placed}}
    reason = (
        _wrong_number(placed)
        or _taken_cell(board, cells, rules)
        or _not_in_hand(placed, rules, hand)
        or _not_in_line(cells)
        or _not_a_set(placed, rules)
        or _gap(after, cells)
        or (_untouched(board, cells) if board else _wrong_opening(placed, rules, hand))
        or _bad_line(after, cells, rules)
    )
    if reason is not None:
        return Explanation(False, None, (), reason)
    lines = _lines(after, cells, rules)
    return Explanation(True, _score(lines), lines, None)


def _wrong_number(placed: Sequence[Placed]) -> str | None:
    if 1 <= len(placed) <= HAND_SIZE:
        return None
    return f"{len(placed) or 'no'} tiles are placed, expected 1 to {HAND_SIZE}"


def _taken_cell(board: Board, cells: Sequence[Cell], rules: Rules) -> str | None:
    for index, cell in enumerate(cells):
        if cell in board:
            return f"{_at(cell)} already holds {rules.tile_set.codes[board[cell]]}"
        if cell in cells[:index]:
            return f"two tiles are placed on {_at(cell)}"
    return None


def _not_in_hand(placed: Sequence[Placed], rules: Rules, hand: Sequence[int] | None) -> str | None:
    if hand is None:
        return None
    held = Counter(hand)
    for tile, number in sorted(Counter(tile for _, _, tile in placed).items()):
        if number > held[tile]:
            code = rules.tile_set.codes[tile]
            return f"the hand holds {held[tile]} {code}, not {number}" if held[tile] else f"the hand holds no {code}"
    return None


def _not_in_line(cells: Sequence[Cell]) -> str | None:
    # Cells that are in one row or column two by two are in one all together.
    for one, two in combinations(cells, 2):
        if one[0] != two[0] and one[1] != two[1]:
            return f"{_at(one)} and {_at(two)} are not in one row or column"
    return None


def _not_a_set(placed: Sequence[Placed], rules: Rules) -> str | None:
    tiles = [tile for _, _, tile in placed]
    return None if is_set(tiles, rules.tile_set) else f"the placed tiles include {_clash(tiles, rules.tile_set)}"


def _gap(after: Board, cells: Sequence[Cell]) -> str | None:
    """A gap between placed tiles; tiles of the board may fill it, so look at the board after the placement."""
    line = _line(after, cells[0], _axis(cells))
    if cells[-1] in line:
        return None
    (x, y), (dx, dy) = line[-1], _axis(cells)
    return f"{_at((x + dx, y + dy))}, between the placed tiles, is empty"


def _untouched(board: Board, cells: Sequence[Cell]) -> str | None:
    if any(neighbour in board for cell in cells for neighbour in _neighbours(cell)):
        return None
    return f"no tile of the board touches {' or '.join(map(_at, cells))} edge to edge"


def _wrong_opening(placed: Sequence[Placed], rules: Rules, hand: Sequence[int] | None) -> str | None:
    x, y, _ = placed[0]
    if (x, y) != START:
        return f"the opening must start at {_at(START)}, not at {_at((x, y))}"
    if rules.opening == "largest" and hand is not None and len(placed) != (largest := largest_set(hand, rules)):
        return f"the opening must place {largest} tiles, the largest set in the hand, not {len(placed)}"
    return None


def _bad_line(after: Board, cells: Sequence[Cell], rules: Rules) -> str | None:
    for cell in cells:
        step = _broken(after, cell, rules)
        if step in DIAGONALS:
            length = len(_diagonal(after, cell, step, rules.tile_set))
            return f"the diagonal through {_at(cell)} would have {length} tiles of one background, over {LINE_LIMIT}"
        if step is not None:
            tiles = [after[other] for other in _line(after, cell, step)]
            if len(tiles) > LINE_LIMIT:
                return f"the {KINDS[step]} through {_at(cell)} would have {len(tiles)} tiles, over {LINE_LIMIT}"
            return f"the {KINDS[step]} through {_at(cell)} would include {_clash(tiles, rules.tile_set)}"
    return None


def _clash(tiles: Sequence[int], tile_set: TileSet) -> str:
    """The first two tiles, in words, that cannot be in one line.

    There are always two in what is not a set: tiles that are sets two by two are one set together.
    """
    one, two = next(pair for pair in combinations(tiles, 2) if not is_set(pair, tile_set))
    if one == two:
        return f"{tile_set.codes[one]} twice"
    names = f"{tile_set.codes[one]} and {tile_set.codes[two]}"
    same = tile_set.symbol(one) == tile_set.symbol(two)
    return f"{names}, the same symbol" if same else f"{names}, which share neither colour nor shape"


def _at(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _reading_order(cell: Sequence[int]) -> tuple[int, int]:
    """Sorts cells, and placed tiles, by y, then x."""
    return cell[1], cell[0]


# Every placement


def placements(board: Board, hand: Sequence[int], rules: Rules) -> dict[Placement, int]:
    """Every legal placement of tiles of the hand, its own tiles by y, then x, with its score.

    On the empty board they start at 0,0 and run to the right; the same ones turned downwards are legal, not listed.
    """
    # No line may have a tile twice, so copies of a tile add nothing.
    tiles = sorted(set(hand))
    found: dict[Placement, int] = {}
    for after, placed in _candidates(board, tiles, rules) if board else _openings(tiles, rules):
        placement = tuple(sorted(placed, key=_reading_order))
        # One that covers several frontier cells is found from each of them.
        if placement not in found:
            found[placement] = _score(_lines(after, [(x, y) for x, y, _ in placement], rules))
    return found


def _openings(tiles: Sequence[int], rules: Rules) -> Iterator[tuple[Board, Placement]]:
    """Each opening with the board it leaves: every order of the tiles of a set is an opening of its own."""
    largest = largest_set(tiles, rules)
    for size in range(1 if rules.opening == "any" else largest, largest + 1):
        for order in permutations(tiles, size):
            if order and is_set(order, rules.tile_set):
                placement = tuple((START[0] + index, START[1], tile) for index, tile in enumerate(order))
                yield {(x, y): tile for x, y, tile in placement}, placement


def _candidates(board: Board, tiles: Sequence[int], rules: Rules) -> Iterator[tuple[Board, Placement]]:
    """Each legal placement, more than once perhaps, with the board it leaves: a tile beside the board, then outward.

    This misses none.  A legal placement covers a frontier cell.  Take its tiles from there, first on along the axis and
    then back: at every stage nothing is missing between those taken so far; the line along the axis is a part of the
    whole one, and part of a set is a set; lines across it and diagonals are already as they will be, for no second
    placed tile is on them.  So every stage is legal too, and only legal stages need to be extended.
    """
    for cell in frontier(board):
        for tile in tiles:
            if _fits(board, cell, tile, rules):
                after = {**board, cell: tile}
                placed = ((*cell, tile),)
                yield after, placed
                # The others will be in one line with this one, so only what makes a set with it is worth a try.
                partners = [other for other in tiles if is_set((tile, other), rules.tile_set)]
                for dx, dy in AXES:
                    yield from _outward(after, placed, partners, ((dx, dy), (-dx, -dy)), rules)


def _outward(
    board: Board, placed: Placement, tiles: Sequence[int], steps: tuple[Step, ...], rules: Rules
) -> Iterator[tuple[Board, Placement]]:
    """Each way to extend a placement that lies on the board along the first step, then along those after it."""
    for index, step in enumerate(steps):
        x, y, _ = placed[0]
        cell = _first_empty(board, (x, y), step)
        for tile in tiles:
            if _fits(board, cell, tile, rules):
                after, longer = {**board, cell: tile}, (*placed, (*cell, tile))
                yield after, longer
                yield from _outward(after, longer, tiles, steps[index:], rules)


def _fits(board: Board, cell: Cell, tile: int, rules: Rules) -> bool:
    """Are all lines through an empty cell legal with this tile there?"""
    return _broken({**board, cell: tile}, cell, rules) is None


def _first_empty(board: Board, cell: Cell, step: Step) -> Cell:
    """The first empty cell from this one on."""
    (x, y), (dx, dy) = cell, step
    while (x, y) in board:
        x, y = x + dx, y + dy
    return x, y


def _neighbours(cell: Cell) -> tuple[Cell, ...]:
    x, y = cell
    return (x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)


def frontier(board: Board) -> list[Cell]:
    """The empty cells that touch the board edge to edge, by y, then x."""
    return sorted({cell for tile in board for cell in _neighbours(tile)} - board.keys(), key=_reading_order)


def fits_anywhere(board: Board, tiles: Sequence[int], rules: Rules) -> bool:
    """Can any of these tiles be placed alone?  If not, none of them can be placed at all.

    A board where no tile of the hands and the bag fits is dead; :mod:`qwirkle_fast.game` ends the game then.
    """
    if not board:
        return len(tiles) > 0
    return any(_fits(board, cell, tile, rules) for cell in frontier(board) for tile in set(tiles))


# A whole board, judged


def fault(board: Board, rules: Rules) -> tuple[str, int, int] | None:
    """The first fault of a board that cannot be: its kind and its cell ``x, y``; ``None`` when there is no fault.

    The tiles are laid one by one, by y, then x.  The first to break a row or a column (no set), to make a Flex diagonal
    of more than six, or that does not connect, edge to edge, with the first tile on the finished board, is at fault:
    ``"row"``, ``"column"``, ``"diagonal"`` or ``"island"``, the first of these that holds.
    """
    laid: Board = {}
    connected = _connected(board)
    for cell in sorted(board, key=_reading_order):
        laid[cell] = board[cell]
        step = _broken(laid, cell, rules)
        if step is not None:
            return KINDS[step], *cell
        if cell not in connected:
            return "island", *cell
    return None


def _connected(board: Board) -> set[Cell]:
    """The cells that connect, edge to edge, with the first one by y, then x."""
    waiting = sorted(board, key=_reading_order)[:1]
    reached = set(waiting)
    while waiting:
        new = {cell for cell in _neighbours(waiting.pop()) if cell in board} - reached
        reached |= new
        waiting += new
    return reached


# The same interface as the native core's


class Grid:
    """A board that tiles are placed on and taken back from, with the interface of the native ``_core.Grid``."""

    __slots__ = ("_board", "rules")

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        # A dict keeps the order of placing, which is all that taking back needs.
        self._board: Board = {}

    def load(self, cells: Sequence[Placed]) -> bool:
        """Replace the content by these tiles; ``False``, and an empty board, when they are no legal board: see
        :func:`fault`."""
        self._board = {(x, y): tile for x, y, tile in cells}
        valid = len(self._board) == len(cells) and fault(self._board, self.rules) is None
        if not valid:
            self._board = {}
        return valid

    def place(self, x: int, y: int, tile: int) -> None:
        """Put a tile on an empty cell.  Nothing is checked."""
        self._board[x, y] = tile

    def take_back(self) -> None:
        """Undo the last ``place`` that is not undone; ``ValueError`` on an empty board."""
        if not self._board:
            raise ValueError("nothing to take back")
        self._board.popitem()

    @property
    def cells(self) -> list[Placed]:
        """The tiles ``(x, y, tile)`` in the order of placing."""
        return [(x, y, tile) for (x, y), tile in self._board.items()]

    def __len__(self) -> int:
        return len(self._board)

    def copy(self) -> Grid:
        twin = Grid(self.rules)
        twin._board = dict(self._board)
        return twin

    @property
    def hash(self) -> int:
        """64 bits that depend on the tiles and their cells alone, not on the order of placing nor on the process."""
        value = 0
        for x, y, tile in self.cells:
            value ^= _mixed((x & 0xFFFFFFF) << 36 | (y & 0xFFFFFFF) << 8 | tile)
        return value

    def placements(self, hand: Sequence[int]) -> npt.NDArray[np.void]:
        """Every legal placement (:func:`placements`), an array of ``PLACEMENT`` in no particular order."""
        found = placements(self._board, hand, self.rules)
        return np.array([_record(placement, score) for placement, score in found.items()], PLACEMENT)

    def count(self, hand: Sequence[int]) -> int:
        """How many placements are legal."""
        return len(placements(self._board, hand, self.rules))

    def top(self, hand: Sequence[int], n: int) -> npt.NDArray[np.void]:
        """The ``n`` best-scoring placements and those that tie with the last of them, highest score first."""
        every = self.placements(hand)
        best_first = every[np.argsort(-every["score"].astype(int), kind="stable")]
        if n >= len(best_first):
            return best_first
        return best_first[best_first["score"] >= best_first["score"][n - 1]] if n > 0 else best_first[:0]

    def score(self, placed: Sequence[Placed]) -> int | None:
        """What a placement scores, ``None`` when it is illegal, whatever the hand; an opening may have any size."""
        return explain(self._board, placed, self.rules).score

    def fits(self, tiles: Sequence[int]) -> bool:
        """Can any of these tiles be placed (:func:`fits_anywhere`)?"""
        return fits_anywhere(self._board, tiles, self.rules)


def _record(placement: Placement, score: int) -> tuple[int, int, list[int], int, int]:
    """A placement in the form of ``PLACEMENT``."""
    x, y, _ = placement[0]
    tiles = [0] * LINE_LIMIT
    for tile_x, tile_y, tile in placement:
        tiles[tile_x - x + tile_y - y] = tile + 1
    return x, y, tiles, score, AXES.index(_axis([cell[:2] for cell in placement]))


def _mixed(value: int) -> int:
    """A 64-bit value with its bits well mixed: the finaliser of splitmix64, whose constants these are."""
    value = (value + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return value ^ value >> 31
