"""Positions in a file or on standard input: an answer a line, each as soon as it can be given."""

from __future__ import annotations

import importlib.abc
import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from qwirkle_fast import cli
from qwirkle_fast.cli import batch
from qwirkle_fast.cli.commands import commands
from qwirkle_fast.game import Game

DATA = Path(__file__).parent / "data"
SMALL = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"
OPENING = "- RsBc/?6 0/0 classic"
FLEX = "-1,-2:RskRdw RckBsm/?6 0/0 flex"
BAD = "RvBdRc Bc/?6 3/0 classic"
BAD_ERROR = "board: Bd at 1,0, expected a row of one colour or one shape without a repeat"
#: All circles in a block: nothing fits any more.
DEAD = "YcGcOcRcBcPc/BcRcYcGcPcOc/PcYcGcOcRcBc RsOdYtGvBxPd/?1 0/0 classic"

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


class Result(NamedTuple):
    status: int
    out: list[str]
    err: list[str]


def ask(given: str | bytes, *arguments: str) -> Result:
    """Run a command in this process with this on standard input."""
    data = given if isinstance(given, bytes) else given.encode()
    out, err = io.BytesIO(), io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, "utf-8"))
        patch.setattr(sys, "stderr", io.TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True))
        status = cli.run(commands, arguments)
        # The wrappers close what they wrap when they go.
        return Result(status, out.getvalue().decode().splitlines(), err.getvalue().decode().splitlines())


@contextmanager
def client(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process to talk to, line by line; it is ended when it keeps us waiting (the first hint may be compiling)."""
    command = [sys.executable, "-m", "qwirkle_fast", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        watchdog = threading.Timer(240, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            process.kill()


def say(process: subprocess.Popen[bytes], line: str) -> str:
    """Send a line, and wait for the answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line.encode() + b"\n")
    process.stdin.flush()
    return process.stdout.readline().decode()


# Lines


def test_each_line_has_its_answer() -> None:
    lines = [OPENING, SMALL, FLEX]
    alone = [json.loads(ask(line, "moves", "-", "--json").out[0]) for line in lines]
    together = ask("\n".join(lines), "moves", "-", "--json")
    assert together.status == 0
    assert together.err == []
    assert [json.loads(line) for line in together.out] == alone
    assert [found["position"] for found in alone] == lines
    assert ask("\n".join(lines), "moves", "-").out[0] == "Bc@0,0 1  Rs@0,0 1"
    assert ask("\n".join(lines), "moves", "-", "--count").out == ["2", "48", str(len(alone[2]["moves"]))]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", "\r\n \t \r\n", "\n\r\n"])
def test_lines_may_end_as_on_any_system_and_blank_ones_are_skipped(end: str) -> None:
    for text in (end.join([OPENING, OPENING]), end.join(["", OPENING, OPENING, ""])):
        assert ask(text, "moves", "-", "--count") == Result(0, ["2", "2"], [])


def test_no_line_is_no_answer(tmp_path: Path) -> None:
    for nothing in ("", "\n", "\r\n\r\n", "  \n"):
        for options in ([], ["--json"]):
            assert ask(nothing, "moves", "-", *options) == Result(0, [], [])
    file = tmp_path / "empty"
    file.touch()
    assert ask("", "moves", str(file)) == Result(0, [], [])


@pytest.mark.parametrize("command", ["moves", "score", "apply", "show"])
def test_a_file_is_answered_as_standard_input_is(command: str, tmp_path: Path) -> None:
    lines = "\r\n".join([SMALL, "", BAD, FLEX])
    if command in ("score", "apply"):
        lines = lines.replace("classic", "classic -Bc").replace("flex", "flex -Rck")
    file = tmp_path / "positions.txt"
    file.write_text(lines, encoding="ascii", newline="")
    for options in ([], ["--json"]):
        assert ask("", command, str(file), *options) == ask(lines, command, "-", *options)


