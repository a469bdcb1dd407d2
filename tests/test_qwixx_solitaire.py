"""Qwixx for one player: the solved game against brute force, simulation and published values; its cache."""

from __future__ import annotations

import json
import logging
import math
import os
import random
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from qwirkle_fast.qwixx import Dice, Mark, Rules, Sheet, Solitaire, score, solitaire
from qwirkle_fast.qwixx import reference as rules

EMPTY = Sheet()


def solved(finish_turn: bool = False) -> Solitaire:
    return Solitaire.load(Rules(finish_turn))


def random_sheets(number: int, seed: int) -> list[Sheet]:
    """Sheets of all stages, many of them about to lock, over before their next turn in no case."""
    chance = random.Random(seed)
    sheets: list[Sheet] = []
    while len(sheets) < number:
        fields = []
        for colour, numbers in zip("RYGB", [range(2, 13)] * 2 + [range(12, 1, -1)] * 2, strict=True):
            last, density = chance.randint(0, 10), chance.choice((0.3, 0.6, 0.9))
            marks = [n for n in numbers[:last] if chance.random() < density]
            if len(marks) >= 5 and chance.random() < 0.15:
                marks.append(numbers[-1])
            closed = "x" * (chance.random() < 0.07 and numbers[-1] not in marks)
            fields.append(colour + (",".join(map(str, marks)) or "-") + closed)
        sheet = Sheet.parse("/".join([*fields, f"P{chance.randint(0, 3)}"]))
        if not rules.is_over([sheet]):
            sheets.append(sheet)
    return sheets


def brute_force(sheet: Sheet, game: Solitaire) -> float:
    """The value of a sheet from those of the sheets after it: all 6^6 rolls, each choice by the reference."""

    @cache
    def after(first: Mark | None, second: Mark | None) -> float:
        """The best that this use of a roll can bring; minus infinity where it is not allowed."""
        new = sheet
        for mark in (first, second):
            if mark is None:
                continue
            if rules.is_over([new]) and not game.rules.finish_turn:
                return -math.inf
            if rules.why_illegal(new, mark):
                return -math.inf
            new = rules.marked(new, mark)
        if first is second is None:
            new = Sheet(sheet.rows, sheet.penalties + 1)
        return game.value(new)

    total = 0.0
    for white in range(1, 7):
        for other in range(1, 7):
            firsts = [None, *(Mark(row, white + other) for row in range(4))]
            alone = max(after(first, None) for first in firsts)
            rolls = np.full((6, 6, 6, 6), alone)
            for row in range(4):
                if sheet.rows[row].closed:
                    continue
                best = [
                    max(after(first, Mark(row, die + face)) for first in firsts for die in (white, other))
                    for face in range(1, 7)
                ]
                shape = [1, 1, 1, 1]
                shape[row] = 6
                rolls = np.maximum(rolls, np.array(best).reshape(shape))
            total += float(rolls.sum())
    return total / 6**6


