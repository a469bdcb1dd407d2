"""The search: deals, rollouts, allocation, and what hints promise."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections import Counter
from itertools import permutations
from pathlib import Path
from threading import Event, Thread

import pytest

import qwirkle_fast as qf
from qwirkle_fast._core import Grid
from qwirkle_fast.arena.qwirkle import choose_greedy

pytest.importorskip("numba")

import numpy as np

from qwirkle_fast.search import rollouts, static_move
from qwirkle_fast.search.montecarlo import Search

MIDDLE = "-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs RcRdBxGtPsYv/?6 45/40 classic"


def test_deals_are_hypergeometric() -> None:
    """Every ordered draw of 3 out of AABC, as often as its tiles are numbered apart."""
    tiles = [0, 0, 1, 2]
    expected = Counter(draw for draw in permutations(tiles, 3))
    state = np.array([12345], np.uint64)
    rounds = 24_000
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(rounds):
        deck = np.array(tiles, np.uint8)
        rollouts.deal(deck, 4, 3, state)
        found[tuple(deck[:3].tolist())] += 1
    assert set(found) == set(expected)
    total = sum(expected.values())
    chi = sum((found[draw] - rounds * n / total) ** 2 / (rounds * n / total) for draw, n in expected.items())
    # 11 degrees of freedom: over 31.3 once in a thousand times; the seed is fixed.
    assert chi < 31.3


def greedy_margin(position: qf.Position, first: qf.Move) -> int:
    """Greedy play after a move to the end of the game, all hands known: the mover's points less the other's."""
    played = position.copy()
    played.push(first)
    mover = 1
    while played.end is None:
        grid = Grid(played.rules)
        assert grid.load(played.cells)
        best = grid.best(played.hand)
        codes = played.rules.tile_set.codes
        if len(best):
            x, y, tiles, _, axis = best[0].tolist()
            move = qf.Move.place(
                [(x, y + i, codes[t - 1]) if axis else (x + i, y, codes[t - 1]) for i, t in enumerate(tiles) if t]
            )
        else:
            move = qf.Move.skip()
        played.push(move)
        mover = 1 - mover
    scores = played.scores if mover == 0 else played.scores[::-1]
    return scores[0] - position.scores[0] - (scores[1] - position.scores[1])


@pytest.mark.parametrize("rules", ["classic", "flex"])
def test_rollouts_play_the_game(rules: str) -> None:
    """With nothing hidden and few tiles left every rollout is the same greedy game."""
    checked = 0
    for seed in range(30):
        game = qf.Game(seed, 2, rules)
        while not game.is_over and (game.bag or sum(map(len, game.hands)) > 5):
            game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
        if game.is_over or not len(game.position.legal_moves):
            continue
        position = game.full_position
        search = Search(position)
        for hints in search.run(time=None, simulations=200, threads=1):
            for hint in hints:
                assert hint.equity == greedy_margin(position, hint.move), (str(position), hint.move)
                assert hint.stderr == 0
                checked += 1
    assert checked > 20


def test_the_same_answer_for_any_number_of_threads() -> None:
    for text in (MIDDLE, MIDDLE.replace("/?6 45/40", "/?6/?6/?5 45/40/12/60")):
        position = qf.Position(text)
        answers = [qf.hints(position, simulations=3000, seed=7, threads=threads) for threads in (1, 2, 5)]
        assert answers[0] == answers[1] == answers[2]
        assert qf.hints(position, simulations=3000, seed=8, threads=1) != answers[0]


def test_the_budget_is_kept() -> None:
    position = qf.Position(MIDDLE)
    for budget in (1, 31, 500):
        hints = qf.hints(position, simulations=budget, top=1000)
        assert sum(hint.simulations for hint in hints) == budget


def test_few_simulations_go_to_the_best_by_value() -> None:
    """One is no worse than none; with some every candidate looked at has as many as its rivals at first."""
    for text in (MIDDLE, "RskRck RvkRdwBcmGtmOxkPsk/?6 0/0 flex", "RvRdRc BcBsRsPsYtOx/?6/?6 0/3/1 classic"):
        position = qf.Position(text)
        best = qf.best_move(position, simulations=1)
        assert best is not None
        assert best.move == static_move(position)
        hints = qf.hints(position, simulations=300, top=1000)
        assert 1 < len(hints) <= 6
        assert min(hint.simulations for hint in hints) >= 25
        assert static_move(position) in [hint.move for hint in hints]


@pytest.mark.parametrize("rules", ["classic", "flex"])
def test_the_one_legal_move_is_judged_like_any(rules: str) -> None:
    for hands, scores in (("Rs/?6", "0/0"), ("Rs/?6/?6", "0/0/0")):
        hands = hands.replace("Rs", "Rsk") if rules == "flex" else hands
        hint = qf.hints(qf.Position(f"- {hands} {scores} {rules}"), simulations=200)[0]
        assert hint.win is not None
        assert hint.stderr is not None
        assert hint.simulations == 200


def test_exchanges_are_candidates_and_hints_are_ranked() -> None:
    hints = qf.hints(qf.Position(MIDDLE), simulations=4000, top=1000)
    assert any(hint.move.is_exchange for hint in hints)
    keys = [(-(hint.win or 0), -hint.equity, str(hint.move)) for hint in hints]
    assert keys == sorted(keys)
    for hint in hints:
        assert qf.Position(MIDDLE).score(hint.move) == hint.score
        assert hint.stderr is not None
        assert hint.stderr >= 0


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("RvRdRc Gs/?6 0/0 classic", {"-Gs"}),
        ("- RcBc/?6 0/0 classic;opening=any", None),
        ("RvRdRc Rs/?6/?6/?6/?6/?6 0/0/0/0/0/0 classic", None),
        ("YcGcOcRcBcPc/BcRcYcGcPcOc/PcYcGcOcRcBc RsOdYtGvBxPd/?1 0/0 classic", set()),
        ("RvRdRc -/?6 0/0 classic", set()),
        ("RvRdRc RsRt/RxBs 0/0 classic", None),
    ],
)
def test_small_and_odd_positions(text: str, moves: set[str] | None) -> None:
    position = qf.Position(text)
    hints = qf.hints(position, simulations=500)
    if moves is not None:
        assert {str(hint.move) for hint in hints} == moves
    assert all(position.is_legal(hint.move) for hint in hints)
    assert bool(hints) == bool(qf.best_move(position, simulations=500))


def test_what_cannot_be_searched() -> None:
    with pytest.raises(qf.PositionError, match="hidden"):
        qf.hints(qf.Position("RvRdRc Rs?1/?6 0/0 classic"))
    for limit in ({"time": 0}, {"time": math.nan}, {"simulations": 0}, {"threads": 0}, {"top": 0}):
        with pytest.raises(ValueError, match=next(iter(limit))):
            qf.hints(qf.Position(MIDDLE), **limit)  # type: ignore[arg-type]


def test_analyse_improves_and_stops() -> None:
    stop = Event()
    answers = []
    for hints in qf.analyse(qf.Position(MIDDLE), stop=stop, threads=1):
        answers.append(sum(hint.simulations for hint in hints))
        if len(answers) == 5:
            stop.set()
    assert len(answers) == 5
    assert answers == sorted(answers)


def test_searches_in_several_threads_at_once() -> None:
    positions = [qf.Position(MIDDLE), qf.Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic")] * 2
    alone = [qf.hints(position, simulations=1500, threads=2) for position in positions]
    together: list[list[qf.Hint] | None] = [None] * len(positions)

    def work(i: int) -> None:
        together[i] = qf.hints(positions[i], simulations=1500, threads=2)

    threads = [Thread(target=work, args=(i,)) for i in range(len(positions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_a_stop_ends_a_long_solve() -> None:
    """The first position of its game with an empty bag is too large to be solved at once."""
    game = qf.Game(3, 2)
    while game.bag:
        game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
    stop = Event()
    Thread(target=lambda: (time.sleep(0.05), stop.set()), daemon=True).start()
    for hints in qf.analyse(game.full_position, stop=stop, threads=1):
        assert hints


def test_wrong_types_are_named() -> None:
    position = qf.Position(MIDDLE)
    for limit in (
        {"simulations": 2**63},
        {"threads": 10**9},
        {"simulations": 1.5},
        {"top": "x"},
        {"seed": None},
        {"time": "1"},
        {"threads": True},
    ):
        with pytest.raises(ValueError, match=next(iter(limit))):
            qf.hints(position, **limit)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="position"):
        qf.hints(MIDDLE)  # type: ignore[arg-type]
    for ask in (position.score, position.explain, position.push):
        with pytest.raises(ValueError, match="Move"):
            ask("Yv@1,2")  # type: ignore[arg-type]


def test_what_is_not_solved_in_time_is_not_said_to_be() -> None:
    """With a few nodes the best may be solved and the others not: the line is whole, and the others say so."""
    cut = 0
    for seed in range(12):
        game = qf.Game(seed, 2)
        while not game.is_over and (game.bag or sum(map(len, game.hands)) > 8):
            game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
        if game.is_over or len(game.position.legal_moves) < 6:
            continue
        position = game.full_position
        for simulations in (20, 100, 500):
            hints = qf.hints(position, simulations=simulations, threads=1)
            kinds = [hint.exact for hint in hints]
            assert kinds == sorted(kinds, reverse=True)
            cut += kinds.count(True) in range(1, 5) and len(hints) == 5
            for hint in hints:
                played = position.copy()
                for move in hint.line:
                    played.push(move)
                assert not hint.exact or played.end is not None
                assert (hint.win or 0) <= (hints[0].win or 0)
    assert cut > 0


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    """Whatever is wrong with Numba's files, the answer is there, and the same."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    code = f"import qwirkle_fast as qf; print(qf.hints(qf.Position({MIDDLE!r}), simulations=300, threads=1))"

    def answer() -> str:
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=120
        )
        return done.stdout

    first = answer()
    for file in tmp_path.rglob("*.nb[ci]"):
        file.write_bytes(file.read_bytes()[:50])
    assert answer() == first