def test_score_and_apply_take_a_move_behind_each_position() -> None:
    lines = f"{SMALL} Rs@3,0\n{SMALL} -RsBc\n{OPENING} -\n{FLEX} Rck@1,-2\n"
    scored = ask(lines, "score", "-", "--json")
    found = [json.loads(line) for line in scored.out]
    assert scored.status == cli.ILLEGAL
    assert scored.err == []
    assert [answer["position"] for answer in found] == [SMALL, SMALL, OPENING, FLEX]
    assert [answer["move"] for answer in found] == ["Rs@3,0", "-RsBc", "-", "Rck@1,-2"]
    assert [answer["score"] for answer in found] == [4, 0, None, 3]
    applied = ask(lines, "apply", "-", "--json")
    assert applied.status == cli.ILLEGAL
    assert [json.loads(line)["next"] for line in applied.out] == [
        "RvRdRcRs ?6/BcBsPsYtOx?1 3/4 classic",
        "RvRdRc ?6/BsPsYtOx?2 3/0 classic",
        None,
        "-1,-2:RskRdwRck ?6/Bsm?5 0/3 flex",
    ]
    text = ask(lines, "apply", "-")
    assert text.out[2] == ""
    assert text.err == ["line 3: -: a pass is refused while the bag holds 100 tiles: place or exchange"]


def test_a_move_that_is_missing_is_told_of() -> None:
    missing = f"{SMALL}\nRv\n"
    for command in ("score", "apply"):
        status, out, err = ask(missing, command, "-")
        assert (status, out) == (cli.BAD_INPUT, ["", ""])
        assert err == [
            "line 1: position and move: 4 fields, expected 5 with one space between them, the last a move",
            "line 2: position and move: 1 field, expected 5 with one space between them, the last a move",
        ]


# Bad lines


def test_a_bad_line_of_text_is_told_of_and_the_rest_are_answered() -> None:
    status, out, err = ask(f"\n{OPENING}\n{BAD}\n\n{OPENING}\nnonsense\n", "moves", "-", "--count")
    assert status == cli.BAD_INPUT
    assert out == ["2", "", "2", ""]
    assert err[0] == f"line 3: {BAD_ERROR}"
    assert err[1].startswith("line 6: position: 1 field, expected 4 ")
    assert len(err) == 2


def test_a_bad_line_of_json_has_an_error_object_in_its_place() -> None:
    status, out, err = ask(f"\n{OPENING}\n{BAD}\n\n{OPENING}\nnonsense\n", "moves", "-", "--json")
    found = [json.loads(line) for line in out]
    assert status == cli.BAD_INPUT
    assert [list(answer) for answer in found] == [["position", "moves"], ["error", "line"]] * 2
    assert found[1] == {"error": BAD_ERROR, "line": 3}
    assert found[3]["line"] == 6
    assert err == [
        "qwirkle-fast: line 3 and 1 more are bad input, expected a position a line: the output has the errors"
    ]


@pytest.mark.parametrize("command", ["moves", pytest.param("hint", marks=pytest.mark.search), "show", "score", "apply"])
def test_every_command_has_an_answer_in_place_of_a_bad_line(command: str) -> None:
    options = ["--simulations", "64"] if command == "hint" else []
    good, bad = (f"{line} -Bc" if command in ("score", "apply") else line for line in (SMALL, BAD))
    status, out, err = ask(f"{bad}\n{good}\n", command, "-", "--json", *options)
    assert status == cli.BAD_INPUT
    assert json.loads(out[0]) == {"error": BAD_ERROR, "line": 1}
    assert "error" not in json.loads(out[1])
    assert len(out) == 2
    assert len(err) == 1


def test_the_status_is_the_worst_seen() -> None:
    legal, illegal, bad = f"{SMALL} Rs@3,0", f"{SMALL} Rs@9,9", f"{BAD} Rs@3,0"
    for lines, status in [([legal], 0), ([legal, illegal, legal], 1), ([illegal, bad, legal], 2), ([bad, illegal], 2)]:
        for command in ("score", "apply"):
            for options in ([], ["--json"]):
                assert ask("\n".join(lines), command, "-", *options).status == status


