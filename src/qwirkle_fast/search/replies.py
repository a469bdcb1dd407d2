"""The reply to expect: what the next player answers most often, over further deals of what is hidden.

The hands that a search deals differ from sample to sample, and so do the replies.  So what is told of a move is the
most frequent reply and its share, and the mean points of all replies; each is the placement that scores most, as in
the rollouts.  The deals are those of the seed, the same for each move, and no part of the search's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .. import _core
from ..deal import Generator
from ..move import PLACEMENT, Move
from ..notation import texts
from ..position import Position
from .hint import Hint, Reply
from .inference import Inference
from .native import ABI, board_best, board_lay, board_take_back, compiled
from .rollouts import HAND, deal, give_kept, hand_masks, next_random, tiles_in

#: Deals for each move.
DEALS = 128


def _make_answer(abi: int):
    @compiled
    def answer(board, backgrounds, hand, count, hidden, unseen, taken, owners, players, seed, move, found):
        """After a placement (its two words; none when the second is 0) the best-scoring one of the next player.

        hand, count, hidden: that player's known tiles, and how many more are drawn from the unseen.  taken, owners:
        what players kept, as in the rollouts.  found: per deal the placement's two words, left at 0 where nothing fits.
        """
        assert abi > 0
        masks = np.zeros(3, np.uint64)
        best = np.zeros(2, np.uint64)
        state = np.zeros(1, np.uint64)
        tiles = unseen.copy()
        held = np.zeros((players, HAND), np.uint8)
        sizes = np.zeros(players, np.int64)
        sets = len(taken)
        if move[1]:
            board_lay(board, move.ctypes.data)
        for sample in range(len(found)):
            state[0] = seed + np.uint64(sample) * np.uint64(0xD1342543DE82EF95)
            next_random(state)
            for i in range(len(unseen)):
                tiles[i] = unseen[i]
            for i in range(players):
                sizes[i] = 0
            for i in range(count):
                held[1, i] = hand[i]
            sizes[1] = count
            total = give_kept(tiles, taken[sample % sets], owners[sample % sets], held, sizes)
            more = count + hidden - sizes[1]
            deal(tiles, total, more, state)
            for i in range(more):
                held[1, sizes[1] + i] = tiles[i]
            hand_masks(held[1], count + hidden, backgrounds, masks)
            if board_best(board, masks.ctypes.data, best.ctypes.data) >= 0:
                found[sample, 0] = best[0]
                found[sample, 1] = best[1]
        for _ in range(tiles_in(move[1])):
            board_take_back(board)

    return answer


answer = _make_answer(ABI)


def with_replies(position: Position, hints: Sequence[Hint], *, seed: int = 0, inference: bool = True) -> list[Hint]:
    """The hints of a position with the reply to expect; solved ones, whose line has it, stay as they are.

    The next player's tiles are dealt from what the mover does not see, as often as :data:`DEALS` says.
    """
    generator = Generator(seed)
    generator.next()
    start = np.uint64(generator.next())
    known, hidden = position.hands[1]
    if not known and not hidden:
        return list(hints)
    grid = _core.Grid(position.rules)
    for x, y, tile in position.cells:
        grid.place(x, y, tile)
    board = _core.Workspace(grid)
    hand = np.zeros(HAND, np.uint8)
    hand[: len(known)] = known
    unseen = np.repeat(np.arange(len(position.unseen), dtype=np.uint8), position.unseen)
    kept = Inference(position, unseen, seed, used=inference)
    kept.fill(DEALS)
    tile_set, flex = position.rules.tile_set, position.rules.name == "flex"
    replied = []
    for hint in hints:
        if hint.exact:
            replied.append(hint)
            continue
        move = np.zeros(2, np.uint64)
        if hint.move.is_placement:
            move[:] = hint.move.array(tile_set, hint.score).view(np.uint64)
        found = np.zeros((DEALS if hidden else 1, 2), np.uint64)
        answer(board.address, tile_set.backgrounds, hand, len(known), hidden, unseen, kept.taken,
               kept.owners, position.players, start, move, found)  # fmt: skip
        placements = found[found[:, 1] > 0].view(PLACEMENT).reshape(-1)
        counted = Counter({"": len(found) - len(placements)})
        counted.update(texts(placements, flex))
        text, times = min(counted.items(), key=lambda item: (-item[1], item[0]))
        reply = Move.trusted(text) if text else _without_placement(position, hint.move)
        if reply is not None:
            score = round(int(placements["score"].sum()) / len(found), 2)
            hint = replace(hint, reply=Reply(reply, round(times / len(found), 3), score))
        replied.append(hint)
    return replied


def _without_placement(position: Position, move: Move) -> Move | None:
    """What the next player does who cannot place after a move: gives away all that the bag takes, or passes."""
    after = position.copy()
    after.push(move)
    if after.end:
        return None
    tiles, hidden = after.hands[0]
    size = min(len(tiles) + hidden, after.bag)
    return Move.exchange([], size) if size else Move.skip()
