"""Replay game records and print a JSON line for each turn.

    python examples/replay.py games.jsonl     # a file with one record a line
    python examples/replay.py                 # a game made on the spot

A record says what was dealt, played and drawn.  Replaying it checks all of that again: a move that is illegal, a score
that is wrong or a tile that was not in the bag is an error that names the turn.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import qwirkle_fast as qf


def greedy_game(seed: int) -> qf.Game:
    """A whole game in which both players make the move that scores most."""
    game = qf.Game(seed, names=("one", "two"))
    while not game.is_over:
        position = game.position
        move = position.legal_moves.best()
        if move is None:  # exchange as much as the bag allows, else pass
            move = position.exchanges[-1] if position.exchanges else qf.Move.skip()
        game.play(move)
    return game


def turns(record: dict[str, object]) -> Iterator[dict[str, object]]:
    """What each player in turn saw, did and scored."""
    # The whole record first: this raises at the first turn that does not follow.
    finished = qf.Game.from_record(record)
    # Then from the deal again, to see the positions on the way.
    game = qf.Game.from_record({**record, "turns": [], "scores": [0] * finished.players, "end": None})
    for turn in finished.turns:
        yield {
            "player": finished.names[turn.seat],
            "position": str(game.position),
            "move": str(turn.move),
            "score": turn.score,
        }
        game.play(turn.move)
    winners = [finished.names[seat] for seat in finished.winners]
    yield {"end": finished.end, "scores": finished.scores, "winners": winners}


def main(names: list[str]) -> None:
    if names:
        records = [json.loads(line) for name in names for line in Path(name).read_text(encoding="utf-8").splitlines()]
    else:
        records = [greedy_game(seed=1).record()]
    for record in records:
        for line in turns(record):
            print(json.dumps(line))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(str(error))
