"""The native core alone: bounds, the best placement, what grids share behind the scenes, threads, the C interface."""

from __future__ import annotations

import ctypes
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from boards import (
    CLASSIC,
    FLEX,
    VARIANTS,
    Board,
    Cell,
    cells_of,
    every_rules,
    grid_of,
    grow,
    judged,
    moves_of,
    place,
    runs,
    staircase,
    tiles_of,
)
from compare import Placed, Placement, listed, made_up_hand

from qwirkle_fast import PLACEMENT, Position, _core
from qwirkle_fast.rules import Rules

Anchor = tuple[int, int, int]


def hands_for(left: Sequence[int], rules: Rules, chance: random.Random) -> list[list[int]]:
    return [list(left[:6]), list(left[6:9]), made_up_hand(rules, chance), made_up_hand(rules, chance)]


# Bounds


def frontier_of(board: Board) -> set[Cell]:
    return {(x + dx, y + dy) for x, y in board for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))} - board.keys()


def anchor_of(move: Placement, frontier: set[Cell]) -> Anchor:
    """The first cell of the frontier that a placement covers, and its axis; a lone tile counts in the row."""
    axis = 1 if len(move) > 1 and move[0][0] == move[1][0] else 0
    x, y = next((x, y) for x, y, _ in move if (x, y) in frontier)
    return x, y, axis


@every_rules
def test_no_bound_is_below_the_best_of_its_anchor_and_anchors_cover_every_placement(rules: Rules) -> None:
    chance = random.Random(1)
    met = searches = 0
    for turns in range(1, 41):
        cells, left = grow(rules, 500 + turns, turns)
        grid = grid_of(_core.Grid, cells, rules)
        frontier = frontier_of({(x, y): tile for x, y, tile in cells})
        for hand in hands_for(left, rules, chance):
            best: dict[Anchor, int] = {}
            for move, score in moves_of(grid, hand).items():
                anchor = anchor_of(move, frontier)
                best[anchor] = max(score, best.get(anchor, -1))
            bounds = {(x, y, axis): (bound, most) for x, y, axis, bound, most in grid.bounds(hand)}
            assert len(bounds) == len(grid.bounds(hand))
            assert {anchor: most for anchor, (_, most) in bounds.items() if most >= 0} == best
            assert all(bound >= most for bound, most in bounds.values())
            met += sum(bound == most for bound, most in bounds.values())
            searches += len(best)
    # A bound that is always high would pass the above, and be of no use.
    assert searches > 1000
    assert met > searches * (0.4 if rules.name == "classic" else 0.1)


def test_bounds_hold_where_many_lines_and_diagonals_are_crossed() -> None:
    """The sixth row along a block of five, which scores 84, and what stands in its way."""
    for rules in (CLASSIC, FLEX, Rules("flex", diagonal_min=6)):
        step = 1 if rules.name == "classic" else 3
        for missing in (None, (0, 4), (2, 4), (5, 4), (2, 2)):
            board = {(x, y): (y * 6 + x) * step for y in range(5) for x in range(6) if (x, y) != missing}
            grid = grid_of(_core.Grid, board, rules)
            hand = [(30 + x) * step for x in range(6)]
            moves = moves_of(grid, hand)
            assert max(moves.values()) >= 60
            best = max(most for *_, most in grid.bounds(hand))
            assert best == max(moves.values())
            assert all(bound >= most for *_, bound, most in grid.bounds(hand))


def test_an_empty_board_has_no_anchors() -> None:
    for rules in VARIANTS:
        assert _core.Grid(rules).bounds([0, 1, 2]) == []


# The best placement


@every_rules
def test_best_is_one_of_the_placements_and_has_the_highest_score(rules: Rules) -> None:
    chance = random.Random(2)
    for turns in range(45):
        cells, left = grow(rules, 600 + turns, turns)
        grid = grid_of(_core.Grid, cells, rules)
        for hand in hands_for(left, rules, chance):
            moves, best = moves_of(grid, hand), listed(grid.best(hand))
            assert len(best) == min(1, len(moves))
            assert best.items() <= moves.items()
            assert list(best.values()) == sorted(moves.values())[-1:]


