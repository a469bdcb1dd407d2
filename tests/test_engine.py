"""The engine's side of the protocol, as a program that talks to it sees it."""

from __future__ import annotations

import io
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from qwirkle_fast import Game, Move, Position
from qwirkle_fast.engine import Conversation

pytest.importorskip("numba")

SMALL = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"
#: Two players, an empty bag: solved.
ENDGAME_SEED = 3


def talk(*lines: str | bytes) -> tuple[list[str], list[str]]:
    """What it answers to these lines, and what it complains of."""
    source = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    answers, complaints = io.BytesIO(), []
    Conversation(io.BytesIO(source), answers, complaints.append, "1.2.3").run()
    return answers.getvalue().decode().splitlines(), complaints


def best(answers: Sequence[str]) -> str:
    found = [line.partition(" ")[2] for line in answers if line.startswith("bestmove ")]
    assert len(found) == 1
    return found[0]


def test_it_introduces_itself() -> None:
    answers, complaints = talk("uqi", "isready")
    assert answers[0] == "id name qwirkle_fast 1.2.3"
    assert answers[1].startswith("id author ")
    assert "option name Threads type spin default 1 min 1 max 1024" in answers
    assert answers[-2:] == ["uqiok", "readyok"]
    assert complaints == []


@pytest.mark.parametrize("limit", ["movetime 50", "simulations 100", "movetime 10000 simulations 50"])
def test_it_answers_with_a_legal_move(limit: str) -> None:
    answers, complaints = talk(f"position {SMALL}", f"go {limit}")
    assert Position(SMALL).is_legal(Move(best(answers)))
    assert answers[-1].startswith("bestmove ")
    words = answers[-2].split()
    assert words[:2] == ["info", "move"]
    assert words[2] == best(answers)
    assert {"equity", "win", "simulations", "score", "stderr"} <= set(words)
    assert complaints == []


def test_simulations_and_a_seed_fix_the_answer() -> None:
    lines = ("setoption name Seed value 7", f"position {SMALL}", "go simulations 300")
    first = talk(*lines)
    assert first == talk(*lines)
    assert first[0] == talk("setoption name Threads value 2", *lines)[0]


def test_hints_are_as_many_as_it_is_asked_for() -> None:
    answers, _ = talk("setoption name Hints value 3", f"position {SMALL}", "go simulations 400")
    assert len([line for line in answers if line.startswith("info move ")]) >= 3


def test_no_moves_and_no_time_are_as_good_as_some() -> None:
    for asked in ([f"position {SMALL} moves", "go simulations 50"], [f"position {SMALL}", "go movetime 0"]):
        answers, complaints = talk(*asked)
        assert complaints == []
        assert Position(SMALL).is_legal(Move(best(answers)))


def test_it_follows_the_moves() -> None:
    game = Game(5)
    game.play(game.position.legal_moves.best())
    answers, complaints = talk(f"position {game.view(1 - game.seat)} moves -?3", "go simulations 50")
    after = Position(str(game.view(1 - game.seat)))
    after.push(Move("-?3"))
    assert complaints == []
    assert after.is_legal(Move(best(answers)))
    # But for what the move says about the other's hand, the same as when it is told where that leads to.
    without = talk("setoption name Inference value 0", f"position {game.view(1 - game.seat)} moves -?3",
                   "go simulations 50")[0]  # fmt: skip
    assert without == talk(f"position {after}", "go simulations 50")[0]
    assert answers != without
    # Whoever has drawn since does not know its hand.
    answers, complaints = talk(f"position {SMALL} moves Rs@3,0 -?2", "go simulations 50")
    assert best(answers) == "none"
    assert complaints == ["go: hands: the player to move has hidden tiles, expected a hand that is known"]


def test_a_solved_endgame_says_so() -> None:
    game = Game(ENDGAME_SEED)
    while game.bag:
        game.play(game.position.legal_moves.best())
    answers, _ = talk(f"position {game.position}", "go movetime 3000")
    assert " exact line " in answers[-2]