@pytest.mark.parametrize(("finish_turn", "value"), [(False, 115.483126), (True, 115.910815)])
def test_the_value_of_the_empty_sheet(finish_turn: bool, value: float) -> None:
    assert solved(finish_turn).value(EMPTY) == pytest.approx(value, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("needed", "lock", "value"), [(5, 0, 104.444698), (4, 1, 115.732414), (6, 1, 114.424650), (5, 1, 115.483126)]
)
def test_wrong_rules_would_show(needed: int, lock: int, value: float) -> None:
    code = f"""
from qwirkle_fast.qwixx import Rules, Sheet, Solitaire, _solitaire, solitaire
_solitaire.set_rules({needed}, {lock})
print(Solitaire(solitaire.solve(Rules()), Rules()).value(Sheet()))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert float(done.stdout) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("finish_turn", [False, True])
def test_one_step_is_that_of_brute_force_over_all_rolls(finish_turn: bool) -> None:
    game = solved(finish_turn)
    for sheet in random_sheets(100, seed=3 + finish_turn):
        assert game.value(sheet) == pytest.approx(brute_force(sheet, game), abs=1e-9), str(sheet)


def test_a_simulation_agrees_with_the_value() -> None:
    scores = solved()._solved.games(1, 60_000)
    assert abs(scores.mean() - solved().value(EMPTY)) < 3 * scores.std() / len(scores) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("finish_turn", [False, True])
def test_two_million_games_agree_with_the_value(finish_turn: bool) -> None:
    scores = solved(finish_turn)._solved.games(10**7, 2_000_000)
    assert abs(scores.mean() - solved(finish_turn).value(EMPTY)) < 3 * scores.std() / len(scores) ** 0.5


@pytest.mark.parametrize(
    "text",
    [
        "R2,3,5,7,9,10/Y-/G12,11x/B12,10,8,6,4/P1",
        "R2,3,4,5,6,7,8,9/Y2,3,4,5,6,7,8,9/G3/B4/P3",
        "R11/Y11/G3/B3/P2",
        "R2,3,4,5,6,12/Y2,3,4,5,6,7,9,10/G5/B4/P0",
    ],
)
def test_a_distribution_has_the_value_as_its_mean(text: str) -> None:
    sheet = Sheet.parse(text)
    chances = solved().distribution(sheet)
    assert sum(chance for _, chance in chances) == pytest.approx(1, abs=1e-12)
    assert sum(points * chance for points, chance in chances) == pytest.approx(solved().value(sheet), abs=1e-9)
    assert [points for points, _ in chances] == sorted({points for points, _ in chances})


def test_a_distribution_by_hand() -> None:
    """Nothing can be marked any more: four penalties are all that is to come."""
    assert solved().distribution(Sheet.parse("R11/Y11/G3/B3/P1")) == [(4 - 20, pytest.approx(1))]


@pytest.mark.parametrize(("finish_turn", "value"), [(False, 115.483126), (True, 115.910815)])
def test_the_distribution_that_comes_with_the_package_belongs_to_the_value(finish_turn: bool, value: float) -> None:
    chances = solved(finish_turn).distribution(EMPTY)
    assert chances == solitaire.whole_game(Rules(finish_turn))
    assert sum(chance for _, chance in chances) == pytest.approx(1, abs=1e-12)
    assert sum(points * chance for points, chance in chances) == pytest.approx(value, abs=1e-6)
    content = json.loads(Path(solitaire.__file__).with_name(solitaire.FILE).read_text(encoding="utf-8"))
    assert content["version"] == solitaire.VERSION, "the table has changed: run tools/qwixx_distribution.py"


def test_the_distribution_that_comes_with_the_package_is_that_of_games() -> None:
    """The share of games by the table's policy up to each score is nowhere far off (Kolmogorov and Smirnov)."""
    scores = solved()._solved.games(5, 60_000)
    below = np.cumsum([chance for _, chance in solitaire.whole_game(Rules())])
    played = np.searchsorted(np.sort(scores), [points for points, _ in solitaire.whole_game(Rules())], side="right")
    assert np.abs(played / len(scores) - below).max() < 1.95 / len(scores) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("finish_turn", [False, True])
def test_the_distribution_that_comes_with_the_package_is_that_of_the_walk(finish_turn: bool) -> None:
    told: list[tuple[int, int]] = []
    walked = solved(finish_turn).walked(EMPTY, progress=lambda done, of: told.append((done, of)))
    known = dict(solitaire.whole_game(Rules(finish_turn)))
    assert [points for points, _ in walked] == list(known)
    assert max(abs(chance - known[points]) for points, chance in walked) < 1e-12


def test_a_walk_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    solved().distribution(Sheet.parse("R11/Y2,9,10/G3/B3/P2"), progress=lambda done, of: told.append((done, of)))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize("text", ["R-/Y-/G-/B-/P4", "R2,3,4,5,6,12/Y-x/G-/B5/P1"])
def test_a_game_that_is_over_is_worth_its_score(text: str) -> None:
    sheet = Sheet.parse(text)
    assert solved().value(sheet) == score(sheet)
    assert solved().distribution(sheet) == [(score(sheet), 1.0)]


@pytest.mark.parametrize("finish_turn", [False, True])
def test_hints_are_all_outcomes_of_the_reference_best_first(finish_turn: bool) -> None:
    chance = random.Random(9)
    game = solved(finish_turn)
    for sheet in random_sheets(80, seed=5):
        open_rows = [not row.closed for row in sheet.rows]
        faces = [chance.randint(1, 6) if is_open else None for is_open in open_rows]
        dice = Dice((chance.randint(1, 6), chance.randint(1, 6)), tuple(faces))
        for active, after in ((True, False), (False, False), (True, None)):
            hints = game.hints(sheet, dice, active=active, after=after)
            expected = rules.outcomes(sheet, dice, active=active, after=after, finish_turn=finish_turn)
            assert {hint[:2] for hint in hints} == set(expected)
            assert [hint.value for hint in hints] == sorted((hint.value for hint in hints), reverse=True)
            for hint in hints:
                new = sheet
                for mark in hint[:2]:
                    new = rules.marked(new, mark) if mark else new
                if hint[:2] == (None, None) and active:
                    new = Sheet(sheet.rows, sheet.penalties + 1)
                assert hint.value == pytest.approx(game.value(new), abs=1e-9)
                assert hint.loss == pytest.approx(hints[0].value - hint.value)


