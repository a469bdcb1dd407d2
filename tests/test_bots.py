"""Programs as players: the example bots, rude ones, their limits, and that none of them outlives a match."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qwirkle_fast.arena import Limits, Match, Standings, run
from qwirkle_fast.arena.bots import STARTS

EXAMPLES = Path(__file__).parent.parent / "examples"
RUDE = Path(__file__).with_name("rude_bot.py")
QUICK = Limits(move=0.4, grace=0.2, start=20)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs as players need POSIX")

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")


def processes(mark: str) -> list[int]:
    """The processes whose command line has this mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def gone(mark: str, seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while processes(mark) and time.monotonic() < end:
        time.sleep(0.02)
    return not processes(mark)


@pytest.fixture
def mark() -> Iterator[str]:
    mark = f"MARK{uuid.uuid4().hex}"
    yield mark
    for process in processes(mark):
        os.kill(process, signal.SIGKILL)


def rude(way: str, mark: str) -> str:
    return f"cmd:{sys.executable} {RUDE} {way} {mark}"


# -- examples


def compiled(path: Path) -> str:
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("needs a C compiler")
    target = path / "bot"
    strict = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1"]
    subprocess.run([compiler, *strict, "-o", str(target), str(EXAMPLES / "bot.c")], check=True)
    return str(target)


def node(path: Path) -> str:
    if not shutil.which("node"):
        pytest.skip("needs node")
    return f"node {EXAMPLES / 'bot.js'}"


COMMANDS: dict[str, Callable[[Path], str]] = {
    "python": lambda path: f"{sys.executable} {EXAMPLES / 'bot.py'}",
    "node": node,
    "c": compiled,
}


@pytest.mark.parametrize("language", COMMANDS)
def test_the_example_bots_play_whole_games(language: str, tmp_path: Path) -> None:
    bot = f"cmd:{COMMANDS[language](tmp_path)}"
    for seats in (2, 3):
        table = run(Match((bot, "random"), seats=seats, games=2 * seats, limits=Limits(move=10, start=30)))
        assert table.forfeits() == {}
        assert table.first().wins > seats


@pytest.mark.parametrize(("seats", "rules"), [(2, ""), (5, "qwixx;finish_turn=true")])
def test_the_example_bot_for_qwixx_plays_as_skip_2_does(seats: int, rules: str) -> None:
    """It was written from the protocol's page alone, so each mark of it holds player and page against each other."""
    bot = f"cmd:{sys.executable} {EXAMPLES / 'qwixx_bot.py'}"
    limits = Limits(move=10, start=30)
    table = run(Match((bot, "skip:2"), seats=seats, games=6 * seats, rules=rules, game="qwixx", limits=limits))
    assert (table.forfeits(), table.first().differing_blocks) == ({}, 0)


@pytest.mark.parametrize("name", ["bot.py", "bot.js", "bot.c", "qwixx_bot.py"])
def test_the_example_bots_are_short(name: str) -> None:
    lines = (EXAMPLES / name).read_text().splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 120


# -- rude ones


@needs_proc
@pytest.mark.parametrize(
    ("way", "reasons"),
    [
        ("slow", {"time": 2}),
        ("stop", {"time": 2}),
        ("deaf", {"time": 2}),
        ("flood", {"time": 2}),
        ("endless-line", {"time": 2}),
        ("crash", {"crash": 2}),
        ("crash-at-start", {"crash": 2}),
        ("kill", {"crash": 2}),
        ("kill-parent", {"crash": 2}),
        ("close-output", {"crash": 2}),
        ("close-input", {"illegal": 1, "crash": 1}),
        ("nonsense", {"illegal": 1}),
        ("empty", {"illegal": 1}),
        ("binary", {"illegal": 1}),
        ("illegal", {"illegal": 1}),
        ("pass", {"illegal": 1}),
        ("others-tiles", {"illegal": 1}),
        ("flood-errors", {}),
        ("children", {}),
        ("children-apart", {}),
        ("children-hidden", {}),
        ("twice", {}),
        ("stays", {}),
    ],
)
def test_rude_bots_lose_by_rule_and_leave_nothing_behind(way: str, reasons: dict[str, int], mark: str) -> None:
    bot = rude(way, mark)
    table = run(Match((bot, "random"), games=2, limits=QUICK))
    assert table.games == 2
    assert table.forfeits() == ({bot: reasons} if reasons else {})
    assert not processes(mark)


@needs_proc
def test_in_threads_of_ours_too_no_bot_outlives_its_match(mark: str) -> None:
    match = Match((rude("stays", mark), "random"), games=4, limits=QUICK)
    with ThreadPoolExecutor(2) as threads:
        assert run(match, jobs=2, executor=threads).games == 4
        assert not processes(mark)

        def give_up(table: Standings) -> None:
            raise RuntimeError("enough")

        with pytest.raises(RuntimeError, match="enough"):
            run(match, jobs=2, executor=threads, watch=give_up)
    # The games that were under way are over now.
    assert not processes(mark)


def test_a_program_that_is_gone_is_said_to_be_so(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text("no program at all")
    program.chmod(0o755)
    run(Match((f"cmd:{program}", "random"), games=2), out=tmp_path / "out")
    assert "ended with status 127: cannot be started: Exec format error" in (tmp_path / "out/games.jsonl").read_text()


def test_why_a_program_crashed_is_written_down(tmp_path: Path, mark: str) -> None:
    run(Match((rude("crash", mark), "random"), games=2, limits=QUICK), out=tmp_path)
    assert "ended with status 1: RuntimeError: I have had enough" in (tmp_path / "games.jsonl").read_text()


def test_a_program_that_never_starts_is_given_up(tmp_path: Path) -> None:
    count = tmp_path / "count"
    script = tmp_path / "bot.sh"
    script.write_text(f"#!/bin/sh\necho started >>{count}\nexec sleep 600\n")
    script.chmod(0o755)
    table = run(Match((f"cmd:{script}", "greedy"), games=12, limits=Limits(start=0.5)))
    assert table.forfeits() == {f"cmd:{script}": {"time": 12}}
    assert count.read_text().count("started") == STARTS


def test_a_bot_is_told_its_time_and_its_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = tmp_path / "bot.py"
    script.write_text(
        "import sys\n"
        f"log = open({str(log)!r}, 'w', 1)\n"
        "for line in sys.stdin:\n"
        "    log.write(line)\n"
        "    print({'uqi': 'uqiok', 'isready': 'readyok'}.get(line.strip(), 'bestmove -'), flush=True)\n"
    )
    run(Match((f"cmd:{sys.executable} {script}", "greedy"), games=2, limits=Limits(move=0.25)))
    lines = log.read_text().splitlines()
    assert lines[:3] == ["uqi", "newgame qwirkle", "isready"]
    assert "go movetime 250" in lines
    assert lines[-1] == "quit"


@needs_proc
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_no_bot_outlives_a_match_that_is_killed(jobs: int, how: signal.Signals, mark: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "qwirkle_fast", "match", rude("children-hidden", mark), rude("stays", mark)]
    process = subprocess.Popen(
        [*command, "--games", "10000", "--jobs", str(jobs), "--out", str(tmp_path)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    games = tmp_path / "games.jsonl"
    while not (games.exists() and games.stat().st_size):
        assert process.poll() is None
        time.sleep(0.02)
    assert processes(mark)
    process.send_signal(how)
    process.wait(30)
    assert gone(mark)


def test_what_the_watcher_is_given_is_the_table() -> None:
    seen: list[int] = []

    def watch(table: Standings) -> None:
        seen.append(table.games)

    run(Match(("greedy", "random"), games=4), watch=watch)
    assert seen == [1, 2, 3, 4]
