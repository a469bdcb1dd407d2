"""The reference rules, against the rule sheet's own example, written cases, and a judge of whole boards."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from itertools import chain, combinations, groupby, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qwirkle_fast.reference import (
    PLACEMENT,
    Board,
    Cell,
    Explanation,
    Grid,
    Line,
    Placed,
    explain,
    fault,
    fits_anywhere,
    frontier,
    is_set,
    largest_set,
    placements,
)
from qwirkle_fast.rules import Rules

DATA = Path(__file__).parent / "data"
CLASSIC = Rules("classic")
CLASSIC_ANY = Rules("classic", opening="any")
FLEX = Rules("flex")
FLEX_ANY = Rules("flex", opening="any")


# Reading, apart from the package's notation so that a mistake there cannot hide here


def rules_of(text: str) -> Rules:
    name, *options = text.split(";")
    values = dict(option.split("=") for option in options)
    typed: dict[str, Any] = {option: int(value) if value.isdigit() else value for option, value in values.items()}
    return Rules(name, **typed)


def hand_of(text: str, rules: Rules) -> list[int]:
    codes = re.findall(r"[ROYGBP][cxdstv][kwm]?", text.partition("?")[0])
    return [rules.tile_set.tile(code) for code in codes]


def board_of(text: str, rules: Rules) -> Board:
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


def move_of(text: str, rules: Rules) -> list[Placed]:
    placed = []
    for part in text.split("+"):
        code, _, cell = part.partition("@")
        x, y = map(int, cell.split(","))
        placed.append((x, y, rules.tile_set.tile(code)))
    return placed


def position_of(text: str) -> tuple[Board, list[list[int]], Rules]:
    board, hands, _, options = text.split(" ")
    rules = rules_of(options)
    return board_of(board, rules), [hand_of(hand, rules) for hand in hands.split("/")], rules


def laid(board: Board, move: list[Placed] | tuple[Placed, ...]) -> Board:
    return {**board, **{(x, y): tile for x, y, tile in move}}


def judge(board: str, move: str, rules: Rules = CLASSIC, hand: str | None = None) -> Explanation:
    tiles = None if hand is None else hand_of(hand, rules)
    return explain(board_of(board, rules), move_of(move, rules), rules, tiles)


def cases(name: str) -> list[Any]:
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


# The example game of the rule sheet

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


def test_the_example_game_scores_what_the_rule_sheet_says() -> None:
    board: Board = {}
    for line in EXAMPLE.strip().splitlines():
        figure, *tiles, score = line.split()
        move = move_of("+".join(tiles), CLASSIC)
        hand = [tile for _, _, tile in move]
        assert explain(board, move, CLASSIC, hand).score == int(score), figure
        assert placements(board, hand, CLASSIC)[tuple(sorted(move, key=lambda p: (p[1], p[0])))] == int(score), figure
        board = laid(board, move)
        assert fault(board, CLASSIC) is None
    drawn = "-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs"
    assert board == board_of(drawn, CLASSIC)


# Written cases


@pytest.mark.parametrize("case", cases("qwirkle") + cases("flex"), ids=lambda case: case.get("name", "flex"))
def test_written_case(case: dict[str, Any]) -> None:
    board, (hand, *_), rules = position_of(case["position"])
    found = placements(board, hand, rules)
    assert len(found) == case["legal"]
    assert max(found.values(), default=0) == case["best_score"]
    assert fits_anywhere(board, hand, rules) == (case["legal"] > 0)
    if "moves" in case:
        expected = {tuple(sorted(move_of(move, rules), key=lambda p: (p[1], p[0]))): score
                    for move, score in case["moves"].items()}  # fmt: skip
        assert found == expected
    for move in case.get("illegal", ()):
        assert not explain(board, move_of(move, rules), rules, hand).legal


# A judge that looks at whole boards only


def segments(board: Board, along: str, by_background: Rules | None = None) -> Iterator[list[Cell]]:
    """The maximal runs of a board: rows, columns, or diagonals of one background."""
    ways: dict[str, tuple[Callable[[Cell], int], Callable[[Cell], int]]] = {
        "row": (lambda c: c[1], lambda c: c[0]),
        "column": (lambda c: c[0], lambda c: c[1]),
        "falling": (lambda c: c[0] - c[1], lambda c: c[1]),
        "rising": (lambda c: c[0] + c[1], lambda c: c[1]),
    }
    track, place = ways[along]
    for _, cells in groupby(sorted(board, key=lambda c: (track(c), place(c))), key=track):
        run: list[Cell] = []
        for cell in cells:
            joined = run and place(cell) == place(run[-1]) + 1
            if joined and by_background is not None:
                joined = board[cell] % 3 == board[run[-1]] % 3
            if run and not joined:
                yield run
                run = []
            run.append(cell)
        yield run


def whole_board_score(before: Board, move: tuple[Placed, ...], rules: Rules) -> int | None:
    """The score of a move on a board that is not empty, ``None`` if it is illegal, from the board after it alone."""
    cells = {(x, y) for x, y, _ in move}
    if len(cells) < len(move) or cells & before.keys():
        return None
    if not any((x + dx, y + dy) in before for x, y in cells for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))):
        return None
    after = laid(before, move)
    per_symbol = 3 if rules.name == "flex" else 1
    score = 0
    together = False
    for along in ("row", "column"):
        for run in segments(after, along):
            if len(run) > 1:
                symbols = [divmod(after[cell] // per_symbol, 6) for cell in run]
                if any((a[0] == b[0]) == (a[1] == b[1]) for a, b in combinations(symbols, 2)):
                    return None
                if cells & set(run):
                    score += len(run) + (6 if len(run) == 6 else 0)
            together = together or cells <= set(run)
    if rules.name == "flex":
        for along in ("falling", "rising"):
            for run in segments(after, along, rules):
                if len(run) > 6:
                    return None
                if len(run) >= rules.diagonal_min and cells & set(run):
                    score += len(run) + (6 if len(run) == 6 else 0)
    return score if together else None


def brute_force(board: Board, hand: list[int], rules: Rules, *, in_line: bool) -> dict[tuple[Placed, ...], int]:
    """All moves among all ways to put some tiles of the hand on some cells of the box (those ``in_line`` only)."""
    reach = len(hand)
    xs = range(min(x for x, _ in board) - reach, max(x for x, _ in board) + reach + 1)
    ys = range(min(y for _, y in board) - reach, max(y for _, y in board) + reach + 1)
    box = [(x, y) for y in ys for x in xs if (x, y) not in board]
    tracks = [[c for c in box if c[1] == y] for y in ys] + [[c for c in box if c[0] == x] for x in xs]
    found = {}
    for size in range(1, reach + 1):
        for cells in chain(*(combinations(track, size) for track in (tracks if in_line else [box]))):
            for tiles in set(permutations(hand, size)):
                move = tuple((x, y, tile) for (x, y), tile in zip(cells, tiles, strict=True))
                score = whole_board_score(board, move, rules)
                if score is not None:
                    found[move] = score
    return found


def random_board(
    rules: Rules, seed: int, turns: int, background: int | None = None
) -> tuple[Board, list[int], random.Random]:
    """The board after some random turns, with tiles of one background alone if said, and the tiles left."""
    rng = random.Random(seed)
    bag = [tile for tile, copies in enumerate(rules.copies) for _ in range(copies)]
    bag = [tile for tile in bag if background in (None, rules.tile_set.background(tile))]
    rng.shuffle(bag)
    board: Board = {}
    hand: list[int] = []
    for _ in range(turns):
        while bag and len(hand) < 6:
            hand.append(bag.pop())
        found = sorted(placements(board, hand, rules))
        if not found:
            break
        move = rng.choice(found)
        board = laid(board, move)
        for _, _, tile in move:
            hand.remove(tile)
    return board, hand + bag, rng


@pytest.mark.parametrize("rules", [CLASSIC_ANY, FLEX_ANY, Rules("flex", diagonal_min=3, opening="any")], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_brute_force_on_all_cells(rules: Rules, seed: int) -> None:
    board, left, _ = random_board(rules, seed, 2)
    hand = left[:2]
    assert placements(board, hand, rules) == brute_force(board, hand, rules, in_line=False)


@pytest.mark.parametrize("rules", [CLASSIC_ANY, FLEX_ANY], ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_brute_force_in_line(rules: Rules, seed: int) -> None:
    board, left, rng = random_board(rules, 100 + seed, 2)
    # Tiles that go with one on the board, for long placements; with a repeat in some hands.
    like = rng.choice(list(board.values()))
    friends = [tile for tile in left if is_set((like, tile), rules.tile_set)]
    hand = (friends if seed % 2 else friends[:1] * 2 + friends[1:] if rules is CLASSIC_ANY else friends[::-1])[:3]
    assert placements(board, hand, rules) == brute_force(board, hand, rules, in_line=True)


def staircase(background: int, steps: int) -> Board:
    """A staircase from 0,0 whose every second tile, on the falling diagonal, has this background."""
    codes = ["Rc", "Rx", "Bx", "Bd", "Gd", "Gs", "Ys", "Yt", "Ot", "Ov", "Pv", "Px"][:steps]
    one, two, three = background, (background + 1) % 3, (background + 2) % 3
    return {
        ((step + 1) // 2, step // 2): FLEX.tile_set.tile(code + "k") + (one, two, one, three)[step % 4]
        for step, code in enumerate(codes)
    }


@pytest.mark.parametrize("background", range(3))
@pytest.mark.parametrize("steps", [9, 10, 11, 12])
def test_brute_force_at_the_end_of_a_long_diagonal(background: int, steps: int) -> None:
    board = staircase(background, steps)
    assert fault(board, FLEX) is None
    for tile in range(108):
        assert placements(board, [tile], FLEX) == brute_force(board, [tile], FLEX, in_line=True)


@pytest.mark.parametrize("seed", range(8))
def test_brute_force_on_one_background(seed: int) -> None:
    """Boards of white tiles alone, where diagonals soon reach six, and joining two of them may pass it."""
    board, left, _ = random_board(FLEX, seed, 9, background=1)
    assert fault(board, FLEX) is None
    for tile in left:
        assert placements(board, [tile], FLEX) == brute_force(board, [tile], FLEX, in_line=True)


@pytest.mark.parametrize("rules", [CLASSIC, FLEX], ids=str)
def test_every_listed_placement_is_legal_and_scores_as_explained(rules: Rules) -> None:
    for seed in range(6):
        board, left, _ = random_board(rules, seed, 4 + 2 * seed)
        hand = left[:6]
        for move, score in placements(board, hand, rules).items():
            explanation = explain(board, move[::-1], rules, hand)
            assert explanation.reason is None
            assert explanation.legal
            assert explanation.score == score == sum(line.points for line in explanation.lines)
            assert score == whole_board_score(board, move, rules)
            assert fault(laid(board, move), rules) is None


@pytest.mark.parametrize("rules", [CLASSIC, FLEX], ids=str)
def test_explain_agrees_with_the_judge_on_any_move(rules: Rules) -> None:
    verdicts = {True: 0, False: 0}
    shape = rules.tile_set.shape
    for seed in range(20):
        board, left, rng = random_board(rules, seed, 3)
        spots = frontier(board) + list(board)[:2]
        alike = [tile for tile in left if shape(tile) == shape(left[0])]
        for _ in range(150):
            x, y = rng.choice(spots)
            others = [(x + rng.randrange(3), y + rng.choice((0, 0, 0, 1))) for _ in range(rng.randrange(3))]
            move = tuple((*cell, rng.choice(rng.choice((left, alike)))) for cell in [(x, y), *others])
            explanation = explain(board, move, rules)
            assert explanation.score == whole_board_score(board, move, rules), explanation
            assert explanation.legal == (explanation.reason is None) == (explanation.score is not None)
            verdicts[explanation.legal] += 1
    assert min(verdicts.values()) > 50


# The opening


def test_opening_is_a_set_of_the_largest_size_in_every_order() -> None:
    hand = hand_of("RcRdRsBcBdPt", CLASSIC)
    expected = {tuple((x, 0, tile) for x, tile in enumerate(order)): 3 for order in permutations(hand[:3])}
    assert placements({}, hand, CLASSIC) == expected
    sizes = [len(move) for move in placements({}, hand, CLASSIC_ANY)]
    # Six lone tiles; three pairs of red, one of blue, two circles, two diamonds, both ways; three reds six ways.
    assert [sizes.count(size) for size in (1, 2, 3, 4)] == [6, 12, 6, 0]


def test_opening_with_several_largest_sets_may_be_any_of_them() -> None:
    assert len(placements({}, hand_of("RcRdBcGt", CLASSIC), CLASSIC)) == 4
    assert len(placements({}, hand_of("RcRc", CLASSIC), CLASSIC)) == 1
    assert placements({}, [], CLASSIC) == placements({}, [], CLASSIC_ANY) == {}


def test_lone_opening_tile_scores_one() -> None:
    assert placements({}, hand_of("RcBd", CLASSIC), CLASSIC) == {((0, 0, 0),): 1, ((0, 0, 26),): 1}
    assert judge("-", "Rc@0,0", hand="RcBd") == Explanation(True, 1, (), None)
    assert judge("-", "Rck@0,0", FLEX) == Explanation(True, 1, (), None)


def test_flex_opening_ignores_backgrounds_and_makes_no_diagonal() -> None:
    hand = hand_of("RckRcwRdkRswBtm", FLEX)
    assert largest_set(hand, FLEX) == 3
    found = placements({}, hand, FLEX)
    assert len(found) == 12
    assert set(found.values()) == {3}


def test_six_opening_tiles_score_the_bonus() -> None:
    assert judge("-", "Rc@0,0+Rx@1,0+Rd@2,0+Rs@3,0+Rt@4,0+Rv@5,0", hand="RcRxRdRsRtRv").score == 12


def test_opening_may_run_down_and_need_not_name_a_hand() -> None:
    down = judge("-", "Rd@0,1+Rc@0,0", hand="RcRd")
    assert down == Explanation(True, 2, (Line("column", ((0, 0), (0, 1)), 2),), None)
    assert judge("-", "Rd@0,0").legal


@pytest.mark.parametrize(
    ("hand", "size"), [("", 0), ("Rc", 1), ("RcRcRc", 1), ("RcBd", 1), ("RcRdBd", 2), ("RcOcYcRdRsRtRt", 4)]
)
def test_largest_set(hand: str, size: int) -> None:
    assert largest_set(hand_of(hand, CLASSIC), CLASSIC) == size


# Lines


def test_lines_in_order_the_main_one_first() -> None:
    row = judge("RcRx/BcBx", "Pc@0,-1+Px@1,-1+Pd@2,-1")
    assert row.lines == (
        Line("row", ((0, -1), (1, -1), (2, -1)), 3),
        Line("column", ((0, -1), (0, 0), (0, 1)), 3),
        Line("column", ((1, -1), (1, 0), (1, 1)), 3),
    )
    assert row.score == 9
    column = judge("RcRx/1Bx", "Bs@2,1+Ys@2,2")
    assert column.lines == (
        Line("column", ((2, 1), (2, 2)), 2),
        Line("row", ((1, 1), (2, 1)), 2),
    )
    assert column.score == 4


def test_lone_tile_has_its_row_first() -> None:
    lines = judge("RcRx/Bc", "Bx@1,1").lines
    assert lines == (Line("row", ((0, 1), (1, 1)), 2), Line("column", ((1, 0), (1, 1)), 2))


def test_diagonals_come_last_from_top_to_bottom() -> None:
    explanation = judge("RckRxwRdk/BckBxw", "Gck@0,2+Gxk@1,2", FLEX)
    assert explanation.lines == (
        Line("row", ((0, 2), (1, 2)), 2),
        Line("column", ((0, 0), (0, 1), (0, 2)), 3),
        Line("column", ((1, 0), (1, 1), (1, 2)), 3),
        Line("diagonal", ((0, 1), (1, 2)), 2),
    )
    assert explanation.score == 10
    assert judge("RckRxwRdk/BckBxw", "Gck@0,2+Gxk@1,2", Rules("flex", diagonal_min=3)).score == 8
    both = judge("RckRxwRdk/BckBxw", "Bdw@2,1", FLEX)
    assert both.lines[-1] == Line("diagonal", ((1, 0), (2, 1)), 2)


def test_a_rising_diagonal_of_three() -> None:
    explanation = judge("RckRxwRdk/BckBxk", "Gck@0,2", FLEX)
    assert explanation.lines[-1] == Line("diagonal", ((2, 0), (1, 1), (0, 2)), 3)


def test_another_background_or_an_empty_cell_ends_a_diagonal() -> None:
    assert judge("RckRxw/BcwBxk", "Gcw@0,2+Gxk@1,2", FLEX).score == 8
    assert judge("RckRxw/BcwBxw", "Gcm@0,2+Gxw@1,2", FLEX).lines[-1] == Line("diagonal", ((0, 1), (1, 2)), 2)


def test_two_lines_of_six_give_two_bonuses() -> None:
    board = "RcRxRdRsRt/5Ov/5Yv/5Gv/5Bv/5Pv"
    explanation = judge(board, "Rv@5,0")
    assert explanation.score == 24
    assert [line.points for line in explanation.lines] == [12, 12]


# Why not


@pytest.mark.parametrize(
    ("board", "move", "hand", "reason"),
    [
        ("Rc", "Rc@0,0", None, "0,0 already holds Rc"),
        ("Rc", "Rd@1,0+Rs@1,0", None, "two tiles are placed on 1,0"),
        ("Rc", "Rd@1,0", "RsRt", "the hand holds no Rd"),
        ("Rc", "Rd@1,0+Rd@2,0", "RdRt", "the hand holds 1 Rd, not 2"),
        ("Rc", "Rd@1,0+Rs@0,1", None, "1,0 and 0,1 are not in one row or column"),
        ("Rc", "Rd@1,0+Rs@2,0+Rx@1,1", None, "2,0 and 1,1 are not in one row or column"),
        ("Rc", "Rd@1,0+Bs@2,0", None, "the placed tiles include Rd and Bs, which share neither colour nor shape"),
        ("Rc", "Rd@1,0+Rs@2,0+Bd@3,0", None,
         "the placed tiles include Rs and Bd, which share neither colour nor shape"),
        ("Rc", "Rd@1,0+Rd@2,0", None, "the placed tiles include Rd twice"),
        ("Rc", "Rd@1,0+Rs@3,0", None, "2,0, between the placed tiles, is empty"),
        ("Rc", "Rd@1,0+Rs@2,0+Rt@4,0", None, "3,0, between the placed tiles, is empty"),
        ("Rc1Rd", "Rs@-1,0+Rt@3,0", None, "1,0, between the placed tiles, is empty"),
        ("Rc/Oc/Yc", "Rs@1,0+Ys@1,2", None, "1,1, between the placed tiles, is empty"),
        ("Rc", "Rd@1,1", None, "no tile of the board touches 1,1 edge to edge"),
        ("Rc", "Rd@5,5+Rx@6,5", None, "no tile of the board touches 5,5 or 6,5 edge to edge"),
        ("Rc", "Bd@1,0", None, "the row through 1,0 would include Rc and Bd, which share neither colour nor shape"),
        ("Rc", "Rc@0,1", None, "the column through 0,1 would include Rc twice"),
        ("RcRd", "Rs@2,0+Rc@3,0", None, "the row through 2,0 would include Rc twice"),
        ("RcRd1RcRx", "Rs@2,0", None, "the row through 2,0 would include Rc twice"),
        ("RcRxRdRsRtRv", "Rc@6,0", None, "the row through 6,0 would have 7 tiles, over 6"),
        ("RcRx/Bc", "Rs@1,1+Rt@2,1", None,
         "the row through 1,1 would include Bc and Rs, which share neither colour nor shape"),
        ("Ov/Os/Od/OcBc/1Bx", "Ot@0,4", None,
         "the row through 0,4 would include Ot and Bx, which share neither colour nor shape"),
        ("-", "Rc@1,0", None, "the opening must start at 0,0, not at 1,0"),
        ("-", "Rc@-1,0+Rd@0,0", None, "the opening must start at 0,0, not at -1,0"),
        ("-", "Rc@0,0+Rd@2,0", None, "1,0, between the placed tiles, is empty"),
        ("-", "Rc@0,0+Rd@1,0", "RcRdRs", "the opening must place 3 tiles, the largest set in the hand, not 2"),
    ],
)  # fmt: skip
def test_reason(board: str, move: str, hand: str | None, reason: str) -> None:
    explanation = judge(board, move, hand=hand)
    assert explanation == Explanation(False, None, (), reason)


def test_reason_for_a_wrong_number() -> None:
    assert explain({}, [], CLASSIC).reason == "no tiles are placed, expected 1 to 6"
    seven = [(x, 0, x) for x in range(7)]
    assert explain({}, seven, CLASSIC).reason == "7 tiles are placed, expected 1 to 6"


def test_reason_for_a_repeat_whatever_the_backgrounds() -> None:
    assert judge("Rck", "Rcw@1,0", FLEX).reason == "the row through 1,0 would include Rck and Rcw, the same symbol"
    together = judge("Rck", "Rdk@1,0+Rdw@2,0", FLEX)
    assert together.reason == "the placed tiles include Rdk and Rdw, the same symbol"


def test_reason_for_a_diagonal_over_six() -> None:
    board = staircase(0, 12)
    for code, reason in (
        ("Rxk", "the diagonal through 6,6 would have 7 tiles of one background, over 6"),
        ("Rxw", None),
    ):
        assert explain(board, [(6, 6, FLEX.tile_set.tile(code))], FLEX).reason == reason
    assert explain(board, [(6, 6, FLEX.tile_set.tile("Rxk"))], Rules("flex", diagonal_min=6)).reason is not None


def test_any_opening_size_when_the_option_says_so() -> None:
    assert judge("-", "Rc@0,0+Rd@1,0", CLASSIC_ANY, "RcRdRs").legal


# Whole boards


@pytest.mark.parametrize(
    ("board", "rules", "expected"),
    [
        ("-", CLASSIC, None),
        ("Rc", CLASSIC, None),
        ("RvBdRc", CLASSIC, ("row", 1, 0)),
        ("RcRdRc", CLASSIC, ("row", 2, 0)),
        ("Rc/Rd/Rc", CLASSIC, ("column", 0, 2)),
        ("-1,-3:Rc/Rd/Rc", CLASSIC, ("column", -1, -1)),
        ("RcRxRdRsRtRvRc", CLASSIC, ("row", 6, 0)),
        ("Rc1Rd", CLASSIC, ("island", 2, 0)),
        ("1Rc/Rd", CLASSIC, ("island", 0, 1)),
        ("RcRd/1Bd/3Gd", CLASSIC, ("island", 3, 2)),
        ("Rc1Bc/RdRsRt", CLASSIC, ("column", 2, 1)),
        ("Rc1Rt/RdRsBt", CLASSIC, ("row", 2, 1)),
        ("1Rc/RdBc", CLASSIC, ("row", 1, 1)),
        ("RcRcBs/5Gv", CLASSIC, ("row", 1, 0)),
        # The first tile of the far part breaks no line, the row that follows it does: the island comes first.
        ("Rc/1RdBs", CLASSIC, ("island", 1, 1)),
        ("RckRcw", FLEX, ("row", 1, 0)),
    ],
)
def test_fault(board: str, rules: Rules, expected: tuple[str, int, int] | None) -> None:
    assert fault(board_of(board, rules), rules) == expected


@pytest.mark.parametrize("mirror", [False, True])
def test_fault_of_a_diagonal_over_six(mirror: bool) -> None:
    codes = ["Rc", "Rx", "Bx", "Bd", "Gd", "Gs", "Ys", "Yt", "Ot", "Ov", "Pv", "Pc", "Rc"]
    cells = [((step + 1) // 2 * (-1 if mirror else 1), step // 2) for step in range(13)]
    tiles = [FLEX.tile_set.tile(code + "kwkm"[step % 4]) for step, code in enumerate(codes)]
    assert fault(dict(zip(cells[:12], tiles[:12], strict=True)), FLEX) is None
    assert fault(dict(zip(cells, tiles, strict=True)), FLEX) == ("diagonal", -6 if mirror else 6, 6)


def test_dead_board() -> None:
    case = next(case for case in cases("qwirkle") if case["name"] == "dead board")
    board, _, rules = position_of(case["position"])
    left = [tile for tile in range(36) if tile not in board.values()]
    assert len(left) == 30
    assert not fits_anywhere(board, left, rules)
    assert fits_anywhere({}, [0], rules)
    assert not fits_anywhere({}, [], rules)
    assert not fits_anywhere({(0, 0): 0}, [], rules)


def test_frontier() -> None:
    assert frontier({(0, 0): 0, (1, 0): 1}) == [(0, -1), (1, -1), (-1, 0), (2, 0), (0, 1), (1, 1)]
    assert frontier({}) == []


# The grid


def grid_of(board: Board, rules: Rules) -> Grid:
    grid = Grid(rules)
    assert grid.load([(x, y, tile) for (x, y), tile in board.items()])
    return grid


def move_of_record(record: Any) -> tuple[Placed, ...]:
    dx, dy = ((1, 0), (0, 1))[int(record["axis"])]
    x, y = int(record["x"]), int(record["y"])
    return tuple((x + i * dx, y + i * dy, int(tile) - 1) for i, tile in enumerate(record["tiles"]) if tile)


def test_grid_places_and_takes_back() -> None:
    grid = Grid(CLASSIC)
    assert (len(grid), grid.cells) == (0, [])
    with pytest.raises(ValueError, match="nothing to take back"):
        grid.take_back()
    grid.place(0, 0, 5)
    grid.place(-1, 0, 3)
    assert (len(grid), grid.cells) == (2, [(0, 0, 5), (-1, 0, 3)])
    twin = grid.copy()
    grid.take_back()
    assert grid.cells == [(0, 0, 5)]
    assert twin.cells == [(0, 0, 5), (-1, 0, 3)]
    assert grid.load([(7, 8, 9)])
    assert grid.cells == [(7, 8, 9)]
    assert not grid.load([(0, 0, 1), (2, 0, 1)])
    assert grid.cells == []
    assert not grid.load([(0, 0, 1), (0, 0, 2)])


def test_grid_hash_is_that_of_the_set_of_tiles() -> None:
    board = board_of("-1000000,-1000000:RcRdRs", CLASSIC)
    cells = [(x, y, tile) for (x, y), tile in board.items()]
    hashes = set()
    for order in permutations(cells):
        grid = Grid(CLASSIC)
        grid.load(order)
        hashes.add(grid.hash)
    assert len(hashes) == 1
    assert 0 <= hashes.pop() < 1 << 64
    assert Grid(CLASSIC).hash == 0
    lone = set()
    for x, y, tile in [(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (1000000, -1000000, 7)]:
        grid = Grid(CLASSIC)
        grid.place(x, y, tile)
        lone.add(grid.hash)
    assert len(lone) == 7


@pytest.mark.parametrize("rules", [CLASSIC, FLEX], ids=str)
@pytest.mark.parametrize("turns", [0, 3, 9])
def test_grid_lists_the_same_placements(rules: Rules, turns: int) -> None:
    board, left, _ = random_board(rules, turns, turns)
    grid, hand = grid_of(board, rules), left[:6]
    records = grid.placements(hand)
    expected = placements(board, hand, rules)
    assert records.dtype == PLACEMENT
    assert grid.count(hand) == len(records) == len(expected)
    assert {tuple(sorted(move_of_record(r), key=lambda p: (p[1], p[0]))): int(r["score"]) for r in records} == expected
    assert all(r["axis"] == 0 for r in records if np.count_nonzero(r["tiles"]) == 1)
    for move, score in expected.items():
        assert grid.score(move) == score
    assert grid.score([(50, 50, 0), (60, 60, 1)]) is None
    assert grid.fits(hand) == fits_anywhere(board, hand, rules)


def test_grid_skips_board_tiles_in_a_record() -> None:
    grid = grid_of(board_of("RcRxRd", CLASSIC), CLASSIC)
    records = grid.placements(hand_of("RsRt", CLASSIC))
    ends = [r for r in records if list(r["tiles"]) == [4, 0, 0, 0, 5, 0]]
    assert [(int(r["x"]), int(r["y"]), int(r["score"]), int(r["axis"])) for r in ends] == [(-1, 0, 5, 0)]


def test_grid_score_does_not_ask_for_the_opening_size() -> None:
    assert Grid(CLASSIC).score(move_of("Rc@0,0+Rd@1,0", CLASSIC)) == 2


def test_grid_top_keeps_ties() -> None:
    board, left, _ = random_board(CLASSIC, 2, 6)
    grid, hand = grid_of(board, CLASSIC), left[:6]
    every = sorted((int(score) for score in grid.placements(hand)["score"]), reverse=True)
    for n in (0, 1, 2, 3, 5, 8, len(every) - 1, len(every), len(every) + 1):
        scores = [int(score) for score in grid.top(hand, n)["score"]]
        assert scores == ([score for score in every if score >= every[min(n, len(every)) - 1]] if n else [])
    assert len(grid.top([], 3)) == len(grid.placements([])) == 0
    assert grid.top([], 3).dtype == PLACEMENT


def test_coordinates_are_not_limited() -> None:
    board: Board = {(-1_000_000, 1_000_000): 0}
    assert len(placements(board, [1], CLASSIC)) == 4
    records = grid_of(board, CLASSIC).placements([1])
    assert {(int(r["x"]), int(r["y"])) for r in records} == set(frontier(board))


# Sequences of placements


def sequences(board: Board, hands: list[list[int]], rules: Rules, depth: int) -> int:
    hand, *others = hands
    found = placements(board, hand, rules)
    if depth == 1:
        return len(found) or 1
    total = 0
    for move in found or ((),):
        rest = list(hand)
        for _, _, tile in move:
            rest.remove(tile)
        total += sequences(laid(board, move), [*others, rest], rules, depth - 1)
    return total


PERFT = json.loads((DATA / "perft.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", PERFT, ids=range(len(PERFT)))
def test_perft(entry: dict[str, Any]) -> None:
    board, hands, rules = position_of(entry["position"])
    assert fault(board, rules) is None
    nodes = entry["nodes"]
    cheap = [depth for depth in range(1, len(nodes) + 1) if depth == 1 or nodes[depth - 2] <= 60]
    assert [sequences(board, hands, rules, depth) for depth in cheap] == nodes[: len(cheap)]