def test_the_white_sum_on_the_last_cell_ends_the_row_for_the_coloured_die() -> None:
    sheet = Sheet.parse("R2,3,4,5,6/Y-/G-/B-/P0")
    hints = solved().hints(sheet, Dice.parse("W6,6/R5/Y1/G1/B1"))
    assert all(hint.action2 is None or hint.action2.row != 0 for hint in hints if hint.action1 == Mark(0, 12))


# -- the cache


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own that has the table."""
    path = solitaire.cache_path(Rules())
    solved()
    monkeypatch.setattr(solitaire, "_loaded", {})
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / name)
    monkeypatch.setattr(solitaire, "solve", _not_now)
    mine = solitaire.cache_path(Rules())
    mine.parent.mkdir(parents=True)
    mine.write_bytes(path.read_bytes())
    return mine


class Solved(Exception):
    """The game would be solved now."""


def _not_now(*_: object, **__: object) -> None:
    raise Solved


def test_a_table_in_the_cache_is_used(cache_folder: Path) -> None:
    assert Solitaire.load().value(EMPTY) == solved().value(EMPTY)


def test_a_process_loads_the_table_once(cache_folder: Path) -> None:
    first = Solitaire.load()
    cache_folder.unlink()
    assert Solitaire.load() is first


@pytest.mark.parametrize("damage", ["short", "bit", "version", "empty", "gone", "other rules", "folder"])
def test_a_table_that_is_damaged_or_old_is_solved_anew(cache_folder: Path, damage: str) -> None:
    content = bytearray(cache_folder.read_bytes())
    if damage == "short":
        del content[-8:]
    elif damage == "bit":
        content[len(content) // 2] ^= 1
    elif damage == "version":
        content = content.replace(b"version 2", b"version 1", 1)
    elif damage == "empty":
        content.clear()
    elif damage == "other rules":
        content = content.replace(b"at-once", b"finish-turn", 1)
    cache_folder.write_bytes(content)
    if damage in ("gone", "folder"):
        cache_folder.unlink()
    if damage == "folder":
        cache_folder.mkdir()
    with pytest.raises(Solved):
        Solitaire.load()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX")
def test_a_cache_that_never_ends_is_not_waited_for(cache_folder: Path) -> None:
    cache_folder.unlink()
    os.mkfifo(cache_folder)
    with pytest.raises(Solved):
        Solitaire.load()


@pytest.mark.parametrize("trouble", ["no room", "no folder"])
def test_a_cache_that_takes_nothing_is_done_without(
    cache_folder: Path, trouble: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    values = solitaire._read(cache_folder, Rules())
    cache_folder.unlink()
    if trouble == "no folder":
        cache_folder.parent.rmdir()
        cache_folder.parent.write_bytes(b"a file")
    monkeypatch.setattr(solitaire, "solve", lambda *_, **__: values)
    if trouble == "no room":
        import resource

        # As on a full disk, writing fails in the middle.
        before, size = signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000_000, size[1]))
    try:
        solved_before = Solitaire.load().value(EMPTY)
        assert solved_before == pytest.approx(115.483126, abs=1e-6)
    finally:
        if trouble == "no room":
            resource.setrlimit(resource.RLIMIT_FSIZE, size)
            signal.signal(signal.SIGXFSZ, before)
    assert trouble == "no folder" or list(cache_folder.parent.iterdir()) == []
    # It is told, once: the second answer comes from memory.
    monkeypatch.setattr(solitaire, "solve", _not_now)
    assert Solitaire.load().value(EMPTY) == solved_before
    assert [(record.levelno, str(cache_folder) in record.getMessage()) for record in caplog.records] == [
        (logging.WARNING, True)
    ]


def test_what_is_written_is_read_and_leaves_nothing_beside_it(cache_folder: Path) -> None:
    values = solitaire._read(cache_folder, Rules())
    assert values is not None
    cache_folder.unlink()
    # What one left behind who was killed goes too.
    cache_folder.with_name(f"{cache_folder.name}abc").write_bytes(b"half")
    solitaire._write(cache_folder, values, Rules())
    again = solitaire._read(cache_folder, Rules())
    assert again is not None
    assert (again == values).all()
    assert [path.name for path in cache_folder.parent.iterdir()] == [cache_folder.name]
