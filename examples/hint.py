"""A hint for a position: the best moves, and why the first one scores what it does.

python examples/hint.py
python examples/hint.py "-1,-1:GtGvGdGc/RtRvRdRcRs GsOsPtPxRcBd/?6 12/20 classic"
"""

import sys

import qwirkle_fast as qf
from qwirkle_fast.drawing import board_text

POSITION = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"


def draw(position: qf.Position) -> str:
    tile_set = position.rules.tile_set
    cells = [(x, y, tile_set.tile(code)) for (x, y), code in position.board.items()]
    return board_text(cells, tile_set, colour=sys.stdout.isatty())


def main(text: str) -> None:
    position = qf.Position(text)
    print(draw(position))

    moves = position.legal_moves.scored(5)
    print(f"\n{len(position.legal_moves)} placements and {len(position.exchanges)} exchanges; the most points:")
    for move, score in moves:
        print(f"{score:4}  {move}")
    if not moves:
        return

    best, score = moves[0]
    print(f"\n{best} scores {score}:")
    for line in position.explain(best).lines:
        cells = " ".join(f"{x},{y}" for x, y in line.cells)
        print(f"{line.points:4}  the {line.kind} {cells}")

    position.push(best)
    print(f"\nand leaves\n{draw(position)}\n{position}")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else POSITION)
    except ValueError as error:  # every error of the package is one, and says what, where, and what was expected
        sys.exit(str(error))
