"""Qwirkle Flex on both implementations: diagonals, their limit, and tiles that differ in their background alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

import pytest
from boards import (
    FLEX,
    FLEX_ANY,
    SYMMETRIES,
    Board,
    Cell,
    Symmetry,
    board_of,
    both,
    cells_of,
    grid_of,
    grow,
    image,
    in_order,
    judged,
    laid,
    move_of,
    moves_of,
    place,
    sound,
    tiles_of,
)
from compare import Placed

from qwirkle_fast.position import Grid
from qwirkle_fast.rules import Rules

backgrounds = pytest.mark.parametrize("background", range(3), ids=["black", "white", "mixed"])
#: As the boards below are, or mirrored so that the diagonal rises.
mirrored = pytest.mark.parametrize("way", SYMMETRIES[:2], ids=["falling", "rising"])


def tile_at(x: int, y: int, background: int) -> int:
    """Each row has one colour and each column one shape, so that all lines of up to five or six are lines."""
    return (y % 6 * 6 + (x + x // 6) % 6) * 3 + background


def others(background: int) -> tuple[int, int]:
    return (background + 1) % 3, (background + 2) % 3


def band(length: int, background: int, holes: Collection[int]) -> Board:
    """A band five cells wide around a diagonal of so many tiles of one background, but for some of its cells.

    On all other diagonals the two other backgrounds take turns, so that no run there has two tiles of a kind.
    """
    return {
        (x, y): tile_at(x, y, background if x == y else others(background)[x % 2])
        for x, y in product(range(length), repeat=2)
        if abs(x - y) <= 2 and not (x == y and x in holes)
    }


def scores_at(
    implementation: type[Grid], board: Board, cell: Cell, rules: Rules, way: Symmetry = SYMMETRIES[0]
) -> dict[int, int | None]:
    """The score of the one symbol that goes with the lines there, by background; no other symbol does."""
    cells = image(cells_of(board), way)
    assert len({tile for *_, tile in cells}) == len(cells), "every tile is in the box once"
    grid = grid_of(implementation, cells, rules)
    x, y = way(*cell)
    wanted = tile_at(*cell, 0) // 3
    scores = {}
    for tile in range(108):
        score = grid.score([(x, y, tile)])
        assert moves_of(grid, [tile]).get(((x, y, tile),)) == score
        if tile // 3 == wanted:
            scores[tile % 3] = score
        else:
            assert score is None
    return scores


# The length of a diagonal


@both
@backgrounds
@mirrored
@pytest.mark.parametrize(
    ("length", "hole", "lines", "diagonal"),
    [
        (5, 2, 5 + 5, 5),  # two and two are joined to five
        (6, 2, 5 + 5, 12),  # two and three to six
        (6, 3, 5 + 5, 12),
        (6, 1, 4 + 4, 12),
        (7, 3, 5 + 5, None),  # three and three to seven
        (7, 2, 5 + 5, None),
        (7, 1, 4 + 4, None),
        (8, 4, 5 + 5, None),
    ],
)
def test_a_tile_that_joins_two_runs(
    implementation: type[Grid], background: int, way: Symmetry, length: int, hole: int, lines: int, diagonal: int | None
) -> None:
    scores = scores_at(implementation, band(length, background, [hole]), (hole, hole), FLEX, way)
    assert scores == {
        background: None if diagonal is None else lines + diagonal,
        # The other diagonal through the hole has one of these on either side: a run of three.
        others(background)[(hole + 1) % 2]: lines + 3,
        others(background)[hole % 2]: lines,
    }


@both
@backgrounds
@mirrored
@pytest.mark.parametrize("end", ["first", "last"])
@pytest.mark.parametrize(("length", "diagonal"), [(3, 3), (5, 5), (6, 12), (7, None)])
def test_a_tile_that_makes_a_run_longer(
    implementation: type[Grid], background: int, way: Symmetry, end: str, length: int, diagonal: int | None
) -> None:
    hole = 0 if end == "first" else length - 1
    board = band(length, background, [hole])
    scores = scores_at(implementation, board, (hole, hole), FLEX, way)
    # A row and a column of three.
    assert scores[background] == (None if diagonal is None else 6 + diagonal)
    assert all(scores[other] == 6 for other in others(background))


@both
@backgrounds
@pytest.mark.parametrize("diagonal_min", range(2, 7))
@pytest.mark.parametrize("length", range(3, 8))
def test_the_shortest_run_that_scores_and_the_longest_that_is_legal(
    implementation: type[Grid], background: int, diagonal_min: int, length: int
) -> None:
    rules = Rules("flex", diagonal_min=diagonal_min)
    scores = scores_at(implementation, band(length, background, [length - 1]), (length - 1, length - 1), rules)
    diagonal = length + 6 * (length == 6) if length >= diagonal_min else 0
    # Seven is too long whatever scores.
    assert scores[background] == (None if length == 7 else 6 + diagonal)


@both
@backgrounds
@mirrored
def test_a_board_with_a_run_of_seven_is_refused_and_of_six_is_not(
    implementation: type[Grid], background: int, way: Symmetry
) -> None:
    for length in (6, 7):
        cells = image(cells_of(band(length, background, [])), way)
        assert implementation(FLEX).load(cells) == sound(cells, FLEX) == (length == 6)


# Both diagonals


def cross(background: int, *, seven: bool = False) -> Board:
    """A block whose two diagonals through 2,2 would both have six of a background, or one of them seven; 2,2 is free.

    The rising one needs a tile above the block's right column, whose line then has a gap; for seven another one to the
    left of its lowest row.
    """
    board = {
        (x, y): tile_at(x, y, background if x == y or x + y == 4 else others(background)[(x + y // 2) % 2])
        for x, y in product(range(6), repeat=2)
        if (x, y) not in ((2, 2), (5, 3), (3, 5))
    }
    board[5, -1] = tile_at(5, 3, background)
    if seven:
        board[-1, 5] = tile_at(3, 5, background)
    return board


@both
@backgrounds
def test_a_tile_in_two_diagonals_of_six_and_two_lines_of_six(implementation: type[Grid], background: int) -> None:
    assert scores_at(implementation, cross(background), (2, 2), FLEX)[background] == 4 * 12


@both
@backgrounds
def test_one_diagonal_of_seven_is_enough_to_refuse(implementation: type[Grid], background: int) -> None:
    scores = scores_at(implementation, cross(background, seven=True), (2, 2), FLEX)
    assert scores[background] is None
    assert None not in [scores[other] for other in others(background)]


@both
def test_a_diagonal_of_another_background_or_with_an_empty_cell_ends(implementation: type[Grid]) -> None:
    # A falling diagonal of black, black, mixed; a rising one of white, a gap, white.
    board = board_of("RckRxw/BcwBxk1Bsw/GcmGxwGdmGsk", FLEX)
    grid = grid_of(implementation, board, FLEX)
    # Row of four, column of two; then by background: none; the white of 1,2; the mixed of none.
    assert {code: grid.score(move_of(f"Bd{code}@2,1", FLEX)) for code in "kwm"} == {"k": 6 + 2, "w": 6 + 4, "m": 6}


@both
@pytest.mark.parametrize(("first", "second"), list(product("kwm", repeat=2)))
def test_each_background_goes_with_itself_alone(implementation: type[Grid], first: str, second: str) -> None:
    board = board_of(f"Rc{first}Rxk", FLEX)
    grid = grid_of(implementation, board, FLEX)
    grid.place(0, 1, tiles_of("Bcw", FLEX)[0])
    # Below Rxk, beside Bcw: two lines of two, and the diagonal from Rc.
    assert grid.score(move_of(f"Bx{second}@1,1", FLEX)) == 4 + 2 * (first == second)


# Placements of several tiles


@both
@pytest.mark.parametrize(
    ("one", "two", "diagonals"),
    [("k", "k", 6), ("k", "w", 6), ("w", "k", 6), ("w", "w", 6), ("k", "m", 3), ("m", "w", 3), ("m", "m", 0)],
)
def test_a_placement_around_a_tile_joins_a_diagonal_on_either_side(
    implementation: type[Grid], one: str, two: str, diagonals: int
) -> None:
    # Black: from 0,0 to 2,2 and on to 4,0; white: from 0,2 to 2,0 and on to 4,2.
    board = board_of("RckRxmRdwRsmRtk/Ocm1Odm1Otm/YcwYxmYdkYsmYtw", FLEX)
    grid = grid_of(implementation, board, FLEX)
    move = move_of(f"Ox{one}@1,1+Os{two}@3,1", FLEX)
    # The row of five and two columns of three.
    assert grid.score(move) == 11 + diagonals
    moves = moves_of(grid, [tile for *_, tile in move])
    assert moves[move] == 11 + diagonals
    # On its own each tile has a row and a column of three.
    assert moves[move[:1]] == 6 + 3 * (one != "m")
    assert moves[move[1:]] == 6 + 3 * (two != "m")


@both
def test_a_placement_at_both_ends_of_a_row_scores_the_diagonals_of_either_end(implementation: type[Grid]) -> None:
    board = board_of("RxkRdmRsw/OxmOdwOsm/YxkYdwYsm", FLEX)
    grid = grid_of(implementation, board, FLEX)
    # The row of five; left two black diagonals of two, right one white.
    assert grid.score(move_of("Ock@-1,1+Otw@3,1", FLEX)) == 5 + 4 + 2
    assert grid.score(move_of("Ocw@-1,1+Otm@3,1", FLEX)) == 5 + 0 + 2
    assert moves_of(grid, tiles_of("OckOtw", FLEX))[move_of("Ock@-1,1+Otw@3,1", FLEX)] == 11


@both
@backgrounds
def test_one_tile_of_a_placement_with_a_diagonal_of_seven_refuses_it_all(
    implementation: type[Grid], background: int
) -> None:
    board = band(7, background, [6])
    grid = grid_of(implementation, board, FLEX)
    last = tile_at(6, 6, background)
    beside = tile_at(7, 6, others(background)[0])
    assert grid.score([(6, 6, last), (7, 6, beside)]) is None
    assert all((6, 6, last) not in move for move in moves_of(grid, [last, beside]))
    allowed = tile_at(6, 6, others(background)[0])
    assert grid.score([(6, 6, allowed), (7, 6, beside)]) is not None
    assert in_order([(6, 6, allowed), (7, 6, beside)]) in moves_of(grid, [allowed, beside])


# Openings and contact


@both
def test_an_opening_scores_no_diagonal(implementation: type[Grid]) -> None:
    grid = implementation(FLEX)
    for hand, score in (("RckRdkRsk", 3), ("Rck", 1), ("RckRxkRdkRskRtkRvk", 12)):
        assert set(moves_of(grid, tiles_of(hand, FLEX)).values()) == {score}
    assert grid.score(move_of("Rck@0,0+Rdk@0,1", FLEX)) == 2


@both
def test_a_diagonal_touch_does_not_connect(implementation: type[Grid]) -> None:
    assert not implementation(FLEX).load(cells_of(board_of("Rck/1Rdk", FLEX)))
    grid = grid_of(implementation, board_of("Rck", FLEX), FLEX)
    hand = tiles_of("RdkRskBck", FLEX)
    for x, y in ((1, 1), (-1, -1), (1, -1), (-1, 1)):
        for tile in hand:
            assert grid.score([(x, y, tile)]) is None
        assert grid.score([(x, y, hand[0]), (x + (1 if x > 0 else -1), y, hand[1])]) is None
    sides = {(0, -1), (-1, 0), (1, 0), (0, 1)}
    assert all(sides & {cell[:2] for cell in move} for move in moves_of(grid, hand))


# Tiles that differ in their background alone


@both
def test_one_symbol_on_different_backgrounds_makes_different_moves_but_no_line(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, board_of("Rck", FLEX), FLEX)
    for hand in ("RskRsw", "RskRswRsm"):
        tiles = tiles_of(hand, FLEX)
        moves = moves_of(grid, tiles)
        assert len(moves) == grid.count(tiles) == 4 * len(tiles)
        assert {move[0][2] for move in moves} == set(tiles)
        assert all(len(move) == 1 for move in moves)
    assert grid.score(move_of("Rsk@1,0+Rsw@2,0", FLEX)) is None
    assert grid.score(move_of("Rcw@1,0", FLEX)) is None
    # With a diamond each of the two pairs is a pair: alone 3 by 4, together 2 by 24.
    assert grid.count(tiles_of("RskRswRdk", FLEX)) == 12 + 2 * grid_pairs(implementation)


def grid_pairs(implementation: type[Grid]) -> int:
    """How many placements of two tiles one pair has beside a lone red tile."""
    grid = grid_of(implementation, board_of("Rck", FLEX), FLEX)
    return sum(len(move) == 2 for move in moves_of(grid, tiles_of("RskRdk", FLEX)))


@both
def test_openings_with_one_symbol_on_different_backgrounds(implementation: type[Grid]) -> None:
    hand = tiles_of("RskRswOsk", FLEX)
    assert set(moves_of(implementation(FLEX), hand)) == {
        in_order([(0, 0, one), (1, 0, two)])
        for one, two in ((hand[0], hand[2]), (hand[1], hand[2]), (hand[2], hand[0]), (hand[2], hand[1]))
    }
    assert len(moves_of(implementation(FLEX_ANY), hand)) == 3 + 4


@both
def test_the_placed_background_is_what_the_next_diagonal_sees(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, board_of("RckRxk", FLEX), FLEX)
    for background in "kwm":
        place(grid, move_of(f"Bc{background}@0,1", FLEX))
        # Below Rxk: the row and column of two, and from 0,0 a black diagonal of two, or none.
        assert grid.score(move_of("Bxk@1,1", FLEX)) == 6
        # A column of three, and no diagonal: 1,1 is empty.
        assert grid.score(move_of("Gck@0,2", FLEX)) == 3
        place(grid, move_of("Bxk@1,1", FLEX))
        assert grid.score(move_of(f"Gx{background}@1,2", FLEX)) == 3 + 2
        grid.take_back()
        grid.take_back()
    assert len(grid) == 2


# Boards of one background, where diagonals are long


def one_background(seed: int, background: int) -> tuple[list[Placed], Sequence[int]]:
    """A grown board with every tile on one background, as far as no diagonal is over six."""
    cells, left = grow(FLEX, seed, 60, greed=1.0)
    board: Board = {}
    for x, y, tile in cells:
        same = tile - tile % 3 + background
        if not board or judged(board, [(x, y, same)], FLEX) is not None:
            board = laid(board, [(x, y, same)])
    return cells_of(board), left


@both
@backgrounds
def test_every_tile_beside_a_board_of_one_background(implementation: type[Grid], background: int) -> None:
    too_long = 0
    for seed in range(2):
        cells, _ = one_background(seed, background)
        board = {(x, y): tile for x, y, tile in cells}
        assert len(board) > 30
        grid = grid_of(implementation, cells, FLEX)
        frontier = {(x + dx, y + dy) for x, y in board for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))} - board.keys()
        for x, y in sorted(frontier):
            for tile in range((x + y) % 6 * 3, 108, 6 * 3):
                tile += background
                score = grid.score([(x, y, tile)])
                assert score == judged(board, [(x, y, tile)], FLEX)
                other = grid.score([(x, y, tile - background + others(background)[0])])
                assert other == judged(board, [(x, y, tile - background + others(background)[0])], FLEX)
                too_long += score is None and other is not None
    assert too_long > 0
