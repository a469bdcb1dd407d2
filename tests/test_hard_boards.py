"""Boards and hands that other programs fall over, on both implementations: written cases, perft, and odd shapes."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any

import pytest
from boards import (
    CLASSIC,
    CLASSIC_ANY,
    DATA,
    FLEX,
    SYMMETRIES,
    Board,
    Cell,
    Symmetry,
    board_of,
    both,
    brute_force,
    cases,
    cells_of,
    grid_of,
    image,
    in_order,
    laid,
    move_of,
    moves_of,
    place,
    position_of,
    staircase,
    tiles_of,
)
from compare import Placed, Placement

from qwirkle_fast import Move, Position, _core, reference
from qwirkle_fast.position import Grid
from qwirkle_fast.rules import Rules

# Data


@both
@pytest.mark.parametrize("case", cases("qwirkle") + cases("flex"), ids=lambda case: case.get("name", "flex"))
def test_written_case(implementation: type[Grid], case: dict[str, Any]) -> None:
    position = Position(case["position"], grid=implementation)
    moves = position.legal_moves
    scored = dict(moves.scored())
    assert len(moves) == len(scored) == case["legal"]
    assert max(scored.values(), default=0) == case["best_score"]
    if "moves" in case:
        assert {str(move): score for move, score in scored.items()} == {
            str(Move(text)): score for text, score in case["moves"].items()
        }
    for text in case.get("illegal", ()):
        assert not position.is_legal(Move(text))
        assert Move(text) not in moves
    if case["legal"]:
        assert position.score(moves.top(1)[0]) == case["best_score"]


def sequences(grid: Grid, hands: list[list[int]], depth: int) -> int:
    """The number of different sequences of so many turns: see tools/perft.py."""
    hand, *others = hands
    if depth == 1:
        return grid.count(hand) or 1
    total = 0
    for move in moves_of(grid, hand) or {(): 0}:
        rest = list(hand)
        place(grid, move)
        for _, _, tile in move:
            rest.remove(tile)
        total += sequences(grid, [*others, rest], depth - 1)
        for _ in move:
            grid.take_back()
    return total


PERFT = json.loads((DATA / "perft.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", PERFT, ids=range(len(PERFT)))
def test_the_core_meets_the_perft_table_to_its_full_depth(entry: dict[str, Any]) -> None:
    board, hands, rules = position_of(entry["position"])
    grid = grid_of(_core.Grid, board, rules)
    depths = range(1, len(entry["nodes"]) + 1)
    assert [sequences(grid, hands, depth) for depth in depths] == entry["nodes"]
    assert len(grid) == len(board)


# Lists that are long


def digest(moves: dict[Placement, int]) -> str:
    return hashlib.sha256(repr(sorted(moves.items())).encode()).hexdigest()


@pytest.mark.parametrize("case", cases("rich"), ids=lambda case: case["count"])
def test_a_list_of_over_30_000_placements(case: dict[str, Any]) -> None:
    board, (hand, *_), rules = position_of(case["position"])
    grid = grid_of(_core.Grid, board, rules)
    moves = moves_of(grid, hand)
    assert len(moves) == grid.count(hand) == case["count"] > 30_000
    assert {str(score): number for score, number in Counter(moves.values()).items()} == case["scores"]
    assert digest(moves) == case["digest"]
    best = max(moves.values())
    assert grid.top(hand, 1)["score"].tolist() == [best] * case["scores"][str(best)]
    assert grid.top(hand, 20_000)["score"].tolist()[:20_000] == sorted(moves.values(), reverse=True)[:20_000]


@pytest.mark.slow
@pytest.mark.parametrize("case", cases("rich"), ids=lambda case: case["count"])
def test_the_reference_lists_the_same_30_000(case: dict[str, Any]) -> None:
    board, (hand, *_), rules = position_of(case["position"])
    moves = reference.placements(board, hand, rules)
    assert len(moves) == case["count"]
    assert digest(moves) == case["digest"]


# The example game

EXAMPLE = """
    A Rv@0,0 Rd@1,0 Rc@2,0            3
    B Rs@3,0 Bs@3,1 Ps@3,2            7
    C Bc@2,1                          4
    D Gv@0,-1 Gd@1,-1                 6
    E Gt@-1,-1 Gc@2,-1                7
    F Ys@3,3 Rs@4,3                   6
    G Yt@-1,-2 Ot@-1,-3               3
    H Ox@0,-3 Od@1,-3                 3
    I Yd@1,-2 Yc@2,-2                10
    J Rt@-1,0                         9
    K Px@4,-1 Rx@4,0 Bx@4,1          18
    L Gs@3,4 Os@4,4                   9
