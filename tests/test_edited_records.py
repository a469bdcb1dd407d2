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
from qwirkle_fast.arena.match import Key
from qwirkle_fast.arena.records import GAMES
from qwirkle_fast.qwixx import Game, parse_choice

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
        ("turns", [], r"times: \d+, expected 0, one for each turn"),
        ("times", [], r"times: 0, expected \d+, one for each turn"),
        ("times.2", -1.5, "Expected `float` >= 0"),
        ("times.2", "soon", "Expected `float`, got `str`"),
        ("times", None, "Expected `array`, got `null`"),
        ("versions", {}, r"versions: {}, expected {'qwirkle_fast': '.+'}"),
        ("versions.qwirkle_fast", "99", "versions: {'qwirkle_fast': '99'}, expected "),
        ("versions.nobody", "1", "versions: .*'nobody': '1'.*, expected "),
        ("versions.random", "", "Expected `str` of length >= 1"),
        ("versions.random", 3, "Expected `str`, got `int`"),
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
        (lambda record: record.pop("times"), "Object missing required field `times`"),
        (lambda record: edit(record, "scores.1", 500), "scores: [0, 500], expected [0, 0]"),
        (lambda record: edit(record, "scores", [0]), "scores: [0], expected [0, 0]"),
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


def test_of_who_was_ruled_out_in_qwirkle_the_turns_add_up_too(tmp_path: Path) -> None:
    match = Match(("random", Absconder()), games=2)
    run(match, out=tmp_path)
    first, *others = (tmp_path / GAMES).read_text().splitlines(keepends=True)
    record = json.loads(first)
    assert record["end"] == "forfeit"
    record["scores"][0] += 1
    (tmp_path / GAMES).write_text("".join([json.dumps(record), "\n", *others]))
    assert refused(tmp_path, match).startswith("line 1: scores: ")


def test_a_match_json_without_versions_is_refused(tmp_path: Path) -> None:
    run(Match(("greedy", "random"), games=2), out=tmp_path)
    file = tmp_path / "match.json"
    described = json.loads(file.read_text())
    for versions in ({}, None, {"qwirkle_fast": 1}):
        file.write_text(json.dumps({**described, "versions": versions}))
        with pytest.raises(ValueError, match=r"match\.json: .*, expected what a match wrote"):
            read_standings(tmp_path)


# -- Qwixx, broken off in the middle of an action


def counted(game: Game) -> list[int]:
    """What the marks made so far are worth by seat, counted by hand: in action 1 all mark at once, so that marks of it
    count when everybody has chosen."""
    undone = game.turn if game.question.after is False else None
    marks: list[dict[int, set[int]]] = [{row: set() for row in range(4)} for _ in game.sheets]
    penalties = [0] * len(marks)
    for decision in game.decisions:
        if decision.turn == undone:
            continue
        if decision.mark:
            marks[decision.seat][decision.mark.row].add(decision.mark.number)
        elif decision.action == 2:
            before = [one for one in game.decisions if (one.turn, one.seat, one.action) == (*decision[:2], 1)]
            penalties[decision.seat] += not any(one.mark for one in before)
    totals = []
    for rows, fails in zip(marks, penalties, strict=True):
        # The last number of a row counts twice, for the lock.
        crosses = [len(row) + ((12 if number < 2 else 2) in row) for number, row in rows.items()]
        totals.append(sum(n * (n + 1) // 2 for n in crosses) - 5 * fails)
    return totals


def test_points_of_an_action_that_was_broken_off_do_not_count(tmp_path: Path) -> None:
    told = 0
    for seed in range(12):
        match = Match(("random",), seats=3, games=3, seed=seed, game="qwixx")
        folder = tmp_path / str(seed)
        run(match, out=folder)
        records = [json.loads(line) for line in (folder / GAMES).read_text().splitlines()]
        deal = match.deal(Key(0, 0, 0))
        game = Game(deal.seed, 3, names=deal.names)
        for number, turn in enumerate(records[0]["turns"][:30]):
            truth = counted(game)
            broken = {**records[0], **game.record(), "end": "forfeit", "scores": truth}
            broken["forfeit"] = {"seat": turn["seat"], "reason": "time", "detail": ""}
            broken["times"] = [0.0] * number
            (folder / GAMES).write_text(json.dumps(broken) + "\n")
            assert read_standings(folder).games == 1
            # The arena's own record of it.
            table = match.kind.deal(deal)
            for made in broken["turns"]:
                table.apply(table.read(made["move"]))
            table.forfeit()
            assert table.record()["scores"] == truth
            naive = [sum(one["score"] for one in broken["turns"] if one["seat"] == seat) for seat in range(3)]
            told += naive != truth
            truth[number % 3] += 1
            (folder / GAMES).write_text(json.dumps(broken) + "\n")
            if truth != naive:
                with pytest.raises(ValueError, match="line 1: scores: "):
                    read_standings(folder)
            game.choose(parse_choice(turn["move"]))
    assert told > 50


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("turns.0.move", "xyz", "turns: 0: "),
        ("turns.0.move", "R12", "turns: 0: R12 is not allowed"),
        ("turns.1.seat", 0, r"turns: 1 of seat 0, expected seat \d"),
        ("turns.0.move", None, "Expected `str`, got `null`"),
    ],
)
def test_turns_that_cannot_be_made_again_are_refused(path: str, value: Any, words: str, tmp_path: Path) -> None:
    match = Match(("random", "random", Absconder()), seats=3, games=3, game="qwixx")
    run(match, out=tmp_path)
    lines = (tmp_path / GAMES).read_text().splitlines()
    # The last seat is asked when the two others have chosen, and all would mark together.
    record = json.loads(lines[0])
    assert [turn["action"] for turn in record["turns"]] == [1, 1]
    assert record["scores"] == [0, 0, 0]
    edit(record, path, value)
    record["scores"] = [7, 7, 7]
    (tmp_path / GAMES).write_text("\n".join([json.dumps(record), *lines[1:], ""]))
    assert re.match(f"line 1: {words}", refused(tmp_path, match))


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
