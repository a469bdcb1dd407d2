"""The solver against plain minimax, written apart, and the cases that came with the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from players import minimax

import qwirkle_fast as qf
from qwirkle_fast import reference
from qwirkle_fast._core import Grid

pytest.importorskip("numba")

from qwirkle_fast.search._endgame import Solver

DATA = Path(__file__).parent / "data"


def greedy_endings(seed: int, rules: str, most: int) -> list[qf.Position]:
    """Positions of a greedy game with an empty bag and so many tiles at most in both hands, every hand open."""
    game = qf.Game(seed, 2, rules)
    found = []
    while not game.is_over:
        position = game.position
        if not game.bag and sum(map(len, game.hands)) <= most:
            found.append(game.full_position)
        game.play(position.legal_moves.best() or (position.exchanges or [qf.Move.skip()])[-1])
    return found


def solved(position: qf.Position) -> int:
    solver = Solver(position.rules, position.cells, (position.hand, position.hands[1][0]))
    for depth in range(1, 41):
        exact, moves = solver.deepen(depth, 1 << 60, 1)
        assert not solver.stopped
        if exact:
            return moves[0][2]
    raise AssertionError("not solved in forty plies")


@pytest.mark.parametrize("rules", ["classic", "flex"])
def test_solver_equals_minimax(rules: str) -> None:
    compared = 0
    for seed in range(60):
        for position in greedy_endings(seed, rules, 5):
            grid = Grid(position.rules)
            assert grid.load(position.cells)
            if not grid.count(position.hand) or position.end:
                continue
            assert solved(position) == minimax(grid, position.hand, position.hands[1][0]), str(position)
            compared += 1
    assert compared > 60


def test_solver_equals_minimax_over_the_reference() -> None:
    for seed in range(8):
        for position in greedy_endings(seed, "classic", 3):
            grid = reference.Grid(position.rules)
            assert grid.load(position.cells)
            if position.end or not grid.count(position.hand):
                continue
            assert solved(position) == minimax(grid, position.hand, position.hands[1][0]), str(position)


#: Positions in which the mover can go out at once, and best play does not.
LATE = [
    "-7,-5:17Rs/3GcRcYcPcOcBc7BtBs/2BcYcPcOcGcRc8PtPs/BdBsBx1BcGcOcYcPc5GxGvGtGs/BxBvBsBt4PsPx1Os1OtOxOv1OsOt/"
    "3RtRv1BxGxPxYxRxOx1RtRx2Ys/2YsYtYvYdYx1Pd1RtOtYtGt/5Bd1PxPv3Yx/2BdRdYdGdOdPd1GtBt/2RdOdGdPd1PvYvGvBvOvRv/"
    "5OdOv1YsGs1BvPvYv/6OsPs1GxOx/7GsGvGd/5RcRdRsRv/5RxRs YdYt/PtPt 170/202 classic",
    "-9,-10:8YdRd/4Gd3YcRc/4GxBxOxPxYxRx/6OvPvYv/4OdOtOc1Yt/4OvOxOsOc/3OsOcOdOtOvOx/3Ys2Od1Rx3PdPsPv/"
    "4GsBs2BxBv1GtPt/3GvGtGsGcGdGx1OsOt/1GcGx2Ys1PdPxPcPsPt/PtPcPxPvPdPs1YdYx1YsYtYdYcYvYx/PcRc1RvRdRs1Bd1RvRsRt1Rc/"
    "1Yc4RtRdRx1BsBtBvBcBdBx/1BcBt3Yt1RsBsGs/4GvGdGtGc1Bv/5BdBtBc YvRv/RtGv 216/197 classic",
]


@pytest.mark.parametrize("text", LATE)
def test_going_out_early_can_lose(text: str) -> None:
    position = qf.Position(text)
    out = max(score + 6 for move, score in position.legal_moves.scored() if len(move.placed) == len(position.hand))
    best = qf.hints(position, top=1, time=20.0)[0]
    grid = Grid(position.rules)
    assert grid.load(position.cells)
    assert best.equity == minimax(grid, position.hand, position.hands[1][0])
    assert best.equity > out


def test_passes_stand_in_the_line() -> None:
    passes = 0
    for seed in range(200, 320):
        for position in greedy_endings(seed, "classic", 5):
            if not position.end and len(position.legal_moves):
                passes += any(move.is_pass for move in qf.hints(position, top=1, time=20.0)[0].line)
    assert passes > 0


@pytest.mark.parametrize("case", (DATA / "endgames.jsonl").read_text(encoding="utf-8").splitlines())
def test_published_endgames(case: str) -> None:
    wanted = json.loads(case)
    position = qf.Position(wanted["position"])
    best = qf.hints(position, top=3, time=20.0)
    assert best[0].exact
    assert best[0].equity == wanted["equity"]
    assert best[0].stderr == 0
    played = position.copy()
    gained = [0, 0]
    mover = 0
    for move in best[0].line:
        before = played.scores[0]
        played.push(move)
        gained[mover] += played.scores[-1] - before
        mover = 1 - mover
    assert gained[0] - gained[1] == wanted["equity"]
    assert played.end is not None


def test_hidden_tiles_of_the_other_are_known_when_the_bag_is_empty() -> None:
    text = json.loads((DATA / "endgames.jsonl").read_text(encoding="utf-8").splitlines()[0])["position"]
    board, hands, scores, rules = text.split()
    mine, theirs = hands.split("/")
    hidden = qf.Position(f"{board} {mine}/?{len(theirs) // 2} {scores} {rules}")
    shown = qf.hints(qf.Position(text), time=20.0)
    assert [(hint.move, hint.equity) for hint in qf.hints(hidden, time=20.0)] == [
        (hint.move, hint.equity) for hint in shown
    ]


@pytest.mark.parametrize("rules", ["classic", "flex"])
def test_any_move_of_an_ending_is_solved(rules: str) -> None:
    """Every move's own value by minimax after it; a line that ends the game and brings that value."""
    compared = 0
    for seed in range(40):
        for position in greedy_endings(seed, rules, 5):
            for move in [qf.Move.skip()] if not len(position.legal_moves) else list(position.legal_moves)[-2:]:
                if position.end:
                    continue
                (hint,) = qf.hints(position, only=[move], time=20.0)
                after = position.copy()
                after.push(move)
                mine = after.scores[1] - position.scores[0]
                grid = Grid(position.rules)
                assert grid.load(after.cells)
                value = mine - (0 if after.end else minimax(grid, after.hand, after.hands[1][0], move.is_pass))
                assert (hint.exact, hint.equity, hint.line[0]) == (True, value, move)
                for reply in hint.line[1:]:
                    after.push(reply)
                assert after.end
                scores = after.scores if len(hint.line) % 2 == 0 else after.scores[::-1]
                assert scores[0] - scores[1] - (position.scores[0] - position.scores[1]) == value
                compared += 1
    assert compared > 60