def test_no_move_is_an_answer_with_a_word_on_standard_error() -> None:
    lines = f"{DEAD}\n{SMALL}\nRv -/?6 0/0 classic\n"
    status, out, err = ask(lines, "moves", "-")
    assert (status, out[0], out[2]) == (0, "", "")
    assert err == ["line 1: the game is over (dead)", "line 3: no legal placement"]
    status, out, err = ask(lines, "moves", "-", "--json")
    assert (status, json.loads(out[0])) == (0, {"position": DEAD, "moves": []})
    assert err == ["qwirkle-fast: no move in 2 of the answers"]


@pytest.mark.parametrize("line", (DATA / "bad-positions.txt").read_text(encoding="utf-8").splitlines())
def test_every_known_bad_position_is_refused(line: str) -> None:
    status, out, err = ask(f"{OPENING}\n{line}\n{OPENING}\n", "moves", "-", "--json")
    assert status == cli.BAD_INPUT
    assert [list(json.loads(answer))[1] for answer in out] == ["moves", "line", "moves"]
    assert ", expected " in json.loads(out[1])["error"]
    assert len(err) == 1


# Hostile input


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"x" * 1_000_000, "position: 1 field, expected 4"),
        (b"x" * 3_000_000, "position: over 1,048,576 bytes, expected fewer"),
        (b"-" + b" RsBc" * 1_000_000, "position: over 1,048,576 bytes"),
        (b"Rv" + b"/" * 500_000 + b" - - classic", "board: row 1 is empty"),
        (b"-/" * 500_000, "position: 1 field"),
        (b" " * 1_000_000 + b"x", "position: 1000001 fields, of which one is empty"),
        (b"Rv Bc/?6 0/0 " + b"c" * 900_000, "rules: 'ccc"),
        (b"Rv Bc/?6 0/0 classic" + b";opening=any" * 50_000, "rules: "),
        (b"9" * 900_000 + b",0:Rv Bc/?6 0/0 classic", "board: the prefix is '999"),
        (b"Rv\xff\xfe Bc/?6 0/0 classic", "position: byte 3 is not UTF-8"),
        ("Rv\u00e9 Bc/?6 0/0 classic".encode(), "position: character 3 is '\\xe9', expected ASCII"),
        (b"\xef\xbb\xbf" + SMALL.encode(), "position: character 1 is '\\ufeff'"),
        (SMALL.encode("utf-16"), "position: byte 1 is not UTF-8"),
        (b"\0", "position: 1 field"),
        (b"Rv\0 Bc/?6 0/0 classic", "board: cell 1,0: '\\x00'"),
        (b"Rv Bc/?6 0/0 classic\0", "rules: 'classic\\x00'"),
        (b"\x1b[31m ?6/?6 0/0 classic", "board: cell 0,0: '\\x1b[3'"),
        (b"%s%n {0} {x} classic", "board: cell 0,0: '%s%'"),
    ],
    ids=lambda value: repr(value[:12]),
)
def test_garbage_is_one_bad_line(line: bytes, error: str) -> None:
    given = OPENING.encode() + b"\n" + line + b"\n" + OPENING.encode()
    status, out, err = ask(given, "moves", "-", "--count")
    assert (status, out) == (cli.BAD_INPUT, ["2", "", "2"])
    assert len(err) == 1
    assert err[0].startswith(f"line 2: {error}")
    assert ", expected " in err[0]
    assert len(err[0]) < 400
    assert err[0].isprintable()
    status, out, _ = ask(given, "moves", "-", "--json")
    assert json.loads(out[1]) == {"error": err[0].removeprefix("line 2: "), "line": 2}


@pytest.mark.parametrize("seed", range(8))
def test_every_line_of_noise_has_its_answer(seed: int) -> None:
    rng = random.Random(seed)
    good = str(Game(seed=seed, rules=rng.choice(["classic", "flex"])).position)
    lines = []
    for _ in range(200):
        noise = bytearray(rng.choice([good, SMALL, FLEX, OPENING]).encode())
        for _ in range(rng.randrange(4)):
            noise[rng.randrange(len(noise))] = rng.randrange(256)
        lines.append(bytes(noise).replace(b"\n", b"?").replace(b"\r", b"?"))
    for command in ("moves", "score"):
        status, out, err = ask(b"\n".join(lines), command, "-", "--json")
        assert status == cli.BAD_INPUT
        assert len(err) == 1
        assert len(out) == len(lines)
        for number, answer in enumerate(out, 1):
            assert json.loads(answer).get("line", number) == number


