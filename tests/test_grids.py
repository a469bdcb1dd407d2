"""One suite over both implementations, the core and the reference: what they list, score, load and take back."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations
from math import factorial
from typing import Any

import compare
import pytest
from boards import (
    CLASSIC,
    CLASSIC_ANY,
    FLEX,
    FLEX_ANY,
    SYMMETRIES,
    VARIANTS,
    board_of,
    both,
    brute_force,
    every_rules,
    grid_of,
    grow,
    image,
    in_order,
    judged,
    moves_of,
    place,
    sound,
    tiles_of,
)
from compare import Placed, Placement
from hypothesis import given, settings
from hypothesis import strategies as st

from qwirkle_fast import _core, reference
from qwirkle_fast.move import PLACEMENT
from qwirkle_fast.position import Grid
from qwirkle_fast.rules import Rules

# The two against each other, over whole games


@every_rules
def test_whole_games_are_the_same_on_both(rules: Rules) -> None:
    totals = compare.run(rules, seed=1000, positions=220)
    assert totals.positions >= 220
    assert totals.games >= 3
    assert totals.moves > 20 * totals.positions


@settings(max_examples=120, deadline=None)
@given(
    rules=st.sampled_from(VARIANTS),
    seed=st.integers(0, 2**32),
    turns=st.integers(0, 45),
    greed=st.sampled_from([0.0, 0.5, 1.0]),
    start=st.integers(0, 40),
    size=st.integers(0, 6),
)
def test_any_position_is_the_same_on_both(
    rules: Rules, seed: int, turns: int, greed: float, start: int, size: int
) -> None:
    cells, left = grow(rules, seed, turns, greed)
    native, plain = (grid_of(implementation, cells, rules) for implementation in (_core.Grid, reference.Grid))
    compare.compare(native, plain, left[start : start + size], random.Random(seed))


@settings(max_examples=80, deadline=None)
@given(
    rules=st.sampled_from(VARIANTS),
    seed=st.integers(0, 2**32),
    turns=st.integers(0, 25),
    kinds=st.lists(st.integers(0, 107), min_size=1, max_size=3),
    choice=st.lists(st.integers(0, 2), max_size=6),
)
def test_any_hand_of_few_kinds_is_the_same_on_both(
    rules: Rules, seed: int, turns: int, kinds: list[int], choice: list[int]
) -> None:
    cells, _ = grow(rules, seed, turns)
    native, plain = (grid_of(implementation, cells, rules) for implementation in (_core.Grid, reference.Grid))
    tiles = len(rules.copies)
    compare.compare(native, plain, [kinds[i % len(kinds)] % tiles for i in choice], random.Random(seed))


@pytest.mark.parametrize("rules", [CLASSIC, FLEX], ids=["classic", "flex"])
def test_the_comparison_reports_a_wrong_score_with_a_position_that_reproduces_it(
    rules: Rules, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A reference that knows no bonus of six.
    monkeypatch.setattr(reference, "_points", lambda length: length)
    assert compare.main(["--positions", "400", "--seed", "3", "--rules", rules.name]) == 1
    what, position, _ = capsys.readouterr().out.splitlines()
    assert what.startswith("seed ")
    assert "in the reference" in what
    board, hands, *_ = position.removeprefix("position: ").split(" ")
    hand = tiles_of(hands.split("/")[0], rules)
    right, wrong = (
        moves_of(grid_of(implementation, board_of(board, rules), rules), hand)
        for implementation in (_core.Grid, reference.Grid)
    )
    assert right.keys() == wrong.keys()
    assert {right[move] - score for move, score in wrong.items()} >= {0, 6}


def test_the_comparison_reports_a_missing_placement(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    every = reference.placements

    def but_columns(*asked: Any) -> dict[Placement, int]:
        return {move: score for move, score in every(*asked).items() if len({x for x, _, _ in move}) == len(move)}

    monkeypatch.setattr(reference, "placements", but_columns)
    assert compare.main(["--positions", "50"]) == 1
    assert "only the core lists" in capsys.readouterr().out


def test_the_comparison_says_what_it_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["--positions", "20", "--seed", "7", "--rules", "flex;tiles=starter"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("20 positions and ")
    assert "seeds 7 to 7" in out


# Each against judges that look at whole boards


@both
@every_rules
@pytest.mark.parametrize("seed", range(3))
def test_placements_are_those_of_brute_force(implementation: type[Grid], rules: Rules, seed: int) -> None:
    cells, left = grow(rules, seed, 3)
    grid = grid_of(implementation, cells, rules)
    hand = left[2:4]
    assert moves_of(grid, hand) == brute_force({(x, y): tile for x, y, tile in cells}, hand, rules)


@both
@every_rules
def test_every_listed_placement_scores_what_a_judge_of_the_board_after_it_says(
    implementation: type[Grid], rules: Rules
) -> None:
    chance = random.Random(5)
    for turns in (2, 6, 12, 20):
        cells, left = grow(rules, turns, turns)
        grid = grid_of(implementation, cells, rules)
        board = {(x, y): tile for x, y, tile in cells}
        moves = moves_of(grid, left[:6])
        for move, score in chance.sample(sorted(moves.items()), min(len(moves), 60)):
            assert grid.score(chance.sample(move, len(move))) == score
            assert judged(board, move, rules) == score


@both
@every_rules
def test_any_move_scores_as_the_reference_explains_and_the_judge_says(implementation: type[Grid], rules: Rules) -> None:
    chance = random.Random(6)
    verdicts = {True: 0, False: 0}
    for turns in range(1, 25, 3):
        cells, left = grow(rules, 100 + turns, turns)
        grid = grid_of(implementation, cells, rules)
        board = {(x, y): tile for x, y, tile in cells}
        moves = sorted(moves_of(grid, left[:6]))
        for move in compare.spoilt(moves, grid, chance, 40):
            score = grid.score(move)
            assert score == reference.explain(board, move, rules).score == judged(board, move, rules), move
            verdicts[score is not None] += 1
    assert min(verdicts.values()) > 20


@both
def test_moves_that_are_no_placement_at_all_have_no_score(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, board_of("RcRx"))
    red = [tile for code in ("Rd", "Rs", "Rt", "Rv") for tile in tiles_of(code)]
    far = [(x, 0, tile) for x, tile in zip(range(10**6, 10**6 + 4), red, strict=True)]
    seven = [(x, 0, tile) for x, tile in zip(range(2, 9), [*red, 0, 1, 2], strict=True)]
    twice = [(2, 0, red[0]), (2, 0, red[1])]
    for move in ([], far, seven, twice, [(0, 0, red[0])], [(2, 0, red[0]), (2, 1, red[1]), (3, 0, red[2])]):
        assert grid.score(move) is None, move


# The ways to ask


@both
@every_rules
def test_count_fits_and_top_follow_from_the_list(implementation: type[Grid], rules: Rules) -> None:
    for turns in (0, 1, 4, 9, 16):
        cells, left = grow(rules, 200 + turns, turns)
        grid = grid_of(implementation, cells, rules)
        for hand in (left[:6], left[3:5], left[:1], []):
            moves = moves_of(grid, hand)
            assert grid.count(hand) == len(moves)
            assert grid.fits(hand) == bool(moves)
            scores = sorted(moves.values(), reverse=True)
            for n in {0, 1, 2, 3, 5, 10, 50, len(scores) - 1, len(scores), len(scores) + 1} - {-1}:
                top = grid.top(hand, n)
                # The first n of the list, and the equals of the last of them.
                wanted = [score for score in scores if score >= scores[min(n, len(scores)) - 1]] if n else []
                assert top["score"].tolist() == wanted
                assert compare.listed(top).items() <= moves.items()


@both
@every_rules
def test_repeats_and_the_order_of_the_hand_change_nothing(implementation: type[Grid], rules: Rules) -> None:
    for turns in (0, 3, 11):
        cells, left = grow(rules, 300 + turns, turns)
        grid = grid_of(implementation, cells, rules)
        one, two, three = dict.fromkeys(left[:9]).keys() and list(dict.fromkeys(left))[:3]
        expected = moves_of(grid, [one, two, three])
        for hand in ([one, one, two, two, three, three], [three, one, two, one, one], [two, three, two, one]):
            assert moves_of(grid, hand) == expected
            assert grid.count(hand) == len(expected)
            assert compare.listed(grid.top(hand, 10**6)) == expected


@both
def test_arrays_are_of_the_documented_record_and_outlive_their_grid(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, board_of("RcRxRd"))
    hand = tiles_of("RsRt")
    array = grid.placements(hand)
    before = array.tobytes()
    grid.place(3, 0, hand[0])
    grid.placements(tiles_of("RtRvBsBtBvOs"))
    del grid
    assert array.dtype == PLACEMENT
    assert array.base is None or array.base.flags.owndata
    assert array.flags.c_contiguous
    assert array.tobytes() == before
    both_ends = [record for record in array.tolist() if record[2].tolist() == [4, 0, 0, 0, 5, 0]]
    assert [(x, y, score, axis) for x, y, _, score, axis in both_ends] == [(-1, 0, 5, 0)]


# The opening


def number_of_orders(size: int, sets: int) -> int:
    return factorial(size) * sets


@both
@pytest.mark.parametrize(
    ("hand", "largest", "sets"),
    [
        ("Rc", 1, 1),
        ("RcRcRcRcRcRc", 1, 1),  # all the same, though the box has but three
        ("RcOxYdGsBtPv", 1, 6),  # no two go together
        ("RcRcRxRxRdRd", 3, 1),  # three pairs of one colour
        ("RcRcOxOxYdYd", 1, 3),  # three pairs that do not go together
        ("RcRxOdOsYtYv", 2, 3),  # three sets of two
        ("RcRxRdRsRtRv", 6, 1),  # all of one colour
        ("RcOcYcGcBcPc", 6, 1),  # all of one shape
        ("RcRxRdRsRtBv", 5, 1),
        ("RcRxRdOcYcGc", 4, 1),  # Rc is in both sets, of 3 and of 4
        ("RcRxRdRcOcYc", 3, 2),  # two sets of three that share Rc
        ("RcRxRdBsBtBv", 3, 2),
        ("RcRxOcOxYcYx", 3, 2),  # colours in pairs, shapes in threes
        ("RcRxOcOx", 2, 4),
    ],
)
def test_the_opening_is_every_order_of_every_largest_set(
    implementation: type[Grid], hand: str, largest: int, sets: int
) -> None:
    moves = moves_of(implementation(CLASSIC), tiles_of(hand))
    assert len(moves) == number_of_orders(largest, sets)
    assert {len(move) for move in moves} == {largest}
    assert set(moves.values()) == {largest + (6 if largest == 6 else 0)}
    assert all([(x, y) for x, y, _ in move] == [(i, 0) for i in range(largest)] for move in moves)


@both
@pytest.mark.parametrize("rules", [CLASSIC_ANY, FLEX_ANY], ids=["classic", "flex"])
def test_an_opening_of_any_size(implementation: type[Grid], rules: Rules) -> None:
    background = "" if rules is CLASSIC_ANY else "m"
    hand = [tile for code in ("Rc", "Rx", "Rd", "Oc", "Gs") for tile in tiles_of(code + background, rules)]
    # The sets: 5 of one, RcRx RcRd RxRd RcOc of two, RcRxRd of three.
    moves = moves_of(implementation(rules), hand)
    sizes = [len(move) for move in moves]
    assert [sizes.count(size) for size in range(1, 7)] == [5, 8, 6, 0, 0, 0]
    assert all(score == len(move) for move, score in moves.items())


@both
def test_no_opening_without_a_hand(implementation: type[Grid]) -> None:
    for rules in VARIANTS:
        grid = implementation(rules)
        assert moves_of(grid, []) == {}
        assert grid.count([]) == 0
        assert not grid.fits([])
        assert grid.fits([5])
        assert len(grid.top([], 5)) == 0


@both
@every_rules
def test_openings_have_the_score_they_are_listed_with_and_may_run_down(
    implementation: type[Grid], rules: Rules
) -> None:
    hand = [tile for tile, copies in enumerate(rules.copies) if copies][:12:2]
    grid = implementation(rules)
    moves = moves_of(grid, hand)
    assert moves
    for move, score in list(moves.items())[:50]:
        assert grid.score(move) == score
        assert grid.score([(y, x, tile) for x, y, tile in move]) == score


# Placing, taking back, loading


@both
@every_rules
def test_taking_back_a_whole_game_restores_every_answer(implementation: type[Grid], rules: Rules) -> None:
    cells, _ = grow(rules, 17, 100)
    hands = [[0, 1, 8, 8, 15, 22], [7, 7, 14, 14, 21, 21], [35, 30, 24, 2]]
    grid = implementation(rules)
    stages = range(0, len(cells) + 1, 1 if implementation is _core.Grid else 15)
    seen: dict[int, Any] = {}

    def answers() -> tuple[Any, ...]:
        listings = [sorted(grid.placements(hand).view("V16").tolist()) for hand in hands]
        bounds = [sorted(grid.bounds(hand)) for hand in hands] if isinstance(grid, _core.Grid) else None
        return grid.hash, list(grid.cells), len(grid), listings, bounds

    for number, cell in enumerate(cells):
        if number in stages:
            seen[number] = answers()
        grid.place(*cell)
    assert list(grid.cells) == cells
    for number in reversed(range(len(cells))):
        grid.take_back()
        if number in seen:
            assert answers() == seen[number], f"{number} tiles"
    assert grid.hash == 0
    with pytest.raises(ValueError, match="nothing to take back"):
        grid.take_back()


@both
@every_rules
def test_taking_back_and_going_another_way_is_as_never_having_been_there(
    implementation: type[Grid], rules: Rules
) -> None:
    chance = random.Random(8)
    cells, left = grow(rules, 18, 9)
    hand = left[:4]
    grid = grid_of(implementation, cells, rules)
    expected = moves_of(grid, hand)
    for move in chance.sample(sorted(expected), min(len(expected), 12)):
        place(grid, move)
        after = moves_of(grid, left[4:7])
        assert after == moves_of(grid_of(implementation, [*cells, *move], rules), left[4:7])
        for _ in move:
            grid.take_back()
        assert moves_of(grid, hand) == expected


def spoilt_boards(cells: Sequence[Placed], tiles: int, chance: random.Random) -> list[list[Placed]]:
    """Boards with a tile changed, moved, dropped, doubled or added, most of them no longer legal."""
    boards = []
    for _ in range(12):
        board = list(cells)
        i = chance.randrange(len(board))
        x, y, tile = board[i]
        board[i] = chance.choice([(x, y, chance.randrange(tiles)), (x + chance.choice((-1, 1)), y, tile)])
        boards.append(board)
        boards.append([*board[:i], *board[i + 1 :]])
        boards.append([*cells, (x + chance.choice((-1, 0, 1)), y + chance.choice((-1, 1)), chance.randrange(tiles))])
        boards.append([*cells[:i], *cells[i + 1 :]])
    return [board for board in boards if len(board) <= 108]


@both
@every_rules
def test_load_takes_exactly_the_legal_boards(implementation: type[Grid], rules: Rules) -> None:
    chance = random.Random(9)
    verdicts = {True: 0, False: 0}
    for turns in (1, 2, 4, 8, 14, 40):
        cells, _ = grow(rules, 400 + turns, turns)
        for board in [list(cells), *spoilt_boards(cells, len(rules.copies), chance)]:
            chance.shuffle(board)
            legal = sound(board, rules)
            fields = {(x, y): tile for x, y, tile in board}
            assert (len(fields) == len(board) and reference.fault(fields, rules) is None) == legal
            grid = grid_of(implementation, [(5, 5, 0)], rules)
            assert grid.load(board) == legal, board
            assert list(grid.cells) == (board if legal else [])
            assert (grid.hash == 0) == (not legal or not board)
            verdicts[legal] += 1
    assert min(verdicts.values()) > 15


@both
def test_load_takes_an_empty_board(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, board_of("RcRx"))
    assert grid.load([])
    assert (len(grid), grid.hash, list(grid.cells)) == (0, 0, [])
    assert moves_of(grid, [3]) == {((0, 0, 3),): 1}


@both
def test_a_copy_goes_its_own_way(implementation: type[Grid]) -> None:
    grid = grid_of(implementation, board_of("RcRx"))
    twin = grid.copy()
    assert (twin.hash, twin.cells, twin.rules) == (grid.hash, grid.cells, grid.rules)
    twin.place(2, 0, 2)
    grid.take_back()
    assert list(grid.cells) == [(0, 0, 0)]
    assert list(twin.cells) == [(0, 0, 0), (1, 0, 1), (2, 0, 2)]
    assert grid.count([3]) == 4
    assert moves_of(twin, [3]) == moves_of(grid_of(implementation, board_of("RcRxRd")), [3])


@both
@every_rules
def test_the_hash_is_that_of_the_tiles_on_their_cells(implementation: type[Grid], rules: Rules) -> None:
    chance = random.Random(10)
    cells, _ = grow(rules, 19, 12)
    grid = grid_of(implementation, cells, rules)
    for _ in range(5):
        assert grid_of(implementation, chance.sample(cells, len(cells)), rules).hash == grid.hash
    others = {grid.hash}
    for i, (x, y, tile) in enumerate(cells):
        for changed in ((x + 100, y, tile), (x, y - 100, tile), (x, y, tile + (1 if tile == 0 else -1))):
            other = implementation(rules)
            place(other, [*cells[:i], changed, *cells[i + 1 :]])
            others.add(other.hash)
    assert len(others) == 1 + 3 * len(cells)
    assert all(0 <= value < 1 << 64 for value in others)


# Where a board lies, and which way round


@both
@every_rules
def test_mirrored_and_turned_boards_have_mirrored_and_turned_placements(
    implementation: type[Grid], rules: Rules
) -> None:
    cells, left = grow(rules, 20, 10)
    expected = moves_of(grid_of(implementation, cells, rules), left[:5])
    assert expected
    for symmetry in SYMMETRIES[1:] if implementation is _core.Grid else SYMMETRIES[5:6]:
        grid = grid_of(implementation, image(cells, symmetry), rules)
        assert moves_of(grid, left[:5]) == {image(move, symmetry): score for move, score in expected.items()}


@both
@every_rules
@pytest.mark.parametrize(("dx", "dy"), [(10**6, 10**6), (-(10**6), 10**6), (16_384, -149), (-999_950, -(10**6))])
def test_boards_far_from_the_origin_have_the_same_placements(
    implementation: type[Grid], rules: Rules, dx: int, dy: int
) -> None:
    def moved(placed: Sequence[Placed]) -> Placement:
        return in_order((x + dx, y + dy, tile) for x, y, tile in placed)

    cells, left = grow(rules, 21, 12)
    near = grid_of(implementation, cells, rules)
    far = grid_of(implementation, moved(cells), rules)
    expected = moves_of(near, left[:5])
    assert moves_of(far, left[:5]) == {moved(move): score for move, score in expected.items()}
    assert far.fits(left[:1]) == near.fits(left[:1])
    for move, score in list(expected.items())[:20]:
        assert far.score(moved(move)) == score
        assert far.score(move) is None
    if isinstance(far, _core.Grid) and isinstance(near, _core.Grid):
        bounds = sorted((x + dx, y + dy, *rest) for x, y, *rest in near.bounds(left[:5]))
        assert sorted(far.bounds(left[:5])) == bounds
        (best,), (same,) = compare.listed(far.best(left[:5])), compare.listed(near.best(left[:5]))
        assert best == moved(same)


@both
def test_tiles_far_apart_are_no_board(implementation: type[Grid]) -> None:
    grid = implementation(CLASSIC)
    for x, y in permutations([0, 2, 107, 108, 109, 110, 149, 16_384, 16_385, 10**6, -(10**6)], 2):
        assert not grid.load([(0, 0, 0), (x, y, 1)]), (x, y)
