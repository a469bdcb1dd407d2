"""A match's folder whose records were edited: what the match cannot have written is refused, and nothing is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qwirkle_fast.arena import Match, run
from qwirkle_fast.arena.account import read_account, read_standings
from qwirkle_fast.arena.records import GAMES

Record = dict[str, Any]


def edit(record: Record, path: str, value: Any) -> None:
    *most, last = (int(key) if key.isdigit() else key for key in path.split("."))
    for key in most:
        record = record[key]
    record[last] = value


def refused(folder: Path, match: Match) -> str:
    """What report, its page, and the same match again say alike; the folder stays as it is."""
    before = (folder / GAMES).read_bytes()
    said = set()
    for use in (lambda: run(match, out=folder), lambda: read_standings(folder), lambda: read_account(folder)):
        with pytest.raises(ValueError, match="expected") as caught:
            use()
        said.add(str(caught.value))
    assert (folder / GAMES).read_bytes() == before
    assert len(said) == 1
    return said.pop().removeprefix(f"{folder / GAMES}: ")


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("scores.0", 9999, r"scores: \[9999, \d+\], expected \[\d+, \d+\]"),
        ("turns.3.score", 40, "scores: "),
        ("turns.0.seat", 0, "scores: "),
        ("turns.0.seat", 2, "turns: seat 2, expected 0 to 1"),
        ("turns.0.seat", -1, "turns: seat -1, expected 0 to 1"),
        ("turns.0", None, "Expected `object`, got `null`"),
        ("turns", [], "scores: "),
        ("scores", [1, 2, 3], "scores: "),
        ("block", 4, "block: 4, expected 0 to 3"),
        ("block", -1, "block: -1, expected 0 to 3"),
        ("block", 3, "pairing 0, block 3, game 0 again|seed: "),
        ("game", 2, "game: 2, expected 0 to 1"),
        ("pairing", 1, "pairing: 1, expected 0 to 0"),
        ("seed", 7, r"seed: 7, expected \d+"),
        ("players", ["random", "greedy"], r"players: .*, expected \['greedy', 'random'\]"),
        ("players", ["nobody", "random"], "players: "),
        ("rules", {"name": "flex"}, "rules: .*, expected {'name': 'classic'}"),
        ("end", "locked", "end: 'locked', expected out, stuck, dead, exchanges, forfeit"),
        ("end", "forfeit", "end: 'forfeit'"),
        ("end", None, "Expected `str`, got `null`"),
        ("forfeit", {"seat": 0, "reason": "time"}, "end: "),
        ("forfeit", {"seat": 0, "reason": "boredom"}, "Invalid enum value 'boredom'"),
    ],
)
def test_a_record_that_the_match_cannot_have_written_is_refused(
    path: str, value: Any, words: str, tmp_path: Path
) -> None:
    match = Match(("greedy", "random"), games=8)
    run(match, out=tmp_path)
    lines = (tmp_path / GAMES).read_text().splitlines()
    record = json.loads(lines[2])
    edit(record, path, value)
    lines[2] = json.dumps(record)
    (tmp_path / GAMES).write_text("\n".join([*lines, ""]))
    assert re.match(f"line [3-8]: (?:{words})", refused(tmp_path, match))


class Absconder:
    """Raises where it should choose."""

    name = "absconder"

    def choose(self, view: object) -> object:
        raise RuntimeError("gone")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda record: edit(record, "forfeit.seat", 5), "forfeit: seat 5, expected 0 to 1"),
        (lambda record: edit(record, "forfeit", None), "end: 'forfeit'"),
        (lambda record: record.pop("seed"), "Object missing required field `seed`"),
    ],
)
def test_who_was_ruled_out_is_looked_at_too(change: Callable[[Record], object], words: str, tmp_path: Path) -> None:
    match = Match((Absconder(), "random"), games=2, game="qwixx")
    run(match, out=tmp_path)
    first, *others = (tmp_path / GAMES).read_text().splitlines(keepends=True)
    record = json.loads(first)
    change(record)
    (tmp_path / GAMES).write_text("".join([json.dumps(record), "\n", *others]))
    assert refused(tmp_path, match).startswith(f"line 1: {words}")


def test_a_game_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    match = Match(("greedy", "random"), games=4)
    run(match, out=tmp_path)
    file = tmp_path / GAMES
    file.write_bytes(file.read_bytes() + file.read_bytes().splitlines(keepends=True)[1])
    assert refused(tmp_path, match) == "line 5: pairing 0, block 0, game 1 again, expected it once"


@pytest.mark.parametrize(
    "match",
    [
        Match(("random",), seats=6, games=12, rules="flex;tiles=starter"),
        Match(("greedy", "random", "greedy"), games=4, rules="classic;exchange_cap=1;opening=any"),
        Match(("skip:2", "random"), seats=5, games=20, game="qwixx", rules="qwixx;finish_turn=true"),
    ],
    ids=str,
)
def test_what_a_match_wrote_is_believed_however_it_is_laid_out(match: Match, tmp_path: Path) -> None:
    table = run(match, out=tmp_path)
    file = tmp_path / GAMES
    records = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps(dict(reversed(record.items()))) + "\n" for record in reversed(records)))
    assert read_standings(tmp_path).to_json() == table.to_json()