def shuffled_legally(cells: Sequence[Placed], rules: Rules, chance: random.Random) -> list[Placed]:
    """The same board, built in another order in which each tile touches those before it."""
    rest = {(x, y): tile for x, y, tile in cells}
    order = [chance.choice(cells)]
    del rest[order[0][:2]]
    while rest:
        touching = sorted(frontier_of({(x, y): tile for x, y, tile in order}) & rest.keys())
        x, y = chance.choice(touching)
        order.append((x, y, rest.pop((x, y))))
    return order


@every_rules
def test_best_depends_neither_on_the_order_of_building_nor_on_what_was_taken_back(rules: Rules) -> None:
    chance = random.Random(3)
    ties = 0
    for turns in (1, 3, 6, 10, 15, 25, 35):
        cells, left = grow(rules, 700 + turns, turns)
        grid = grid_of(_core.Grid, cells, rules)
        for hand in hands_for(left, rules, chance):
            best = grid.best(hand).tobytes()
            ties += list(moves_of(grid, hand).values()).count(max(moves_of(grid, hand).values(), default=-1)) > 1
            for _ in range(4):
                other = grid_of(_core.Grid, shuffled_legally(cells, rules, chance), rules)
                assert other.best(hand).tobytes() == best
            for move in chance.sample(sorted(moves_of(grid, left[:4])), min(5, grid.count(left[:4]))):
                place(grid, move)
                grid.best(hand)
                for _ in move:
                    grid.take_back()
                assert grid.best(hand).tobytes() == best
    assert ties > 8


@every_rules
def test_of_equals_best_takes_the_first_anchor_by_y_then_x_then_axis(rules: Rules) -> None:
    """The choice of the greedy player, which the figures of games rest on."""
    chance = random.Random(4)
    for turns in (1, 4, 8, 14, 22, 30):
        cells, left = grow(rules, 800 + turns, turns)
        grid = grid_of(_core.Grid, cells, rules)
        frontier = frontier_of({(x, y): tile for x, y, tile in cells})
        for hand in hands_for(left, rules, chance):
            moves = moves_of(grid, hand)
            first = min(
                (
                    (y, x, axis)
                    for move, score in moves.items()
                    if score == max(moves.values())
                    for x, y, axis in [anchor_of(move, frontier)]
                ),
                default=None,
            )
            chosen = [anchor_of(move, frontier) for move in listed(grid.best(hand))]
            assert [(y, x, axis) for x, y, axis in chosen] == ([] if first is None else [first])


# Hash


#: After each of four tiles; other values are another hash function, which spoils whatever anybody has kept.
HASHES = ["5692161d100b05e5", "3358cdd034f24c78", "c20bc9b7274b8ded", "ffeb356060ddc9e3"]


@pytest.mark.parametrize("rules", [CLASSIC, FLEX], ids=["classic", "flex"])
def test_the_hash_is_the_same_on_every_machine(rules: Rules) -> None:
    grid = _core.Grid(rules)
    hashes = []
    for x, y, tile in [(0, 0, 0), (-1, 0, 35), (10**6, -(10**6), 3), (5, -7, 20)]:
        grid.place(x, y, tile)
        hashes.append(f"{grid.hash:016x}")
    assert hashes == HASHES


def test_no_two_of_many_boards_have_one_hash() -> None:
    seen: dict[int, frozenset[Placed]] = {}
    for rules in (CLASSIC, FLEX):
        for seed in range(8):
            cells, _ = grow(rules, seed, 100, greed=0.0)
            grid = _core.Grid(rules)
            for cell in cells:
                grid.place(*cell)
                board = frozenset((x, y, tile) for x, y, tile in grid.cells)
                assert seen.setdefault(grid.hash, board) == board
    assert len(seen) > 1200


# What grids share


def test_grids_that_are_asked_by_turns_do_not_disturb_each_other() -> None:
    """Grids borrow their working areas; 40 of them, of all rules, are asked in any order."""
    chance = random.Random(5)
    grids = []
    for i in range(40):
        rules = VARIANTS[i % len(VARIANTS)]
        cells, left = grow(rules, 900 + i, i % 20)
        grid = grid_of(_core.Grid, cells, rules)
        grids.append((grid, left[:5], moves_of(grid, left[:5]), grid.best(left[:5]).tobytes()))
    for _ in range(400):
        grid, hand, moves, best = chance.choice(grids)
        if chance.random() < 0.3 and moves:
            move = chance.choice(sorted(moves))
            place(grid, move)
            grid.fits(hand)
            for _ in move:
                grid.take_back()
        assert grid.count(hand) == len(moves)
        assert grid.best(hand).tobytes() == best
        assert moves_of(grid, hand) == moves