def test_only_the_moves_asked_about_are_judged() -> None:
    """The best and the worst placement, and a good and a bad exchange, none of which need be a candidate by itself."""
    position = qf.Position(MIDDLE)
    moves = list(position.legal_moves)
    asked = [moves[0], moves[-1], qf.Move("-RcRdBxGtPsYv"), qf.Move("-Yv")]
    answers = [qf.hints(position, simulations=3000, threads=threads, only=asked) for threads in (1, 3)]
    assert answers[0] == answers[1]
    assert {hint.move for hint in answers[0]} == set(asked)
    assert all(hint.score == position.score(hint.move) for hint in answers[0])
    assert sum(hint.simulations for hint in answers[0]) <= 3000
    alone = qf.hints(position, simulations=3000, only=[moves[-1]])
    assert [hint.move for hint in alone] == [moves[-1]]
    assert alone[0].win is not None
    with pytest.raises(qf.IllegalMove):
        qf.hints(position, simulations=10, only=[qf.Move("Rs@40,40")])


def test_a_candidate_of_choice_is_the_one_that_the_search_picks() -> None:
    for text in (MIDDLE, "RskBsm GskYsmRcwRtkPdmOvw/?6 0/0 flex", "- OcGcBdRcGtYt/?6 0/0 classic"):
        picked = Search(qf.Position(text)).candidates
        assert Search(qf.Position(text), only=[candidate.move for candidate in picked]).candidates == picked


