"""The programs of the folder ``examples`` do what the manual says, and refuse bad arguments in one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import qwirkle_fast as qf

EXAMPLES = Path(__file__).parent.parent / "examples"
POSITION = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="needs node")


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, "PYTHONUTF8": "1"}
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, encoding="utf-8", timeout=120, cwd=cwd, env=environment
    )


def python(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, EXAMPLES / name, *arguments)


def test_hint_lists_the_best_and_says_why() -> None:
    done = python("hint.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert "48 placements and 63 exchanges" in done.stdout
    assert "   7  Bs@-1,-1+Rs@-1,0+Ps@-1,1" in done.stdout


def test_replay_shows_every_turn(tmp_path: Path) -> None:
    game = qf.Game(seed=5)
    game.play(game.position.legal_moves.best())
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(game.record()) + "\n")
    done = python("replay.py", file)
    first, last = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, first["score"], last["end"]) == (0, game.turns[0].score, None)


def test_referee_plays_pairs_of_games() -> None:
    done = python("referee.py", "2")
    assert done.stdout.startswith("careful against greedy: ")
    assert " of 4 games won" in done.stdout


def test_numba_calls_the_core() -> None:
    pytest.importorskip("numba")
    done = python("greedy_numba.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "25\n", "")
    # As many turns as there are tiles are the end of it.
    assert python("greedy_numba.py", POSITION, "999").stdout == "134\n"


@needs_node
def test_node_asks_over_the_protocol() -> None:
    pytest.importorskip("numba")
    done = run("node", EXAMPLES / "ask.js", POSITION, "0.1")
    assert (done.returncode, done.stderr) == (0, "")
    move, _, words = done.stdout.partition(": ")
    assert qf.Move(move) in qf.Position(POSITION).legal_moves
    assert "points now, wins" in words


def test_a_cython_module_is_compiled_against_the_package(tmp_path: Path) -> None:
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools")
    compiler = (sysconfig.get_config_var("CC") or "").split()
    if not (compiler and shutil.which(compiler[0])):
        pytest.skip("needs the C compiler that Python was built with")
    project = tmp_path / "greedy"
    shutil.copytree(EXAMPLES / "cython", project)
    built = run(sys.executable, "setup.py", "-q", "build_ext", "--inplace", cwd=project)
    assert built.returncode == 0, built.stderr
    script = "import greedy, qwirkle_fast as qf; p = qf.Position(%r); print(greedy.points(p, 3), greedy.points(p, 999))"
    done = run(sys.executable, "-c", script % POSITION, cwd=project)
    assert (done.stdout, done.stderr) == ("25 134\n", "")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("hint.py", ["RvRdRd BcBs/?6 0/3 classic"]),
        ("replay.py", ["no/such/file"]),
        ("replay.py", [str(EXAMPLES / "hint.py")]),
        ("referee.py", ["-1"]),
        ("greedy_numba.py", ["nonsense"]),
        ("greedy_numba.py", [POSITION, "many"]),
        ("greedy_numba.py", ["RskRdw RckBsm/?6 0/0 flex"]),
    ],
)
def test_bad_arguments_are_refused_in_one_line(name: str, arguments: list[str]) -> None:
    if "numba" in name:
        pytest.importorskip("numba")
    done = python(name, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@needs_node
@pytest.mark.parametrize("arguments", [["nonsense"], [POSITION, "never"]])
def test_bad_arguments_are_refused_from_node(arguments: list[str]) -> None:
    pytest.importorskip("numba")
    done = run("node", EXAMPLES / "ask.js", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected" in done.stderr
    assert "    at " not in done.stderr  # a trace in node's form