def test_a_line_that_never_ends_takes_no_memory() -> None:
    class Endless(io.RawIOBase):
        """A gigabyte in one line, then a position."""

        left = 1 << 30

        def readable(self) -> bool:
            return True

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= batch.LINE_LIMIT
            if self.left == 0:
                self.left = -1
                return b"end\n"
            self.left -= min(size, max(self.left, 0))
            return b"x" * size if self.left >= 0 else b""

    lines = list(batch._lines(Endless(), "endless"))  # type: ignore[arg-type]
    assert lines == [(1, None)]


# Processes


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_client_may_wait_for_each_answer(options: list[str]) -> None:
    with client("moves", "-", *options) as process:
        for _ in range(3):
            for line in (OPENING, BAD, "\r\n" + SMALL, "nonsense", FLEX):
                answer = say(process, line)
                assert answer.endswith("\n")
                assert (answer == "\n") == (line in (BAD, "nonsense") and not options)
                if options:
                    assert json.loads(answer).get("position", line) in line
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == cli.BAD_INPUT


@pytest.mark.parametrize(
    ("options", "line"),
    [
        pytest.param(("hint", "--simulations", "64"), SMALL, marks=pytest.mark.search),
        (("score",), f"{SMALL} -RsBc"),
        (("apply",), f"{SMALL} -RsBc"),
        (("show",), SMALL),
    ],
    ids=lambda value: value[0],
)
def test_every_command_answers_before_the_next_line_comes(options: tuple[str, ...], line: str) -> None:
    with client(*options, "-", "--json") as process:
        for _ in range(2):
            assert json.loads(say(process, line))


@posix
@pytest.mark.parametrize("source", ["file", "-"])
def test_a_reader_that_goes_away_ends_the_command_quietly(source: str, tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(f"{SMALL}\n" * 2000, encoding="ascii")
    with file.open("rb") as given:
        process = subprocess.Popen(
            [sys.executable, "-m", "qwirkle_fast", "moves", "-" if source == "-" else str(file), "--json"],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    assert process.stdout is not None
    assert process.stderr is not None
    assert json.loads(process.stdout.readline())["position"] == SMALL
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0


@posix
def test_an_error_that_nobody_reads_is_no_traceback() -> None:
    with client("moves", "-") as process:
        assert process.stderr is not None
        process.stderr.close()
        assert say(process, BAD) == "\n"
        assert say(process, OPENING) == "Bc@0,0 1  Rs@0,0 1\n"
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == cli.BAD_INPUT


@posix
def test_ctrl_c_ends_the_command_with_one_line() -> None:
    with client("moves", "-") as process:
        assert say(process, OPENING) == "Bc@0,0 1  Rs@0,0 1\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (cli.INTERRUPTED, b"", b"qwirkle-fast: interrupted\n")


def test_ctrl_c_while_the_commands_are_loaded_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Impatient(importlib.abc.MetaPathFinder):
        def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> None:
            raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "qwirkle_fast.cli.commands")
    monkeypatch.setattr(sys, "meta_path", [Impatient()])
    assert cli.main() == cli.INTERRUPTED
    assert capsys.readouterr() == ("", "qwirkle-fast: interrupted\n")


@posix
def test_a_closed_standard_input_is_told_of() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m qwirkle_fast moves - <&-"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (cli.BAD_INPUT, "")
    assert done.stderr == "qwirkle-fast: standard input is closed, expected a position a line\n"


@posix
def test_a_pipe_with_a_name_is_answered_line_by_line(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Opened for both, it does not wait for a reader.
    given = os.open(pipe, os.O_RDWR)
    try:
        with client("moves", str(pipe)) as process:
            assert process.stdout is not None
            for _ in range(2):
                os.write(given, OPENING.encode() + b"\n")
                assert process.stdout.readline() == b"Bc@0,0 1  Rs@0,0 1\n"
    finally:
        os.close(given)
