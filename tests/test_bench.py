"""The benchmark: its figures have their names, its suite is in form, and its signature is the same everywhere."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from qwirkle_fast import _core
from qwirkle_fast import bench as room
from qwirkle_fast.bench import Case, Comparison, comparisons, signature, suite
from qwirkle_fast.bench import __main__ as face
from qwirkle_fast.cli import BAD_INPUT, run
from qwirkle_fast.position import Position

RATES = (
    "enumerate_positions_per_second",
    "enumerate_moves_per_second",
    "best_move_positions_per_second",
    "greedy_games_per_second",
    "rollout_plies_per_second",
)
POSITIVE = {*RATES, *(f"flex_{name}" for name in RATES), "reference_positions_per_second", "threads_speedup"}


def test_one_object_has_every_figure_and_two_runs_the_same_signature() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "qwirkle_fast.bench", "--quick", "--json"], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert POSITIVE | {"signature", "native_build"} <= found.keys()
    assert all(found[name] > 0 for name in POSITIVE)
    assert found["native_build"] == _core.BUILD_FLAGS
    assert found["signature"] == signature()


def test_the_signature_is_of_hexadecimal_digits_and_depends_on_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = suite()
    whole = signature()
    assert len(whole) == 16
    assert int(whole, 16) >= 0
    monkeypatch.setattr(room, "suite", lambda: cases[:-1])
    assert signature() != whole


def test_the_suite_has_easy_and_hard_positions_of_both_games() -> None:
    cases = suite()
    assert len({case.text for case in cases}) == len(cases)
    for game in ("classic", "flex"):
        counts = {case.name: len(Position(case.text).legal_moves) for case in cases if case.game == game}
        assert {name.split("-")[0] for name in counts} == {"early", "middle", "late", "rich"}
        assert max(counts.values()) > 2000
        assert all(case.text.split(" ")[3].startswith(game) for case in cases if case.game == game)


def test_the_reference_is_asked_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    small = [case for case in suite() if case.name in ("early-1", "middle-1")]
    monkeypatch.setattr(room, "suite", lambda: small)
    rows = list(comparisons(quick=True))
    assert [row.case for row in rows] == small
    assert [row.moves for row in rows] == [len(Position(case.text).legal_moves) for case in small]
    assert all(row.native > 0 and row.plain > 0 for row in rows)


@pytest.fixture
def _no_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [Comparison(Case("classic", "early-1", "-"), 1234, 0.0000125, 0.5)]
    monkeypatch.setattr(face, "comparisons", lambda quick: iter(rows))
    monkeypatch.setattr(face, "report", lambda quick, rows: {"greedy_games_per_second": 12345, "signature": "abc"})


@pytest.mark.usefixtures("_no_measuring")
def test_the_table_shows_each_comparison_and_each_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(face.bench, []) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for word in ("early-1", "1,234", "12.5", "500,000", "40,000", "greedy_games_per_second", "12,345", "abc"):
        assert word in out


@pytest.mark.usefixtures("_no_measuring")
def test_a_wrong_option_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(face.bench, ["--nope"], "python -m qwirkle_fast.bench") == BAD_INPUT
    assert capsys.readouterr() == (
        "",
        "python -m qwirkle_fast.bench: No such option '--nope', expected --json, --quick or --help of python -m "
        "qwirkle_fast.bench\n",
    )
