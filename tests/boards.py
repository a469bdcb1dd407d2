"""Boards to ask about: read from text, grown by random play, laid by hand; and a judge of moves that knows no trick.

Reading is apart from the package's notation, and judging from both implementations, so that no mistake can hide behind
its own twin.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, groupby, permutations
from pathlib import Path
from typing import Any

import pytest
from compare import Placed, Placement, listed

from qwirkle_fast import _core, reference
from qwirkle_fast.position import Grid
from qwirkle_fast.rules import Rules

Cell = tuple[int, int]
Board = dict[Cell, int]
#: A symmetry of the plane that takes rows and columns to rows and columns.
Symmetry = Callable[[int, int], Cell]

DATA = Path(__file__).parent / "data"

CLASSIC = Rules("classic")
CLASSIC_ANY = Rules("classic", opening="any")
FLEX = Rules("flex")
FLEX_ANY = Rules("flex", opening="any")
VARIANTS = (
    CLASSIC,
    CLASSIC_ANY,
    FLEX,
    FLEX_ANY,
    Rules("flex", tiles="starter"),
    Rules("flex", diagonal_min=3),
    Rules("flex", diagonal_min=6, tiles="starter"),
)

both = pytest.mark.parametrize("implementation", [_core.Grid, reference.Grid], ids=["core", "reference"])
every_rules = pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: ";".join([rules.name, *rules.options()]))

SYMMETRIES: tuple[Symmetry, ...] = (
    lambda x, y: (x, y),
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (-x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, x),
    lambda x, y: (y, -x),
    lambda x, y: (-y, -x),
)


# Reading


def rules_of(text: str) -> Rules:
    name, *options = text.split(";")
    values = dict(option.split("=") for option in options)
    typed: dict[str, Any] = {option: int(value) if value.isdigit() else value for option, value in values.items()}
    return Rules(name, **typed)


def tiles_of(text: str, rules: Rules = CLASSIC) -> list[int]:
    codes = re.findall(r"[ROYGBP][cxdstv][kwm]?", text.partition("?")[0])
    return [rules.tile_set.tile(code) for code in codes]


def board_of(text: str, rules: Rules = CLASSIC) -> Board:
    corner, colon, rows = text.rpartition(":")
    left, top = map(int, corner.split(",")) if colon else (0, 0)
    board: Board = {}
    if rows == "-":
        return board
    for y, row in enumerate(rows.split("/"), top):
        x = left
        for token in re.findall(r"\d+|\D[a-z]+", row):
            if token.isdigit():
                x += int(token)
            else:
                board[x, y] = rules.tile_set.tile(token)
                x += 1
    return board


def move_of(text: str, rules: Rules = CLASSIC) -> Placement:
    placed = []
    for part in text.split("+"):
        code, _, cell = part.partition("@")
        x, y = map(int, cell.split(","))
        placed.append((x, y, rules.tile_set.tile(code)))
    return in_order(placed)


def position_of(text: str) -> tuple[Board, list[list[int]], Rules]:
    board, hands, _, options = text.split(" ")
    rules = rules_of(options)
    return board_of(board, rules), [tiles_of(hand, rules) for hand in hands.split("/")], rules


def cases(name: str) -> list[Any]:
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


# Boards, grids and what they list


def cells_of(board: Board) -> list[Placed]:
    return [(x, y, tile) for (x, y), tile in board.items()]


def in_order(move: Iterable[Placed]) -> Placement:
    """The tiles by y, then x."""
    return tuple(sorted(move, key=lambda placed: (placed[1], placed[0])))


def laid(board: Board, move: Iterable[Placed]) -> Board:
    return {**board, **{(x, y): tile for x, y, tile in move}}


def image(move: Iterable[Placed], symmetry: Symmetry) -> Placement:
    return in_order((*symmetry(x, y), tile) for x, y, tile in move)


def grid_of(implementation: type[Grid], board: Board | Sequence[Placed], rules: Rules = CLASSIC) -> Any:
    """A grid of either kind with this board."""
    grid = implementation(rules)
    assert grid.load(cells_of(board) if isinstance(board, dict) else board)
    return grid


def moves_of(grid: Grid, hand: Sequence[int]) -> dict[Placement, int]:
    """Every placement with its score; fails when one is listed twice."""
    return listed(grid.placements(hand))


def place(grid: Grid, move: Iterable[Placed]) -> None:
    for x, y, tile in move:
        grid.place(x, y, tile)


def grow(rules: Rules, seed: int, turns: int, greed: float = 0.5) -> tuple[list[Placed], list[int]]:
    """The tiles of a board in the order in which chance, and now and then greed, laid them; and the tiles left."""
    chance = random.Random(seed)
    bag = [tile for tile, copies in enumerate(rules.copies) for _ in range(copies)]
    chance.shuffle(bag)
    hand: list[int] = []
    grid = _core.Grid(rules)
    for _ in range(turns):
        hand += [bag.pop() for _ in range(min(6 - len(hand), len(bag)))]
        found = moves_of(grid, hand)
        if found:
            best = [move for move, score in found.items() if score == max(found.values())]
            move = chance.choice(sorted(best if chance.random() < greed else found))
            place(grid, move)
            for _, _, tile in move:
                hand.remove(tile)
        else:
            bag += hand
            hand = []
            chance.shuffle(bag)
    return grid.cells, hand + bag[::-1]


def staircase(rules: Rules, steps: int = 18) -> list[Placed]:
    """Rows of six, each beginning below the end of the one before: with 18 rows all 108 tiles, over 91 columns.

    Rows go through the colours again and again, so the two tiles of each joint share their shape.
    """
    placed = []
    for step in range(steps):
        for i in range(6):
            symbol = step % 6 * 6 + (i + 5 * step) % 6
            tile = symbol if rules.name == "classic" else symbol * 3 + step // 6
            placed.append((5 * step + i, step, tile))
    return placed


# Judges that look at whole boards only


def runs(board: Board, step: Cell) -> Iterator[list[Cell]]:
    """The unbroken runs along a step, 1,0 or 0,1 or 1,1 or -1,1, of one tile or more."""
    dx, dy = step
    starts = [(x, y) for x, y in board if (x - dx, y - dy) not in board]
    for x, y in starts:
        run = []
        while (x, y) in board:
            run.append((x, y))
            x, y = x + dx, y + dy
        yield run


def points(board: Board, cells: set[Cell], rules: Rules) -> int | None:
    """The points of the lines through some cells; ``None`` when any line of the board breaks the rules."""
    per_symbol = 3 if rules.name == "flex" else 1
    total = 0
    for step in ((1, 0), (0, 1)):
        for run in runs(board, step):
            kinds = [divmod(board[cell] // per_symbol, 6) for cell in run]
            # Two tiles that share colour and shape are the same, two that share neither do not go together.
            if any((one[0] == two[0]) == (one[1] == two[1]) for one, two in combinations(kinds, 2)):
                return None
            if len(run) > 1 and cells & set(run):
                total += len(run) + 6 * (len(run) == 6)
    for step in ((1, 1), (-1, 1)) if rules.name == "flex" else ():
        for run in runs(board, step):
            for _, same in groupby(run, key=lambda cell: board[cell] % 3):
                stretch = list(same)
                if len(stretch) > 6:
                    return None
                if len(stretch) >= rules.diagonal_min and cells & set(stretch):
                    total += len(stretch) + 6 * (len(stretch) == 6)
    return total


def judged(board: Board, move: Sequence[Placed], rules: Rules) -> int | None:
    """The score of a move on a board with tiles, from the board after it alone; ``None`` when it is illegal."""
    cells = {(x, y) for x, y, _ in move}
    sides = {(x + dx, y + dy) for x, y in cells for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    if len(cells) < len(move) or cells & board.keys() or not sides & board.keys():
        return None
    after = laid(board, move)
    together = any(cells <= set(run) for step in ((1, 0), (0, 1)) for run in runs(after, step))
    return points(after, cells, rules) if together else None


def sound(cells: Sequence[Placed], rules: Rules) -> bool:
    """Are these tiles a legal board?"""
    board = {(x, y): tile for x, y, tile in cells}
    reached: set[Cell] = set()
    waiting = list(board)[:1]
    while waiting:
        x, y = waiting.pop()
        if (x, y) in board and (x, y) not in reached:
            reached.add((x, y))
            waiting += [(x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)]
    return len(reached) == len(board) == len(cells) and points(board, set(), rules) is not None


def brute_force(board: Board, hand: Sequence[int], rules: Rules) -> dict[Placement, int]:
    """Every placement: all ways to put tiles of the hand on cells of a row or column, judged one by one."""
    reach = len(hand)
    xs = range(min(x for x, _ in board) - reach, max(x for x, _ in board) + reach + 1)
    ys = range(min(y for _, y in board) - reach, max(y for _, y in board) + reach + 1)
    tracks = [[(x, y) for x in xs] for y in ys] + [[(x, y) for y in ys] for x in xs]
    found = {}
    for track in tracks:
        free = [cell for cell in track if cell not in board]
        for size in range(1, reach + 1):
            for cells in combinations(free, size):
                for tiles in set(permutations(hand, size)):
                    move = tuple((x, y, tile) for (x, y), tile in zip(cells, tiles, strict=True))
                    score = judged(board, move, rules)
                    if score is not None:
                        found[in_order(move)] = score
    return found
