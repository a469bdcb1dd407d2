"""``match`` and ``report`` as a user runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from test_cli import ask, assert_refused

KEYS = {"games", "wins", "draws", "losses", "margin", "margin_stderr", "elo", "elo_interval", "sprt"}


def answer(*arguments: str) -> dict[str, Any]:
    """The object that a command ends with."""
    status, out, err = ask(*arguments, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    return found


def test_a_match_ends_with_one_object() -> None:
    found = answer("match", "greedy", "random", "--games", "5", "--seed", "3")
    assert found.keys() >= KEYS
    assert (found["games"], found["wins"], found["draws"], found["losses"]) == (6, 6, 0, 0)
    assert (found["elo"], found["sprt"], found["elo_interval"][1]) == (None, None, None)
    assert found["margin"] > 50
    assert found["margin_stderr"] > 0


def test_a_player_against_itself_is_level() -> None:
    found = answer("match", "greedy", "--games", "400", "--rules", "flex")
    low, high = found["elo_interval"]
    assert low <= 0 <= high
    assert found["differing_blocks"] == 0


def test_a_match_is_a_table_too() -> None:
    status, out, err = ask("match", "greedy", "random", "greedy", "--games", "4")
    assert (status, err) == (0, "")
    for words in ("greedy against random, greedy (2)", "wins, draws, losses", "ratings", "greedy, greedy (2)"):
        assert words in out


def test_more_seats_than_players() -> None:
    found = answer("match", "greedy", "random", "--players", "4", "--games", "4")
    assert (found["games"], found["wins"], found["blocks"]) == (4, 4, 1)


def test_a_gauntlet_spares_the_others() -> None:
    found = answer("match", "greedy", "random", "random", "--games", "2", "--gauntlet")
    assert [pairing["players"] for pairing in found["pairings"]] == [["greedy", "random"], ["greedy", "random (2)"]]
    assert found["ratings"][0]["player"] == "greedy"


def test_a_test_that_is_decided() -> None:
    found = answer("match", "random", "greedy", "--sprt", "elo0=0,elo1=150,alpha=0.1,beta=0.1")
    assert found["sprt"]["result"] == "H0"
    assert found["sprt"]["llr"] <= found["sprt"]["lower"] == pytest.approx(-2.197, abs=1e-3)
    capped = answer("match", "random", "greedy", "--sprt", "elo0=0,elo1=10", "--games", "2")
    assert (capped["games"], capped["sprt"]["result"]) == (2, None)


def test_a_report_says_what_the_match_said(tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    for players in (("greedy", "random", "--sprt", "elo0=0,elo1=150"), ("greedy", "random", "greedy", "--games", "4")):
        folder += "x"
        found = answer("match", *players, "--out", folder)
        assert answer("report", folder) == found
        page = Path(folder) / "report.html"
        pytest.importorskip("matplotlib")
        assert ask("report", folder, "--html").status == 0
        text = page.read_text()
        assert text.count("<svg") == (3 if "--sprt" in players else 2)
        assert "greedy" in text
        other = tmp_path / "page.html"
        assert ask("report", folder, "--html", str(other)).status == 0
        assert re.sub(r'id="\w+"|#\w+|"\w+"', "", other.read_text()) == re.sub(r'id="\w+"|#\w+|"\w+"', "", text)


def test_a_report_while_a_line_is_being_written(tmp_path: Path) -> None:
    found = answer("match", "greedy", "random", "--games", "4", "--out", str(tmp_path))
    with open(tmp_path / "games.jsonl", "ab") as file:
        file.write(b'{"pairing":0,"block":2,"ga')
    assert answer("report", str(tmp_path)) == found


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("match",), ("Missing argument",)),
        (("match", "greedy", "nobody"), ("player 'nobody': no such player", "cmd:COMMAND")),
        (("match", "greedy", "cmd:no-such-program"), ("no-such-program is no program",)),
        pytest.param(("match", "search:time=never"), ("search: time is 'never'",), marks=pytest.mark.search),
        (("match", "greedy", "--games", "0"), ("--games",)),
        (("match", "greedy", "--games", "many"), ("--games",)),
        (("match", "greedy", "--players", "7"), ("players: 7 at a table",)),
        (("match", "greedy", "--rules", "chess"), ("rules: 'chess'",)),
        (("match", "greedy", "--game", "chess"), ("game: 'chess'",)),
        (("match", "greedy", "--seed", "-1"), ("--seed",)),
        (("match", "greedy", "--jobs", "0"), ("--jobs",)),
        (("match", "greedy", "--sprt", "elo0=0"), ("--sprt", "no elo0 or no elo1")),
        (("match", "greedy", "--sprt", "elo0=0,elo1=x"), ("--sprt", "'elo1=x' is out of place")),
        (("match", "greedy", "--sprt", "elo0=5,elo1=5"), ("--sprt", "expected elo0 < elo1")),
        (("match", "greedy", "--sprt", "elo0=0,elo1=5,alpha=0.7"), ("--sprt: alpha is 0.7",)),
        (("match", "greedy", "random", "static", "--sprt", "elo0=0,elo1=5"), ("sprt: 3 players",)),
        (("match", "greedy", "--move-time", "0"), ("limits: move is 0",)),
        (("match", "greedy", "--out", "/dev/null/x"), ("--out",)),
        (("match", "greedy", "--out", "bad\0name"), ("--out",)),
        (("match", "greedy", "--out", ""), ("out: ''",)),
        (("report",), ("Missing argument",)),
        (("report", "nowhere"), ("report: 'nowhere': no match.json there", "the folder of a match")),
        (("report", "."), ("report: '.': no match.json there", "the folder of a match")),
        (("report", "/dev/null"), ("report: '/dev/null': Not a directory", "the folder of a match")),
        (("report", "bad\0name"), ("report: ", "null byte", "the folder of a match")),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert_refused(ask(*arguments), *words)


@pytest.mark.parametrize("address", ["nonsense", "tcp://"])
def test_a_cluster_that_is_none_is_refused_in_one_line(address: str) -> None:
    pytest.importorskip("distributed")
    assert_refused(ask("match", "greedy", "--cluster", address), f"cluster '{address}'")


def test_a_damaged_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    answer("match", "greedy", "random", "--games", "2", "--out", str(tmp_path))
    games, match = tmp_path / "games.jsonl", tmp_path / "match.json"
    good = games.read_bytes()
    for bad in (b"nonsense\n", b"{}\n", b"\xff\n", good.replace(b'"pairing":0', b'"pairing":7', 1)):
        games.write_bytes(bad + good)
        assert_refused(ask("report", str(tmp_path)), "games")
        assert_refused(ask("match", "greedy", "random", "--games", "2", "--out", str(tmp_path)), "games")
    games.write_bytes(good)
    for text in ("", "[]", '{"players": 3}', "\xff"):
        match.write_text(text, encoding="latin-1")
        assert_refused(ask("report", str(tmp_path)), "match.json")
        assert_refused(ask("match", "greedy", "random", "--games", "2", "--out", str(tmp_path)), "match.json")
