"""The commands as a user runs them: what they answer, their statuses, and the one line that says what was wrong."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from qwirkle_fast import cli
from qwirkle_fast.cli import commands as cli_commands
from qwirkle_fast.move import Move
from qwirkle_fast.position import Position

SMALL = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"
EXAMPLE = "-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs RcRdBxGtPsYv/?6 45/40 classic"
FLEX = "RskRdw RckBsm/?6 0/0 flex"
OPENING = "- RsBc/?6 0/0 classic"
#: All circles in a block: nothing fits any more.
DEAD = "YcGcOcRcBcPc/BcRcYcGcPcOc/PcYcGcOcRcBc RsOdYtGvBxPd/?1 0/0 classic"
#: Enough for any hint, and soon done.
FEW = ("--simulations", "1000", "--seed", "1")
COMMANDS = ("moves", "hint", "score", "apply", "show")

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


class Result(NamedTuple):
    status: int
    out: str
    err: str


def ask(*arguments: str, given: bytes = b"") -> Result:
    """Run a command in this process, with this on standard input."""
    out, err = io.BytesIO(), io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, "utf-8"))
        patch.setattr(sys, "stderr", io.TextIOWrapper(err, "utf-8", "backslashreplace", newline="\n"))
        status = cli.run(cli_commands.commands, arguments)
        # The wrappers close what they wrap when they go.
        return Result(status, out.getvalue().decode(), err.getvalue().decode())


def shell(*arguments: str | bytes, given: bytes | None = b"", **options: Any) -> Result:
    """Run a command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "qwirkle_fast", *arguments], input=given, capture_output=True, timeout=60, **options
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode().replace(os.linesep, "\n"))