def test_a_game_that_is_over_has_no_best_move() -> None:
    dead = "YcGcOcRcBcPc/BcRcYcGcPcOc/PcYcGcOcRcBc RsOdYtGvBxPd/?1 0/0 classic"
    answers, complaints = talk(f"position {dead}", "go")
    assert (best(answers), complaints) == ("none", [])


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["go"], "line 1: go: no position to think about, expected position before it"),
        (["position RvBd Rs/?6 0/0 classic"], "line 1: board: Bd at 1,0, expected a row of one colour"),
        (
            [f"position {SMALL} moves Rs@9,9"],
            "line 1: position: Rs@9,9: no tile of the board touches 9,9 edge to edge, expected ",
        ),
        ([f"position {SMALL} moves xyz"], "line 1: move: 'xyz' is no placed tile, expected "),
        (["position"], "line 1: position: "),
        (["", "setoption name Threads value 0"], "line 2: Threads: '0', expected a whole number from 1 to 1024"),
        (["setoption Threads 2"], "line 1: setoption: 'Threads 2', expected name NAME value VALUE"),
        (["setoption name Hash value 2"], "line 1: setoption: 'Hash' is no option, expected Threads, Seed, Hints"),
        (["newgame chess"], "line 1: newgame: 'chess' is no game, expected qwirkle"),
        ([f"position {SMALL}", "go movetime soon"], "line 2: movetime: 'soon', expected a whole number from 0 to "),
        ([f"position {SMALL}", "go simulations"], "line 2: simulations: '', expected a whole number from 1 to "),
        (["position RvRd Rs?5/?6 0/0 classic", "go"], "go: hands: the player to move has hidden tiles, expected "),
        ([b"position \xff"], "line 1: byte 10 is not UTF-8, expected ASCII"),
        ([b"x" * (1 << 20) + b"y"], "line 1: over 1,048,576 bytes, expected fewer"),
    ],
)
def test_what_it_cannot_understand_it_says_and_goes_on(lines: list[str | bytes], complaint: str) -> None:
    answers, complaints = talk(*lines, "isready")
    assert len(complaints) == 1
    assert complaints[0].startswith(complaint)
    asked = any(isinstance(line, str) and line.startswith("go") for line in lines)
    assert sorted(answers) == (["bestmove none"] if asked else []) + ["readyok"]


def test_after_a_bad_position_there_is_none() -> None:
    answers, complaints = talk(f"position {SMALL}", "position nonsense", "go")
    assert best(answers) == "none"
    assert len(complaints) == 2


def test_unknown_words_are_ignored() -> None:
    answers, complaints = talk("", "xyzzy", "ponderhit now", f"position {SMALL}", "go quickly simulations 20 please")
    assert best(answers) != "none"
    assert complaints == []


def test_crlf_is_accepted() -> None:
    answers, complaints = talk("uqi\r", f"position {SMALL}\r", "go simulations 20\r")
    assert best(answers) != "none"
    assert complaints == []


# -- while it thinks


class Engine:
    """The engine in a process of its own."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "qwirkle_fast", "engine"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\n"))

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def until(self, word: str) -> str:
        while True:
            line = self._lines.get(timeout=60)
            if line.split(" ")[0] == word:
                return line

    def end(self) -> tuple[int, str]:
        assert self.process.stdin is not None
        assert self.process.stderr is not None
        self.process.stdin.close()
        status = self.process.wait(30)
        return status, self.process.stderr.read().decode()


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine()
    yield engine
    engine.process.kill()
    engine.process.wait()
    for file in (engine.process.stdin, engine.process.stdout, engine.process.stderr):
        assert file is not None
        file.close()


def test_it_thinks_until_it_is_stopped_and_listens_meanwhile(engine: Engine) -> None:
    engine.say("uqi", f"position {SMALL}", "go infinite")
    engine.until("uqiok")
    engine.until("info")
    engine.say("isready")
    engine.until("readyok")
    engine.say("stop")
    assert engine.until("bestmove") != "bestmove none"
    engine.say("go simulations 20")
    engine.until("bestmove")
    engine.say("quit")
    assert engine.end() == (0, "")


def test_each_go_gets_one_answer_in_their_order_also_while_it_thinks(engine: Engine) -> None:
    position = f"position {SMALL}"
    questions = [position, "go simulations 300", "position ?", "go", position, "go movetime x", "go simulations 200"]
    apart = [best(talk(position, f"go simulations {number}")[0]) for number in (300, 200)]
    answers, _ = talk(*questions)
    expected = [apart[0], "none", "none", apart[1]]
    assert [line.removeprefix("bestmove ") for line in answers if line.startswith("bestmove")] == expected
    # What would not end by itself makes room; stop is for all that is asked by then.
    engine.say(position, "go infinite", "go movetime 100000", "go infinite", "isready")
    assert engine.until("bestmove") != "bestmove none"
    engine.say("stop")
    assert [engine.until("bestmove") != "bestmove none" for _ in range(2)] == [True, True]
    engine.say("go simulations 20", "quit")
    engine.until("bestmove")
    assert engine.end() == (0, "")


def test_an_endless_search_answers_only_when_stopped(engine: Engine) -> None:
    # One legal move: nothing to think about.
    engine.say("position RvRd Rs/?6 0/0 classic;opening=any", "position Rv Rv/Rv 0/0 classic", "go infinite", "isready")
    engine.until("readyok")
    with pytest.raises(queue.Empty):
        engine._lines.get(timeout=0.2)
    engine.say("stop")
    engine.until("bestmove")


@pytest.mark.parametrize("ending", ["quit", ""])
def test_the_end_of_the_input_ends_it(engine: Engine, ending: str) -> None:
    engine.say(f"position {SMALL}", "go infinite", *[ending] * bool(ending))
    assert engine.end()[0] == 0


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
def test_a_closed_pipe_is_quiet(engine: Engine) -> None:
    process: Any = engine.process
    engine.say("isready")
    engine.until("readyok")
    code = f"{sys.executable} -m qwirkle_fast engine | true"
    done = subprocess.run(code, shell=True, input=b"uqi\n" * 2000, capture_output=True, timeout=60)
    assert done.stderr == b""
    assert process.poll() is None