@pytest.mark.parametrize("rules", [CLASSIC, FLEX], ids=["classic", "flex"])
def test_a_board_of_108_islands_is_refused_and_harms_no_other(rules: Rules) -> None:
    """No two of them touch one empty cell, so that there are 432 such cells, more than any legal board has.

    In a process of its own, for what it would harm is the memory of the core.
    """
    cells = [(x, y) for y in range(9) for x in range(60) if (x + 2 * y) % 5 == 0]
    codes = [rules.tile_set.codes[tile] for tile, copies in enumerate(rules.copies) for _ in range(copies)]
    rows: list[str] = []
    for y in range(9):
        row = [(x, code) for (x, other), code in zip(cells, codes, strict=True) if other == y]
        rows.append(f"{row[0][0] or ''}" + "4".join(code for _, code in row))
    background = "" if rules is CLASSIC else "k"
    program = f"""
import qwirkle_fast as qf

for _ in range(3):
    try:
        qf.Position("{"/".join(rows)} -/- 0/0 {rules.name}")
    except qf.PositionError as error:
        print(error)
    print(len(qf.Position("Rc{background} Yc{background}/?6 0/0 {rules.name}").legal_moves))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    refusal = f"board: {codes[1]} at 5,0, expected every tile joined to the others edge to edge"
    # A yellow circle has four places beside a red one.
    assert (done.stdout.splitlines(), done.stderr, done.returncode) == ([refusal, "4"] * 3, "", 0)


def test_more_tiles_than_the_box_holds_are_refused() -> None:
    grid = _core.Grid(CLASSIC)
    for i in range(108):
        grid.place(2 * i, 0, 0)
    with pytest.raises(ValueError, match="109th"):
        grid.place(300, 0, 0)
    assert len(grid) == 108


@pytest.mark.parametrize("tile", [-1, 36, 108, 1000])
def test_what_is_no_tile_is_refused(tile: int) -> None:
    grid = grid_of(_core.Grid, {(0, 0): 0})
    with pytest.raises(ValueError, match=str(tile)):
        grid.place(1, 0, tile)
    for ask in (grid.placements, grid.count, grid.best, grid.fits, grid.bounds):
        with pytest.raises(ValueError, match=str(tile)):
            ask([tile])
    assert grid.score([(1, 0, tile)]) is None
    assert grid.count([1]) == 4


def test_a_grid_is_pickled_with_its_order() -> None:
    for rules in VARIANTS:
        cells, left = grow(rules, 22, 12)
        grid = grid_of(_core.Grid, cells, rules)
        twin = pickle.loads(pickle.dumps(grid))
        assert (twin.rules, twin.cells, twin.hash) == (grid.rules, grid.cells, grid.hash)
        grid.take_back()
        twin.take_back()
        assert moves_of(twin, left[:4]) == moves_of(grid, left[:4])


# Threads


def answers_of_a_game(number: int, start: threading.Barrier | None = None) -> list[Any]:
    """What a position says at each stage of a game of its own."""
    rules = VARIANTS[number % len(VARIANTS)]
    cells, left = grow(rules, 1000 + number, 25)
    codes = rules.tile_set.codes
    text = "".join(codes[tile] for tile in left[:6])
    options = "".join(f";{name}={value}" for name, value in rules.options().items())
    position = Position(f"- {text}/?6 0/0 {rules.name}{options}")
    grid = _core.Grid(rules)
    if start:
        start.wait()
    answers: list[Any] = []
    for _ in range(12):
        moves = position.legal_moves
        answers.append((len(moves), [(str(move), score) for move, score in moves.scored(3)]))
        best = moves.best()
        if best is None:
            break
        position.push(best)
        position.pop()
        position.push(best)
        seen = [index for index, count in enumerate(position.unseen) if count]
        _, hidden = position.hands[0]
        position.reveal(0, seen[number : number + hidden])
    for cell in cells:
        grid.place(*cell)
        answers.append((grid.hash, grid.count(left[:4]), grid.best(left[:4]).tobytes()))
    return answers


def test_positions_in_several_threads_answer_as_alone() -> None:
    alone = [answers_of_a_game(number) for number in range(8)]
    assert all(len(answers) > 20 for answers in alone)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(3):
            start = threading.Barrier(8)
            with ThreadPoolExecutor(8) as pool:
                together = list(pool.map(answers_of_a_game, range(8), [start] * 8))
            assert together == alone
    finally:
        sys.setswitchinterval(interval)


def test_long_lists_in_several_threads_are_as_alone() -> None:
    """While one thread lists without the lock, others ask for as many working areas as they like."""
    board = {(x, y): y * 6 + x for y in range(3) for x in range(3)}
    grids = [grid_of(_core.Grid, dict(list(board.items())[: 3 * rows])) for rows in (1, 2, 3)] * 8
    hands = [tiles_of(text) for text in ("GcGxGdGsGtGv", "RsOsYsGsBsPs", "BtPtGtYsGsBs")] * 8

    def digest(number: int) -> tuple[int, bytes]:
        array = grids[number].placements(hands[number])
        return len(array), np.sort(array.view("V16")).tobytes()

    alone = [digest(number) for number in range(24)]
    for _ in range(3):
        with ThreadPoolExecutor(24) as pool:
            assert list(pool.map(digest, range(24))) == alone


# The C interface


def test_the_number_of_the_interface_and_the_flags_are_known() -> None:
    assert _core.ABI_VERSION >= 1
    assert _core.BUILD_FLAGS != "unknown"


def address_of(name: str) -> int:
    capsule = _core.__pyx_capi__[name]  # type: ignore[attr-defined]
    get_name, get_pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = get_pointer(capsule, get_name(capsule))
    assert isinstance(address, int)
    return address


def test_numba_reaches_the_core_through_its_c_interface() -> None:
    numba = pytest.importorskip("numba")
    binding = pytest.importorskip("llvmlite.binding")
    types = numba.types
    pointer, word, long = types.voidptr, types.int32, types.int64

    def external(name: str, result: Any, *arguments: Any) -> Any:
        symbol = f"test_{name}"
        binding.add_symbol(symbol, address_of(name))
        return types.ExternalFunction(symbol, result(*arguments))

    abi = external("core_abi", word)
    new = external("board_new", pointer, word, word, word)
    free = external("board_free", types.void, pointer)
    lay = external("board_place", types.void, pointer, word, word, word)
    back = external("board_take_back", types.void, pointer)
    count = external("board_count", long, pointer, pointer)
    best = external("board_best", word, pointer, pointer, pointer)
    fill = external("board_placements", long, pointer, pointer, pointer, long)
    fits = external("board_fits", word, pointer, pointer)

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator]
    def ask(flex: int, cells: Any, masks: Any, out: Any, one: Any) -> tuple[int, int, int, int, int, int]:
        board = new(flex, 2, 1)
        for i in range(len(cells)):
            lay(board, cells[i, 0], cells[i, 1], cells[i, 2])
        counted = count(board, masks.ctypes.data)
        score = best(board, masks.ctypes.data, one.ctypes.data)
        found = fill(board, masks.ctypes.data, out.ctypes.data, len(out) // 2)
        fit = fits(board, masks.ctypes.data)
        back(board)
        before = count(board, masks.ctypes.data)
        free(board)
        return abi(), counted, score, found, fit, before

    for rules in (CLASSIC, FLEX):
        step = rules.tile_set.backgrounds
        for turns in (1, 5, 10, 20):
            cells, left = grow(rules, 1100 + turns, turns)
            hand = left[:5]
            masks = np.zeros(3, np.uint64)
            for tile in hand:
                masks[tile % step] |= np.uint64(1 << tile // step)
            grid = grid_of(_core.Grid, cells, rules)
            out, one = np.zeros(2 * grid.count(hand) + 2, np.uint64), np.zeros(2, np.uint64)
            answers = ask(step == 3, np.array(cells, np.int32), masks, out, one)
            moves = moves_of(grid, hand)
            found = out[:-2].view(PLACEMENT)
            assert listed(found) == moves
            assert out[-2:].tolist() == [0, 0]
            if moves:
                assert one.tobytes() == grid.best(hand).tobytes()
            most = max(moves.values(), default=-1)
            grid.take_back()
            assert answers == (
                _core.ABI_VERSION, len(moves), most, len(moves), int(bool(moves)), grid.count(hand)
            )  # fmt: skip


def test_the_interface_tells_how_much_room_a_list_needs() -> None:
    """With ctypes alone: what does not fit is counted, and nothing is written beyond the room given."""
    new, free, lay, fill, top = (
        ctypes.CFUNCTYPE(result, *arguments)(address_of(name))
        for name, result, arguments in (
            ("board_new", ctypes.c_void_p, [ctypes.c_int] * 3),
            ("board_free", None, [ctypes.c_void_p]),
            ("board_place", None, [ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_int]),
            ("board_placements", ctypes.c_int64, [ctypes.c_void_p] * 3 + [ctypes.c_int64]),
            ("board_top", ctypes.c_int64, [ctypes.c_void_p] * 2 + [ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64]),
        )
    )
    cells = cells_of({(0, 0): 0, (1, 0): 1})
    hand = [2, 3, 4]
    grid = grid_of(_core.Grid, cells)
    count = grid.count(hand)
    masks = (ctypes.c_uint64 * 3)(sum(1 << tile for tile in hand))
    board = new(0, 2, 1)
    try:
        for x, y, tile in cells:
            lay(board, x, y, tile)
        out = np.full(2 * count, 77, np.uint64)
        assert fill(board, ctypes.addressof(masks), out.ctypes.data, 3) == count
        assert out[6:].tolist() == [77] * (2 * count - 6)
        assert fill(board, ctypes.addressof(masks), out.ctypes.data, count) == count
        assert listed(out.view(PLACEMENT)) == moves_of(grid, hand)
        wanted = len(grid.top(hand, 5))
        room = -top(board, ctypes.addressof(masks), 5, out.ctypes.data, 0)
        assert wanted <= room <= count
        assert top(board, ctypes.addressof(masks), 5, out.ctypes.data, room) == wanted
        assert listed(out[: 2 * wanted].view(PLACEMENT)) == listed(grid.top(hand, 5))
    finally:
        free(board)


@pytest.mark.parametrize("rules", [CLASSIC, FLEX], ids=["classic", "flex"])
def test_a_workspace_lends_its_board_and_threats_are_the_long_lines_that_lie_open(rules: Rules) -> None:
    count = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(address_of("board_count"))
    tell = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(address_of("board_threats"))
    backgrounds = rules.tile_set.backgrounds
    seen = 0
    for turns in (1, 6, 14, 24, 34):
        cells, left = grow(rules, 1200 + turns, turns, greed=1.0)
        board = {(x, y): tile for x, y, tile in cells}
        symbols = {cell: tile // backgrounds for cell, tile in board.items()}
        grid = grid_of(_core.Grid, cells, rules)
        workspace = _core.Workspace(grid)
        masks = (ctypes.c_uint64 * 3)(*[0] * 3)
        for tile in left[:4]:
            masks[tile % backgrounds] |= 1 << tile // backgrounds
        assert count(workspace.address, ctypes.addressof(masks)) == grid.count(left[:4])
        unseen, threats = np.zeros(len(rules.copies), np.uint8), np.zeros(48, np.int32)
        for tile in left:
            unseen[tile] += 1
        tell(workspace.address, unseen.ctypes.data, threats.ctypes.data)
        expected = np.zeros((3, 16), np.int32)
        for x, y in frontier_of(board):
            # A cell counts when some symbol goes with its lines, whatever its diagonals say.
            if all(judged(symbols, [(x, y, symbol)], CLASSIC) is None for symbol in range(36)):
                continue
            tiles = sum(grid.score([(x, y, tile)]) is not None for tile in left)
            for dx, dy in ((1, 0), (0, 1)):
                length = len(next(run for run in runs({**board, (x, y): 0}, (dx, dy)) if (x, y) in run))
                if length >= 4:
                    expected[length - 4, min(tiles, 15)] += 1
        assert threats.reshape(3, 16).tolist() == expected.tolist()
        seen += int(threats.sum())
    assert seen > 20


def test_a_hand_may_hold_any_tiles_the_question_is_about() -> None:
    """Some ask for all that is left at once: the room that the search takes must do for that too."""
    for rules in (CLASSIC, FLEX):
        every = list(range(len(rules.copies)))
        for cells in (staircase(rules), grow(rules, 25, 100, greed=0.0)[0]):
            grid = grid_of(_core.Grid, cells, rules)
            singles = {move: score for tile in every for move, score in moves_of(grid, [tile]).items()}
            best, bounds = grid.best(every)["score"].tolist(), grid.bounds(every)
            assert best == [max(most for *_, most in bounds)]
            assert all(bound >= most for *_, bound, most in bounds)
            assert max(singles.values()) <= best[0]
            assert grid.top(every, 1)["score"].tolist()[0] == best[0]
