"""What the Python layer adds: parsing, formatting, moves, games."""

from __future__ import annotations

from typing import Any

import qwirkle_fast as qf
from qwirkle_fast.bench import suite

MIDDLE = next(case.text for case in suite() if case.name == "middle-1")
LATE = next(case.text for case in suite() if case.name == "late-1")


def bench_parse(benchmark: Any) -> None:
    assert str(benchmark(qf.Position, LATE)) == LATE


def bench_format(benchmark: Any) -> None:
    assert benchmark(str, qf.Position(LATE)) == LATE


def bench_scored_moves(benchmark: Any) -> None:
    legal = qf.Position(MIDDLE).legal_moves
    assert len(benchmark(legal.scored)) == len(legal)


def bench_push_and_pop(benchmark: Any) -> None:
    position = qf.Position(MIDDLE)
    move = position.legal_moves.best()
    assert move is not None

    def there_and_back() -> qf.Move:
        position.push(move)
        return position.pop()

    assert benchmark(there_and_back) == move


def bench_greedy_game(benchmark: Any) -> None:
    def play() -> qf.Game:
        game = qf.Game(1)
        while not game.is_over:
            legal = game.position.legal_moves
            game.play(legal.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
        return game

    assert benchmark(play).end == "out"
