"""The comparison of moves while a few tiles are in the bag."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import pytest
from players import minimax

import qwirkle_fast as qf
from qwirkle_fast._core import Grid
from qwirkle_fast.move import Move

pytest.importorskip("numba")

from qwirkle_fast.search._endgame import Solver
from qwirkle_fast.search.montecarlo import Search
from qwirkle_fast.search.preendgame import compared


def small(seed: int, rules: str) -> qf.Position | None:
    """Two tiles for the player to move, two hidden ones for the other, one in the bag: the end of a greedy game."""
    game = qf.Game(seed, 2, rules)
    while not game.is_over and (game.bag or sum(map(len, game.hands)) > 5):
        game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
    if game.is_over or sum(map(len, game.hands)) != 5 or len(game.full_position.hand) < 2:
        return None
    text = str(game.full_position)
    board, hands, scores, name = text.split()
    size = 2 if rules == "classic" else 3
    mine = hands.split("/")[0][: 2 * size]
    return qf.Position(f"{board} {mine}/?2 {scores} {name}")


def in_deal(position: qf.Position, move: Move, other: tuple[int, ...], last: int) -> int:
    """What a placement brings when the other holds these tiles and the bag this one, by minimax."""
    grid = Grid(position.rules)
    assert grid.load(position.cells)
    left = [*position.hand, last]
    for x, y, code in move.placed:
        tile = position.rules.tile_set.codes.index(code)
        grid.place(x, y, tile)
        left.remove(tile)
    return (position.score(move) or 0) - minimax(grid, other, tuple(left))


@pytest.mark.parametrize("rules", ["classic", "flex"])
def test_every_deal_is_searched_and_the_mean_is_that_of_all(rules: str) -> None:
    checked = 0
    for seed in range(24):
        position = small(seed, rules)
        if position is None or len(position.legal_moves) < 2 or position.end:
            continue
        search = Search(position, seed=seed)
        judged = list(search.run(time=None, simulations=400, threads=1))[-1]
        unseen = [tile for tile, count in enumerate(position.unseen) for _ in range(count)]
        assert len(unseen) == 3
        deals = [(tuple(unseen[i] for i in pair), unseen[3 - sum(pair)]) for pair in combinations(range(3), 2)]
        solver = Solver(position.rules, position.cells, (position.hand, ()))
        wanted = {}
        for candidate in search.candidates:
            if candidate.move.is_placement:
                truth = [in_deal(position, candidate.move, *deal) for deal in deals]
                assert truth == [
                    solver.outcome(candidate.word, 0, (*other, last), 2, 40, i) for i, (other, last) in enumerate(deals)
                ], (str(position), candidate.move)
                wanted[candidate.move] = round(fmean(truth), 3)
        answers = list(
            compared(
                position,
                search.candidates,
                judged,
                seed=1,
                inference=True,
                outcomes=None,
                time=None,
                threads=2,
                stop=None,
            )
        )
        # Two plies are not always enough, but nearly so with so few tiles.
        assert len(answers) == 1
        close = [abs(hint.equity - wanted[hint.move]) for hint in answers[0][:3] if hint.move in wanted]
        assert max(close, default=0) <= 4
        checked += 1
    assert checked > 4


def test_the_same_answer_for_any_number_of_threads() -> None:
    game = qf.Game(5, 2)
    while len(game.bag) > 4:
        game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
    answers = [qf.hints(game.position, simulations=2000, seed=3, threads=threads) for threads in (1, 2, 3)]
    assert answers[0] == answers[1] == answers[2]
    wins = [hint.win or 0 for hint in answers[0]]
    assert wins == sorted(wins, reverse=True)
    assert not any(hint.exact for hint in answers[0])