def test_rollouts_agree_with_all_deals() -> None:
    """Three players, the bag empty, few tiles: every deal of the hidden ones played greedily to its end, and weighed
    equally, against the mean of many samples."""
    checked = 0
    for seed in range(60):
        game = qf.Game(seed, 3)
        while not game.is_over and (game.bag or sum(map(len, game.hands)) > 6):
            game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
        position = qf.Position(str(game.position)) if not game.is_over else None
        if position is None or not len(position.legal_moves):
            continue
        move = position.legal_moves.top(1)[0]
        unseen = [tile for tile, count in enumerate(position.unseen) for _ in range(count)]
        sizes = [hidden for _, hidden in position.hands[1:]]
        margins = []
        for order in set(permutations(unseen)):
            hands = (position.hands[0], (order[: sizes[0]], 0), (order[sizes[0] :], 0))
            margins.append(margin_in(qf.Position.from_position(position, hands), move))
        if None in margins:
            continue
        truth = sum(filter(None, margins)) / len(margins)
        hint = qf.hints(position, only=[move], simulations=4000, threads=1)[0]
        assert hint.simulations == 4000
        assert hint.stderr is not None
        assert abs(hint.equity - truth) <= 4 * hint.stderr + 1e-3, (seed, str(position))
        checked += 1
    assert checked > 5


def margin_in(position: qf.Position, move: qf.Move) -> int | None:
    """What the mover gains on the best other by this move and three greedy ones, if those end the game."""
    before = position.scores
    mover = 0
    for _ in range(4):
        position.push(move)
        mover = (mover - 1) % 3
        if position.end:
            break
        move = choose_greedy(position, 0)
    else:
        return None
    after = position.scores[mover:] + position.scores[:mover]
    best = max((1, 2), key=lambda player: after[player])
    return after[0] - before[0] - (after[best] - before[best])
