"""Where there is no Numba all but the search works, and the search says in one line what is missing."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

POSITION = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"
RECORDS = Path(__file__).parent / "data" / "records.jsonl"
MISSING = (
    "search: no Numba here (No module named 'numba'), expected it to be installed; all but the search works without it"
)

#: Hides Numba from the interpreter as if it were not installed.
HIDE = """
import importlib.machinery, sys
class Hiding(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        hidden = name.partition(".")[0] in ("numba", "llvmlite")
        return None if hidden else super().find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(importlib.machinery.PathFinder)] = Hiding
"""
COMMAND = HIDE + "from qwirkle_fast.cli import main; sys.exit(main())"


def without_numba(script: str, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=60)


def test_importing_moves_scores_and_greedy_games_work() -> None:
    script = HIDE + (
        "import qwirkle_fast as qf\n"
        f"position = qf.Position({POSITION!r})\n"
        "best = position.legal_moves.best()\n"
        "print(len(position.legal_moves), position.score(best))\n"
        "game = qf.Game(seed=1, players=3)\n"
        "while not game.is_over:\n"
        "    seen = game.position\n"
        "    exchange = seen.exchanges[-1] if seen.exchanges else qf.Move.skip()\n"
        "    game.play(seen.legal_moves.best() or exchange)\n"
        "print(game.end, *game.scores)\n"
    )
    done = without_numba(script)
    assert (done.stdout, done.stderr) == ("48 7\nout 127 118 139\n", "")


def test_the_search_says_what_is_missing() -> None:
    for name in ("best_move", "hints", "analyse", "review", "Hint"):
        done = without_numba(
            HIDE + f"import qwirkle_fast as qf\ntry:\n    qf.{name}\nexcept ImportError as e:\n    print(e)"
        )
        assert (done.stdout, done.stderr) == (MISSING + "\n", ""), name


@pytest.mark.parametrize(
    "arguments",
    [
        ("moves", POSITION),
        ("score", POSITION, "Rs@3,0"),
        ("apply", POSITION, "Rs@3,0"),
        ("show", POSITION),
        ("match", "greedy", "random", "--games", "2"),
        ("qwixx", "hint", "R2,3,5,7,8,12/Y2,3,4,5,6,7,9,10/G12,11,10,9,8,7,4/B-/P3", "--dice", "W3,4/Y5/G1/B6"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_that_do_not_search_work(arguments: tuple[str, ...]) -> None:
    done = without_numba(COMMAND, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("hint", POSITION),
        ("play",),
        ("review", str(RECORDS)),
        ("match", "search", "random", "--games", "2"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_that_search_say_so_in_one_line(arguments: tuple[str, ...]) -> None:
    done = without_numba(COMMAND, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"qwirkle-fast: {arguments[0]}: {MISSING}\n"


def test_the_engine_goes_on_and_says_so_where_it_is_to_search() -> None:
    lines = ["uqi", "isready", f"position {POSITION} moves Rs@3,0", f"position {POSITION}", "go", "newgame qwixx"]
    # Of the white dice's 2 red alone can be marked, and little is lost by it.
    given = "".join(f"{line}\n" for line in [*lines, "position R-/Y3/G-/B-/P0 W1,1/R6/Y1/G5/B1 qwixx", "go"])
    done = without_numba(COMMAND, "engine", given=given)
    answers = [line for line in done.stdout.splitlines() if line.split()[0] in ("uqiok", "readyok", "bestmove")]
    assert answers == ["uqiok", "readyok", "bestmove none", "bestmove R2"]
    assert (done.returncode, done.stderr) == (0, f"qwirkle-fast: go: {MISSING}\n")


def test_the_server_answers_the_rest() -> None:
    if not (importlib.util.find_spec("fastapi") and importlib.util.find_spec("httpx")):
        pytest.skip("needs the extra web")
    script = HIDE + (
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from asking import Client\n"
        "from qwirkle_fast.web import create_app\n"
        "client = Client(create_app())\n"
        f"body = {{'position': {POSITION!r}}}\n"
        "moves, hints = client.post('/v1/moves', body), client.post('/v1/hints', body)\n"
        "print(len(moves.json()['moves']), client.get('/v1/health').json()['search'])\n"
        "print(hints.status_code, hints.json()['detail'])\n"
    )
    done = without_numba(script)
    assert (done.stdout, done.stderr) == (
        "48 False\n501 server: no Numba here, expected a server that has it\n",
        "",
    )


def test_a_server_starts(tmp_path: Path) -> None:
    if not importlib.util.find_spec("uvicorn"):
        pytest.skip("needs the extra web")
    command = [sys.executable, "-c", COMMAND, "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        process.terminate()
        assert "http://" in line
        assert "Traceback" not in process.stderr.read()
