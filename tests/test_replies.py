"""The reply to expect, against enumeration and against what the next player really would do."""

from __future__ import annotations

from collections import Counter

import pytest

import qwirkle_fast as qf

pytest.importorskip("numba")

from qwirkle_fast.search import replies, with_replies

MIDDLE = "-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs RcRdBxGtPsYv/?6 45/40 classic"


def replied(text: str, seed: int = 0) -> list[qf.Hint]:
    return qf.hints(qf.Position(text), simulations=300, seed=seed, threads=1)


def test_a_hand_in_the_open_answers_with_its_best() -> None:
    for text in (MIDDLE.replace("/?6", "/PcPxOvGvRtBd"), "RskBsm GskYsmRcwRtk/OskPswRdm 0/0 flex"):
        for hint in replied(text):
            after = qf.Position(text)
            after.push(hint.move)
            best = after.legal_moves.best()
            assert hint.reply
            assert hint.reply.chance == 1
            if best is None:
                assert hint.reply.move.hidden == len(after.hand)
            else:
                assert hint.reply.score == after.score(best) == after.score(hint.reply.move)


@pytest.mark.parametrize("text", ["RvRdRc RsBs/?1 0/0 classic", "RskBsm GskYsm/Rck?1 0/0 flex"])
def test_the_deals_agree_with_enumeration(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each tile that the next player may hide, with its own best reply; a lone tile may have several."""
    monkeypatch.setattr(replies, "DEALS", 20_000)
    position = qf.Position(text)
    hint = with_replies(position, qf.hints(position, simulations=50, top=1, threads=1))[0]
    unseen = position.unseen
    scores, ties = Counter[int](), Counter[qf.Move]()
    for tile, count in enumerate(unseen):
        after = position.copy()
        after.push(hint.move)
        if count:
            after.reveal(0, [tile])
            moves = after.legal_moves.scored() or [(qf.Move(f"-?{len(after.hand)}"), 0)]
            best = moves[0][1]
            scores[best] += count
            ties.update({move: count for move, score in moves if score == best})
    total = sum(unseen)
    mean = sum(score * n for score, n in scores.items()) / total
    spread = sum((score - mean) ** 2 * n for score, n in scores.items()) / total
    assert hint.reply
    assert abs(hint.reply.score - mean) < 0.006 + 4 * (spread / 20_000) ** 0.5
    assert 0 < hint.reply.chance < ties[hint.reply.move] / total + 0.015


def test_replies_do_not_change_with_the_threads_nor_among_more_hints() -> None:
    position = qf.Position(MIDDLE)
    answers = [qf.hints(position, simulations=2000, seed=4, threads=threads) for threads in (1, 3)]
    assert answers[0] == answers[1]
    assert all(hint.reply for hint in answers[0])
    first = qf.best_move(position, simulations=2000, seed=4, threads=1)
    assert first == answers[0][0]


def test_a_move_that_ends_the_game_has_no_reply() -> None:
    """With three players nothing is solved: the mover goes out, or places the last tile that fits."""
    circles = "YcGcOcRcBc/BcRcYcGcPcOc/PcYcGcOcRcBc Pc/{}/?1 0/0/0 classic"
    last = qf.Position(circles.format("RsOdYtGvBxPd"))
    hints = qf.hints(last, simulations=50, threads=1)
    assert {hint.move for hint in hints if hint.reply is None} == {
        move for move in (hint.move for hint in hints) if ends(last, move)
    }
    assert any(hint.reply is None for hint in hints)


def ends(position: qf.Position, move: qf.Move) -> bool:
    after = position.copy()
    after.push(move)
    return after.end is not None


def test_solved_hints_have_a_line_instead() -> None:
    game = qf.Game(3, 2)
    while game.bag or sum(map(len, game.hands)) > 5:
        game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
    for hint in qf.hints(game.position, threads=1):
        assert hint.exact
        assert hint.reply is None
        assert "reply" not in hint.to_json()