def answer(*arguments: str) -> Any:
    """The JSON object that a command must answer, and say nothing else."""
    status, out, err = ask(*arguments, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


def assert_refused(result: Result, *words: str) -> None:
    """Status 2, nothing on standard output, and one line on standard error that has these words."""
    assert result.status == cli.BAD_INPUT
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert result.err.endswith("\n")
    assert result.err.startswith("qwirkle-fast: ")
    assert ", expected " in result.err
    assert result.err[:-1].isprintable()
    for word in words:
        assert word in result.err


# What the commands answer


def test_moves_lists_every_placement_best_first() -> None:
    found = answer("moves", EXAMPLE)
    assert list(found) == ["position", "moves"]
    assert found["position"] == EXAMPLE
    assert all(list(move) == ["move", "score"] for move in found["moves"])
    pairs = [(move["move"], move["score"]) for move in found["moves"]]
    assert pairs == sorted(pairs, key=lambda pair: (-pair[1], pair[0].encode()))
    assert pairs == [(str(move), score) for move, score in Position(EXAMPLE).legal_moves.scored()]
    assert ask("moves", EXAMPLE) == Result(0, "  ".join(f"{move} {score}" for move, score in pairs) + "\n", "")


def test_moves_counts() -> None:
    assert answer("moves", SMALL, "--count") == {"position": SMALL, "count": 48}
    assert list(answer("moves", "--count", SMALL)) == ["position", "count"]
    assert ask("moves", SMALL, "--count") == Result(0, "48\n", "")


def test_moves_of_flex_have_a_background() -> None:
    found = answer("moves", FLEX)
    assert {"move": "Rck@2,0", "score": 3} in found["moves"]
    assert {"move": "Rck@-1,0", "score": 3} in found["moves"]


@pytest.mark.search
def test_hint_ranks_the_best_moves() -> None:
    found = answer("hint", SMALL, "--top", "3", *FEW)
    assert list(found) == ["position", "hints"]
    assert found["position"] == SMALL
    assert len(found["hints"]) == 3
    for hint in found["hints"]:
        assert list(hint) == ["move", "score", "equity", "stderr", "win", "simulations", "exact", "reply"]
        assert hint["score"] == Position(SMALL).score(Move(hint["move"]))
        assert hint["win"] is None or 0 <= hint["win"] <= 1
        assert isinstance(hint["equity"], int | float)
        assert hint["exact"] is False
    status, out, _ = ask("hint", SMALL, "--top", "1", *FEW)
    assert status == 0
    assert out.startswith(found["hints"][0]["move"] + " ")
    assert out.count("\n") == 1


@pytest.mark.search
def test_hint_lists_an_exchange_or_a_pass_where_nothing_can_be_placed() -> None:
    exchanges = {hint["move"] for hint in answer("hint", "Rc BdBs/?6 0/0 classic", "--top", "9", *FEW)["hints"]}
    assert exchanges == {"-Bd", "-Bs", "-BdBs"}


def test_score_tells_each_line_and_its_points() -> None:
    assert answer("score", SMALL, "Bs@3,1+Ps@3,2+Rs@3,0") == {
        "position": SMALL,
        "move": "Rs@3,0+Bs@3,1+Ps@3,2",
        "legal": True,
        "score": 7,
        "lines": [
            {"kind": "column", "cells": [[3, 0], [3, 1], [3, 2]], "points": 3},
            {"kind": "row", "cells": [[0, 0], [1, 0], [2, 0], [3, 0]], "points": 4},
        ],
    }
    text = "7 points  column 3,0 3,1 3,2 = 3  row 0,0 1,0 2,0 3,0 = 4\n"
    assert ask("score", SMALL, "Rs@3,0+Bs@3,1+Ps@3,2") == Result(0, text, "")
    diagonal = answer("score", "Rck/OckOdk Rdk/?6 0/0 flex", "Rdk@1,0")["lines"]
    assert [line["kind"] for line in diagonal] == ["row", "column", "diagonal"]


def test_score_says_why_a_move_is_illegal() -> None:
    status, out, err = ask("score", SMALL, "Rt@3,0", "--json")
    assert (status, err) == (cli.ILLEGAL, "")
    found = json.loads(out)
    assert list(found) == ["position", "move", "legal", "score", "lines", "reason"]
    assert (found["legal"], found["score"], found["lines"]) == (False, None, [])
    assert found["reason"] == "the hand holds no Rt"
    assert ask("score", SMALL, "Rt@3,0") == Result(cli.ILLEGAL, "illegal: the hand holds no Rt\n", "")


def test_score_takes_exchanges_and_passes() -> None:
    found = answer("score", SMALL, "-RsBc")
    assert (found["move"], found["legal"], found["score"], found["lines"]) == ("-RsBc", True, 0, [])
    assert json.loads(ask("score", SMALL, "-", "--json").out)["legal"] is False


def test_apply_gives_the_next_position() -> None:
    following = "RvRdRcRs/3Bs ?6/BcPsYtOx?2 3/6 classic"
    assert answer("apply", SMALL, "Rs@3,0+Bs@3,1") == {
        "position": SMALL,
        "move": "Rs@3,0+Bs@3,1",
        "next": following,
    }
    assert ask("apply", SMALL, "Rs@3,0+Bs@3,1") == Result(0, following + "\n", "")
    assert ask("apply", SMALL, "-BcRs").out == "RvRdRc ?6/BsPsYtOx?2 3/0 classic\n"


def test_apply_refuses_an_illegal_move_with_status_1() -> None:
    reason = "no tile of the board touches 9,9 edge to edge"
    assert ask("apply", SMALL, "Rs@9,9") == Result(cli.ILLEGAL, "\n", f"qwirkle-fast: Rs@9,9: {reason}\n")
    status, out, _ = ask("apply", SMALL, "Rs@9,9", "--json")
    assert status == cli.ILLEGAL
    assert json.loads(out) == {"position": SMALL, "move": "Rs@9,9", "next": None, "reason": reason}


def test_score_and_apply_read_the_move_behind_the_position() -> None:
    assert ask("score", f"{SMALL} Rs@3,0") == ask("score", SMALL, "Rs@3,0")
    assert ask("apply", f"{SMALL} -RsBc") == ask("apply", SMALL, "-RsBc")


def test_show_draws_the_board_the_hands_and_the_scores() -> None:
    status, out, err = ask("show", SMALL)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[2].split() == ["0", ".", "Rv", "Rd", "Rc", "."]
    assert lines[-3:] == [
        "> player 1:    0 points  Bc Bs Rs Ps Yt Ox",
        "  player 2:    3 points  ?6",
        "  bag: 93 tiles",
    ]
    assert answer("show", EXAMPLE) == Position(EXAMPLE).to_json()
    assert "the game is over (dead)" in ask("show", DEAD).out


def test_show_writes_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert ask("show", EXAMPLE, "--svg", str(file)) == Result(0, f"{file}\n", "")
    root = ET.fromstring(file.read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert json.loads(ask("show", "--svg", str(file), FLEX, "--json").out) == Position(FLEX).to_json()
    assert "Flex" in file.read_text(encoding="utf-8")


@posix
def test_show_writes_a_picture_to_standard_output(tmp_path: Path) -> None:
    done = shell("show", SMALL, "--svg", "-", cwd=tmp_path)
    assert (done.status, done.err, done.out) == (0, "", Position(SMALL)._repr_svg_())
    pytest.importorskip("resvg_py")
    command = [sys.executable, "-m", "qwirkle_fast", "show", SMALL, "--png", "-"]
    png = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path).stdout
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    file = tmp_path / "board.png"
    assert ask("show", SMALL, "--png", str(file)) == Result(0, f"{file}\n", "")
    assert file.read_bytes() == png
    assert os.listdir(tmp_path) == ["board.png"]


def test_show_without_the_extra_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    status, out, err = ask("show", SMALL, "--png", str(tmp_path / "x.png"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "expected the extra pictures" in err


@posix
def test_show_writes_a_picture_whatever_the_name(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n.svg")
    done = subprocess.run(
        [sys.executable, "-m", "qwirkle_fast", "show", SMALL, "--svg", name], capture_output=True, check=True
    )
    assert done.stdout == os.fsencode(name) + b"\n"
    assert os.path.getsize(name) > 1000


@pytest.mark.parametrize("command", ["moves", pytest.param("hint", marks=pytest.mark.search)])
@pytest.mark.parametrize(
    ("text", "word"),
    [(DEAD, "the game is over (dead)"), ("Rv -/?6 0/0 classic", "no legal")],
)
def test_no_move_is_an_answer(command: str, text: str, word: str) -> None:
    status, out, err = ask(command, text, "--json")
    assert status == 0
    assert json.loads(out) == {"position": text, {"moves": "moves", "hint": "hints"}[command]: []}
    assert word in err
    assert err.count("\n") == 1
    status, out, err = ask(command, text)
    assert (status, out) == (0, "\n")
    assert word in err


def test_counting_no_move_is_an_answer() -> None:
    assert ask("moves", DEAD, "--count") == Result(0, "0\n", "qwirkle-fast: the game is over (dead)\n")


@pytest.mark.search
def test_a_mover_with_hidden_tiles_has_moves_but_no_hints() -> None:
    assert len(answer("moves", "Rv Rs?3/?6 0/0 classic")["moves"]) == 4
    assert_refused(ask("hint", "Rv Rs?3/?6 0/0 classic"), "hands:", "hidden tiles")
    for command in ("moves", "hint"):
        assert_refused(ask(command, "- RsBc?4/?6 0/0 classic"), "hands:", "hidden tiles")


# Arguments that begin with a dash

DASHED = [
    EXAMPLE,
    OPENING,
    "-1,0:RvRd RcBs?2/- 1/2 classic;exchange_cap=5;opening=any",
    "-999999,-3:Rv ?6/Bc 0/0 classic",
]


@pytest.mark.parametrize("text", DASHED)
def test_a_position_may_begin_with_a_dash(text: str) -> None:
    for arguments in (("moves", text, "--json"), ("moves", "--json", text), ("moves", "--json", "--", text)):
        status, out, _ = ask(*arguments)
        assert status == 0
        assert json.loads(out)["position"] == text
    for arguments in (("show", text, "--json"), ("show", "--json", text)):
        assert json.loads(ask(*arguments).out) == Position(text).to_json()
    if "?2" not in text:
        assert ask("moves", "--count", text, "--json").status == 0


@pytest.mark.search
def test_a_hint_may_be_asked_for_a_position_with_a_dash_between_options() -> None:
    for arguments in (
        ("hint", EXAMPLE, "--top", "2", *FEW, "--json"),
        ("hint", *FEW, "--top", "2", EXAMPLE, "--json"),
        ("hint", "--json", *FEW, "--top=2", EXAMPLE),
    ):
        status, out, _ = ask(*arguments)
        assert status == 0
        assert json.loads(out)["position"] == EXAMPLE
        assert len(json.loads(out)["hints"]) == 2


@pytest.mark.parametrize("command", ["score", "apply"])
@pytest.mark.parametrize("move", ["-RcYv", "-", "-?1", "Rc@6,0"])
def test_a_move_may_begin_with_a_dash(command: str, move: str) -> None:
    asked = [
        ask(command, EXAMPLE, move, "--json"),
        ask(command, "--json", EXAMPLE, move),
        ask(command, EXAMPLE, "--json", move),
        ask(command, "--", EXAMPLE, move)._replace(out=""),
    ]
    assert asked[0] == asked[1] == asked[2]
    assert json.loads(asked[0].out)["move"] == move
    assert asked[0].status == asked[3].status


def test_a_dash_alone_is_standard_input_in_every_command() -> None:
    for command, line in [
        *((command, EXAMPLE) for command in ("moves", "show")),
        *((command, f"{EXAMPLE} -RcYv") for command in ("score", "apply")),
    ]:
        for arguments in ((command, "-", "--json"), (command, "--json", "-")):
            status, out, err = ask(*arguments, given=line.encode())
            assert (status, err) == (0, "")
            assert json.loads(out)
    assert ask("apply", "-", "-", given=EXAMPLE.encode()).status == cli.ILLEGAL
    assert ask("apply", "-", "-RcYv", given=EXAMPLE.encode()).status == 0


# What is refused


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("Missing command", "moves, hint, score, apply")),
        (("mvoes", SMALL), ("'mvoes'", "moves, hint, score, apply")),
        (("fo\no\x1b[31m",), ("No such command", "moves, hint")),
        (("x" * 100_000,), ("No such command", "...")),
        (("--nope",), ("'--nope'", "moves, hint")),
        (("-1",), ("'-1'", "moves, hint")),
        ((SMALL,), ("No such command", "moves, hint")),
        *(((command,), ("Missing argument 'POSITION'", f"qwirkle-fast {command}")) for command in COMMANDS),
        *(((command, "--nope", SMALL), ("--nope", f"qwirkle-fast {command}")) for command in COMMANDS),
        *(((command, SMALL, "--nope"), ("--nope", f"qwirkle-fast {command}")) for command in COMMANDS),
        (("moves", SMALL, SMALL), ("unexpected extra argument", "qwirkle-fast moves")),
        (("moves", SMALL, "--json=yes"), ("'--json' does not take a value, expected it alone",)),
        (("moves", "--js", SMALL), ("--js", "qwirkle-fast moves")),
        (("score", SMALL, "Rs@3,0", "more"), ("(more)", "qwirkle-fast score")),
        (("score", OPENING), ("position and move: 4 fields", "expected 5")),
        (("apply", "Rv"), ("'Rv'", "a position in one line, a file's name, or -")),
        (("hint", SMALL, "--top"), ("'--top' requires an argument, expected a value after it",)),
        (("hint", SMALL, "--top", "0"), ("--top: 0, expected a whole number from 1 on",)),
        (("hint", SMALL, "--top", "x"), ("--top: 'x', expected a whole number",)),
        (("hint", SMALL, "--top", "-RsBc"), ("--top: '-RsBc', expected a whole number",)),
        (("hint", SMALL, "--top", "1.5"), ("--top: '1.5', expected a whole number",)),
        (("hint", SMALL, "--time", "-1"), ("--time: -1.0, expected seconds, more than 0",)),
        (("hint", SMALL, "--time", "nan"), ("--time: nan, expected seconds",)),
        (("hint", SMALL, "--time", "inf"), ("--time: inf, expected seconds",)),
        (("hint", SMALL, "--time", "soon"), ("--time: 'soon', expected seconds",)),
        (("hint", SMALL, "--threads", "0"), ("--threads: 0, expected",)),
        (("hint", SMALL, "--simulations", "many"), ("--simulations: 'many', expected",)),
        (
            ("hint", SMALL, "--simulations", "9" * 30),
            ("--simulations: 9", "expected a whole number from 1 to 1,000,000,"),
        ),
        (("hint", SMALL, "--seed", "x"), ("--seed: 'x', expected a whole number",)),
        (("match", "greedy", "--sed", "1"), ("No such option '--sed', expected --games, ", "of qwirkle-fast match")),
        (("qwixx",), ("Missing command, expected hint, play or value",)),
        (("qwixx", "play", "--opponent", "me"), ("--opponent: 'me', expected search, solitaire, skip:2 or random",)),
        (("moves", ""), ("position ''", "No such file")),
        (("moves", " "), ("position: 2 fields", "the board, the hands, the scores, the rules")),
        (("moves", "no-such-file"), ("position 'no-such-file'", "No such file")),
        (("moves", "--svg"), ("No such option '--svg'",)),
        (("moves", "y" * 5000), ("...'", "a position in one line")),
        (("moves", "a\0b"), ("'a\\x00b'", "null byte")),
        (("show", SMALL, "--svg"), ("'--svg' requires an argument",)),
        (("show", SMALL, "--svg", "/no/such/directory/x.svg"), ("--svg '/no/such/directory/x.svg'", "No such file")),
        (("show", SMALL, "--svg", "\0"), ("--svg '\\x00'", "null byte")),
        (("show", SMALL, "--svg", ""), ("--svg ''",)),
        (("show", "-", "--svg", "x.svg"), ("position '-'", "--svg")),
        (("show", SMALL, "--svg", "-", "--json"), ("--svg -: standard output takes one answer",)),
        (("show", SMALL, "--svg", "-", "--png", "-"), ("--svg -: standard output takes one answer",)),
    ],
)
def test_a_wrong_use_is_refused_in_one_line(arguments: Sequence[str], words: Sequence[str]) -> None:
    assert_refused(ask(*arguments), *words)


@pytest.mark.parametrize("command", ["moves", pytest.param("hint", marks=pytest.mark.search), "show"])
def test_a_bad_position_is_refused_by_every_command(command: str) -> None:
    assert_refused(ask(command, "RvBdRc Bc/?6 3/0 classic"), "board: Bd at 1,0")
    assert_refused(ask(command, "RvBdRc Bc/?6 3/0 classic", "--json"), "board: Bd at 1,0")


def test_a_bad_position_or_move_is_refused() -> None:
    for command in ("score", "apply"):
        assert_refused(ask(command, "RvBdRc Bc/?6 3/0 classic", "-"), "board: Bd at 1,0")
        assert_refused(ask(command, SMALL, "Rs@x,0", "--json"), "move: 'Rs@x,0'")


@pytest.mark.parametrize("command", ["moves", pytest.param("hint", marks=pytest.mark.search), "score", "apply", "show"])
def test_a_folder_cannot_be_read_as_positions(command: str, tmp_path: Path) -> None:
    assert_refused(ask(command, str(tmp_path)), "position '", "can be read")


@posix
def test_a_file_that_fails_while_it_is_read_is_told_of() -> None:
    if not os.path.exists("/proc/self/mem"):
        pytest.skip("needs a file that cannot be read from its start")
    assert_refused(ask("moves", "/proc/self/mem"), "'/proc/self/mem': cannot be read")


def test_no_exception_leaves_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(cli_commands, "Position", fail)
    for raised, words in [
        (ZeroDivisionError("one\ntwo"), "please report ZeroDivisionError: one two"),
        (RecursionError("deep"), "please report RecursionError: deep"),
        (MemoryError(), "out of memory"),
        (OSError(28, "No space left on device"), "cannot be written (No space left on device)"),
    ]:
        error: BaseException = raised
        assert_refused(ask("moves", SMALL), words)
    error = BrokenPipeError()
    assert ask("moves", SMALL) == Result(0, "", "")
    error = KeyboardInterrupt()
    assert ask("moves", SMALL) == Result(cli.INTERRUPTED, "", "qwirkle-fast: interrupted\n")


def test_a_plain_text_stream_is_good_enough_for_output() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        assert cli.run(cli_commands.commands, ["moves", SMALL, "--count"]) == 0
    assert stream.getvalue() == "48\n"


# Processes


def test_the_module_runs_as_a_command() -> None:
    assert shell("moves", EXAMPLE, "--json") == ask("moves", EXAMPLE, "--json")
    assert shell("apply", OPENING, "Rs@0,0") == ask("apply", OPENING, "Rs@0,0")
    assert shell("score", EXAMPLE, "-RcYv", "--json") == ask("score", EXAMPLE, "-RcYv", "--json")
    assert_refused(shell(), "Missing command")


def test_the_installed_command_runs() -> None:
    command = shutil.which("qwirkle-fast", path=sysconfig.get_path("scripts"))
    if command is None:
        pytest.skip("the package is not installed")
    done = subprocess.run([command, "moves", OPENING], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Bc@0,0 1  Rs@0,0 1\n", "")


def test_the_version_is_told() -> None:
    assert re.fullmatch(r"qwirkle-fast, version \d+\.\d+\.\d+\S*\n", shell("--version").out)


def test_help_names_every_command_and_option() -> None:
    status, out, err = ask("--help")
    assert (status, err) == (0, "")
    for command in COMMANDS:
        assert f"  {command} " in out
        status, text, err = ask(command, "--help")
        assert (status, err) == (0, "")
        assert f"Usage: qwirkle-fast {command} [OPTIONS] POSITION" in text
        assert "--json" in text
        assert not re.search(r"(^|[\s,])-\w\b", text), "a short option"
    assert ask("hint", EXAMPLE, "--help").status == 0


@posix
def test_invalid_utf8_in_an_argument_is_bad_input() -> None:
    assert_refused(shell("moves", b"Rv\xff Bc/?6 0/0 classic"), "position: character 3 is '\\udcff'", "expected ASCII")
    assert_refused(shell("score", SMALL, b"\xff@3,0"), "move: character 1 is '\\udcff'")
    assert_refused(shell("moves", b"\xff"), "position '\\udcff'")
    assert_refused(shell(b"\xff"), "No such command '\\udcff'")


@posix
def test_an_output_that_takes_nothing_is_told_of() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    for command in (f"moves '{SMALL}'", "--help"):
        done = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m qwirkle_fast {command} >/dev/full"], capture_output=True, text=True
        )
        assert_refused(Result(done.returncode, done.stdout, done.stderr), "cannot be written")


@posix
@pytest.mark.parametrize(
    ("redirection", "status", "words"),
    [(">&-", 2, "standard output is closed"), ("2>&-", 0, ""), ("2>/dev/full", 0, "")],
)
def test_a_closed_output_is_no_traceback(redirection: str, status: int, words: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m qwirkle_fast moves '{DEAD}' {redirection}"], capture_output=True, text=True
    )
    assert done.returncode == status
    assert words in done.stderr
    assert done.stderr.count("\n") == bool(words)


# Colours


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a command writes on a terminal."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [sys.executable, "-m", "qwirkle_fast", *arguments],
        stdout=follower,
        env={**inherited, "TERM": "xterm-256color", **environment},
    )
    os.close(follower)
    written = b""
    try:
        while chunk := os.read(leader, 1 << 16):
            written += chunk
    except OSError:  # how Linux says that the other side is closed
        pass
    finally:
        os.close(leader)
    assert process.wait(60) == 0
    return written.decode().replace("\r\n", "\n")


@posix
def test_show_is_in_colour_on_a_terminal_only() -> None:
    plain = shell("show", SMALL).out
    assert "\x1b" not in plain
    coloured = on_a_terminal("show", SMALL)
    assert "\x1b[1m\x1b[38;2;" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@posix
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_show_is_plain_where_colours_are_not_wanted(environment: dict[str, str]) -> None:
    assert on_a_terminal("show", SMALL, **environment) == ask("show", SMALL).out