"""
FIGURES = [line.split() for line in EXAMPLE.strip().splitlines()]


@both
def test_the_example_game_on_a_grid(implementation: type[Grid]) -> None:
    grid = implementation(CLASSIC)
    for figure, *tiles, score in FIGURES:
        move = move_of("+".join(tiles))
        assert grid.score(move) == int(score), figure
        assert moves_of(grid, [tile for _, _, tile in move])[move] == int(score), figure
        place(grid, move)
    drawn = board_of("-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs")
    assert {(x, y): tile for x, y, tile in grid.cells} == drawn


@both
def test_the_example_game_as_moves_of_two_players(implementation: type[Grid]) -> None:
    position = Position("- RvRdRc/RsBsPs 0/0 classic", grid=implementation)
    totals = [0, 0]
    for number, (figure, *tiles, score) in enumerate(FIGURES):
        move = Move("+".join(tiles))
        # The mover holds just these tiles, as far as anybody knows.
        hand = tuple(tile for _, _, tile in move_of("+".join(tiles)))
        position = Position.from_position(position, ((hand, 6 - len(hand)), ((), 6)) if number else position.hands)
        assert position.score(move) == int(score), figure
        assert move in position.legal_moves
        position.push(move)
        totals[number % 2] += int(score)
        assert position.scores == (totals[(number + 1) % 2], totals[number % 2])
    assert str(position).startswith("-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs ")


# A staircase of sixes across 90 columns

# To the right and down, to the left and up, down and to the right, up and to the left.
DIRECTIONS: tuple[Symmetry, ...] = (SYMMETRIES[0], SYMMETRIES[3], SYMMETRIES[4], SYMMETRIES[7])
STAIR_HANDS = {"classic": ("RcRxOxOx", "GvGtBtPsOd", "PtRtYt"), "flex": ("RckRxmOxwOxk", "GvwGtmBtkPsm", "PtkRtwRtm")}


def stair_hands(rules: Rules) -> list[list[int]]:
    return [tiles_of(text, rules) for text in STAIR_HANDS[rules.name]]


@cache
def stairs_expected(rules: Rules) -> list[dict[Placement, int]]:
    board = {(x, y): tile for x, y, tile in staircase(rules)}
    return [reference.placements(board, hand, rules) for hand in stair_hands(rules)]


@both
@pytest.mark.parametrize("rules", [CLASSIC, FLEX], ids=["classic", "flex"])
@pytest.mark.parametrize("direction", DIRECTIONS, ids=["right", "left", "down", "up"])
def test_a_staircase_of_all_108_tiles(implementation: type[Grid], rules: Rules, direction: Symmetry) -> None:
    cells = staircase(rules)
    assert Counter(tile for *_, tile in cells) == Counter({tile: n for tile, n in enumerate(rules.copies) if n})
    expected = stairs_expected(rules)
    # Both ends can be played on, 90 columns apart.
    assert {-1, 91} <= {x for moves in expected for move in moves for x, _, _ in move}
    for order in (cells, cells[::-1]) if implementation is _core.Grid else (cells,):
        grid = grid_of(implementation, [(*direction(x, y), tile) for x, y, tile in order], rules)
        for hand, moves in zip(stair_hands(rules), expected, strict=True):
            turned = {image(move, direction): score for move, score in moves.items()}
            assert moves_of(grid, hand) == turned
            assert grid.count(hand) == len(moves)
            assert all(grid.score(move) == score for move, score in list(turned.items())[::29])


@both
def test_a_staircase_grows_from_either_end_and_shrinks_again(implementation: type[Grid]) -> None:
    cells = staircase(CLASSIC)
    hand = tiles_of("RcOx")
    for direction in DIRECTIONS:
        for order in (cells, [cell for row in reversed(range(18)) for cell in cells[6 * row : 6 * row + 6]]):
            grid = implementation(CLASSIC)
            for row in range(18):
                move = [(*direction(x, y), tile) for x, y, tile in order[6 * row : 6 * row + 6]]
                if row:
                    # The row of six, and the column of two that joins it to the one before.
                    assert grid.score(move) == 14
                else:
                    place(grid, move)
                    first = moves_of(grid, hand)
                    continue
                place(grid, move)
            for _ in range(102):
                grid.take_back()
            assert moves_of(grid, hand) == first


@pytest.mark.parametrize("rules", [CLASSIC, FLEX], ids=["classic", "flex"])
def test_what_is_played_at_one_end_of_a_staircase_changes_nothing_at_the_other(rules: Rules) -> None:
    tried = 0
    for direction in DIRECTIONS:
        grid = grid_of(_core.Grid, [(*direction(x, y), tile) for x, y, tile in staircase(rules, 17)], rules)
        for hand in stair_hands(rules):
            before = moves_of(grid, hand)
            near = {move: score for move, score in before.items() if all(reach(cell) < 40 for cell in move)}
            assert near
            far = [move for move in before if any(reach(cell) > 80 for cell in move)]
            for move in far[:: len(far) // 8 + 1]:
                place(grid, move)
                assert near.items() <= moves_of(grid, hand).items()
                for _ in move:
                    grid.take_back()
                tried += 1
            assert moves_of(grid, hand) == before
    assert tried > 30


def reach(cell: Placed) -> int:
    return max(abs(cell[0]), abs(cell[1]))


# Rings, holes and gaps


def latin(cells: Sequence[Cell]) -> Board:
    """Row y of colour y, column x of shape x: every line is a line."""
    return {(x, y): y * 6 + x for x, y in cells}


RING_OF_EIGHT = latin([(x, y) for y in range(3) for x in range(3) if (x, y) != (1, 1)])
WIDE_RING = latin([(x, y) for y in range(6) for x in range(6) if x in (0, 5) or y in (0, 5)])
TWO_HOLES = latin([(x, y) for y in range(3) for x in range(5) if (x, y) not in ((1, 1), (3, 1))])


@both
def test_the_hole_of_a_ring_takes_the_one_tile_that_fits_all_round(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, RING_OF_EIGHT)
    # Row Oc Ox Od and column Rx Ox Yx.
    assert {tile: grid.score([(1, 1, tile)]) for tile in range(36)} == {
        tile: 6 if tile == 7 else None for tile in range(36)
    }
    assert moves_of(grid, [7])[((1, 1, 7),)] == 6
    grid.place(1, 1, 7)
    assert all(move[0][:2] not in ((1, 1),) for move in moves_of(grid, [7]))
    grid.take_back()
    assert moves_of(grid, [7])[((1, 1, 7),)] == 6


@both
def test_two_holes_are_filled_by_one_move_across_the_tile_between(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, TWO_HOLES)
    moves = moves_of(grid, tiles_of("OxOs"))
    # The row of five, and two columns of three.
    assert moves[move_of("Ox@1,1+Os@3,1")] == 11
    assert moves[move_of("Ox@1,1")] == moves[move_of("Os@3,1")] == 6
    assert move_of("Os@1,1+Ox@3,1") not in moves


@both
def test_the_inside_of_a_wide_ring(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, WIDE_RING)
    for hand in ("OxOd", "OxYx", "Ov", "OcRx"):
        tiles = tiles_of(hand)
        assert moves_of(grid, tiles) == brute_force(WIDE_RING, tiles, CLASSIC)
    # Four tiles close a row, which has six then; two of the four columns get a second tile at one end.
    inside = move_of("Ox@1,1+Od@2,1+Os@3,1+Ot@4,1")
    assert grid.score(inside) == 12 + 4 * 2
    assert moves_of(grid, tiles_of("OxOdOsOt"))[inside] == 20


@both
@pytest.mark.parametrize(
    ("board", "fills"),
    [
        # Three and two become six.
        ("RcRxRd1RsRt/2Bd1Bs/2GdGxGs", {"Rv": 12}),
        # Three and three would become seven.
        ("RcRxRd1RsRtRv/2Bd1Bs/2GdGxGs", {}),
        # One tile, the cross, is on both sides.
        ("RcRxRd1RxRt/2Bd1Bx/2GdGsGx", {}),
        # A line of red, and a blue tile: what goes with both is the red diamond, which is there already, or nothing.
        ("RcRxRd1Bd/2Gd1Yd/2OdGdPd", {}),
        ("RcRxRd1Bs/2Bd1Ys/2GdGxGs", {}),
        # Two diamonds: any other diamond joins them, and one below or two narrow the choice.
        ("Rd1Bd/Gd1Od/PdOdYd", {"Od": 3, "Yd": 3, "Gd": 3, "Pd": 3}),
        ("Rd1Bd/GdYdOd", {"Od": 5, "Gd": 5, "Pd": 5}),
        ("Rd1Bd/GdYdOd/1Od", {"Gd": 6, "Pd": 6}),
        # The row wants a circle, the column what is green or a star.
        ("Rc1Bc/RtGtBt", {"Gc": 5}),
    ],
)
def test_filling_a_gap(implementation: type[Grid], board: str, fills: dict[str, int]) -> None:
    tiles = board_of(board)
    row = {x for x, y in tiles if y == 0}
    gap = next(x for x in range(min(row), max(row)) if x not in row)
    grid = grid_of(implementation, tiles)
    wanted = {tile: fills.get(code) for tile, code in enumerate(CLASSIC.tile_set.codes)}
    assert {tile: grid.score([(gap, 0, tile)]) for tile in range(36)} == wanted
    for tile in range(36):
        assert moves_of(grid, [tile]).get(((gap, 0, tile),)) == wanted[tile]


@both
def test_two_tiles_fill_a_gap_of_two_or_two_gaps_to_six_and_never_to_seven(implementation: type[Grid]) -> None:
    wide = grid_of(implementation, board_of("RcRx2RdRs/1Bx2Bd/1GxGtGvGd"))
    moves = moves_of(wide, tiles_of("RtRv"))
    for move in ("Rt@2,0+Rv@3,0", "Rv@2,0+Rt@3,0"):
        assert moves[move_of(move)] == 12
    two = grid_of(implementation, board_of("Rc1Rx1RdRs/Oc1Ox1Od/YcYsYxYtYd"))
    # The row of six; above the gaps of row 1 no column is made.
    assert moves_of(two, tiles_of("RtRv"))[move_of("Rt@1,0+Rv@3,0")] == 12
    seven = grid_of(implementation, board_of("Rc1Rx1RdRsRt/Oc1Ox1Od/YcYsYxYtYd"))
    moves = moves_of(seven, tiles_of("RvRs"))
    assert moves[move_of("Rv@1,0")] == 3
    assert not [move for move in moves if {(1, 0), (3, 0)} <= {cell[:2] for cell in move}]


@both
def test_a_placement_that_surrounds_a_line_of_four(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, board_of("RcRxRdRs"))
    moves = moves_of(grid, tiles_of("RtRv"))
    ends = [move for move in moves if {(-1, 0), (4, 0)} == {cell[:2] for cell in move}]
    assert {moves[move] for move in ends} == {12}
    assert len(ends) == 2


# Scores


@both
def test_two_lines_of_six_in_one_move(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, board_of("RcRxRdRsRt/4OtOv/5Yv/5Gv/5Bv/5Pv"))
    assert grid.score(move_of("Rv@5,0")) == 24
    assert moves_of(grid, tiles_of("Rv"))[move_of("Rv@5,0")] == 24
    assert grid.top(tiles_of("RvRdBt"), 1)["score"].tolist() == [24]


@both
def test_seven_lines_of_six_in_one_move(implementation: type[Grid]) -> None:
    board = latin([(x, y) for y in range(5) for x in range(6)])
    grid = grid_of(implementation, board)
    hand = tiles_of("PcPxPdPsPtPv")
    # Above the block or below it.
    best = [[(x, y, tile) for x, tile in enumerate(hand)] for y in (-1, 5)]
    assert {score: move for move, score in moves_of(grid, hand).items()}[84] in map(in_order, best)
    assert grid.top(hand, 2)["score"].tolist() == [84, 84]
    assert all(grid.score(move) == 84 for move in best)


@both
def test_a_lone_opening_tile_scores_one_and_a_second_two(implementation: type[Grid]) -> None:
    grid = implementation(CLASSIC_ANY)
    assert grid.score([(0, 0, 5)]) == 1
    grid.place(0, 0, 5)
    assert set(moves_of(grid, [4]).values()) == {2}


# Hands


@both
@pytest.mark.parametrize("hand", ["RcRcRxRxRdRd", "RcRcOxOxYdYd", "RcRcRcRcRcRc", "RcRcRcRxRxRx", "RcOcRxOcRxOc"])
def test_a_hand_of_repeats_plays_as_a_hand_of_its_kinds(implementation: type[Grid], hand: str) -> None:
    board = board_of("1Yt/RsRtRv/1GtGv/1Bt")
    grid = grid_of(implementation, board)
    kinds = sorted(set(tiles_of(hand)))
    moves = moves_of(grid, tiles_of(hand))
    assert moves == moves_of(grid, kinds) == brute_force(board, kinds, CLASSIC)
    assert all(len({tile for *_, tile in move}) == len(move) for move in moves)


@both
def test_all_orders_of_six_tiles_beside_a_lone_one(implementation: type[Grid]) -> None:
    """Five tiles with the red circle are a row of six from each of six places, or they run beside it."""
    board = board_of("Rc")
    grid = grid_of(implementation, board)
    hand = tiles_of("RxRdRsRtRv")
    moves = moves_of(grid, hand)
    sixes = [move for move, score in moves.items() if score == 12]
    # 120 orders, six places for the circle, a row or a column.
    assert len(sixes) == 120 * 6 * 2
    for order in list(permutations(hand))[::13]:
        assert grid.score([(x, 0, tile) for x, tile in zip((-2, -1, 1, 2, 3), order, strict=True)]) == 12
        # In the row below, each tile has a place under the circle: five and two.
        assert grid.score([(x, 1, tile) for x, tile in zip(range(-2, 3), order, strict=True)]) == 7
    touching = [move for move, score in moves.items() if len(move) == 5 and score == 7]
    # Above, below, left, right; five ways to touch.
    assert len(touching) == 120 * 5 * 4


# The dead board


@both
def test_a_block_of_all_eighteen_circles_is_dead(implementation: type[Grid]) -> None:
    board = board_of("YcGcOcRcBcPc/BcRcYcGcPcOc/PcYcGcOcRcBc")
    for direction in DIRECTIONS:
        grid = grid_of(implementation, image(cells_of(board), direction))
        others = [tile for tile in range(36) if tile % 6]
        assert not grid.fits(others)
        assert grid.count(others[:6]) == 0
        assert moves_of(grid, tiles_of("RxRdRsRtRvOx")) == {}
        assert len(grid.top(others, 3)) == 0
        # With one tile less it is not: the circle itself fits, and what is of its colour beside it.
        grid.take_back()
        assert grid.fits([board[5, 2]])
        assert not grid.fits([tile for tile in others if tile // 6 != board[5, 2] // 6])


@both
def test_the_dead_board_ends_a_position(implementation: type[Grid]) -> None:
    text = "YcGcOcRcBcPc/BcRcYcGcPcOc/PcYcGcOcRcBc RsOdYtGvBxPd/?6 0/0 classic"
    position = Position(text, grid=implementation)
    assert position.end == "dead"
    assert len(position.legal_moves) == 0
    assert position.exchanges == []


# Order


@both
def test_any_order_of_laying_a_ring_gives_the_same_answers(implementation: type[Grid]) -> None:
    hand = tiles_of("OxRsYv")
    expected = moves_of(grid_of(implementation, RING_OF_EIGHT), hand)
    cells = cells_of(RING_OF_EIGHT)
    orders = list(permutations(cells))
    for order in orders[:: len(orders) // 40]:
        # Not every order is connected all the time; the finished board is what counts.
        grid = grid_of(implementation, order)
        assert moves_of(grid, hand) == expected
        ring = laid({}, order)
        assert set(grid.cells) == {(x, y, tile) for (x, y), tile in ring.items()}
