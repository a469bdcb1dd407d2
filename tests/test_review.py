"""Judged games: against minimax where a game can be solved, and what every judgement promises."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from players import by_chance, game_with, greedy, play_out
from test_cli import ask, assert_refused, shell

import qwirkle_fast as qf
from qwirkle_fast._core import Grid

pytest.importorskip("numba")

from test_endgame import minimax

from qwirkle_fast.search import Total, review_json
from qwirkle_fast.search.judgement import _judged

FEW = {"simulations": 60, "threads": 1}
LIMIT = ("--simulations", "60", "--threads", "1")


def chance_game(seed: int, players: int = 2, rules: str = "classic", turns: int = 10_000) -> qf.Game:
    names = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"][:players]
    return play_out(qf.Game(seed, players, rules, names=names), by_chance(random.Random(seed)), turns)


def value_of(position: qf.Position, move: qf.Move) -> int:
    """What a move of an open ending brings the mover more than the other, under best play of both after it."""
    after = position.copy()
    after.push(move)
    mine = after.scores[1] - position.scores[0]
    if after.end:
        return mine
    grid = Grid(position.rules)
    assert grid.load(after.cells)
    return mine - minimax(grid, after.hand, after.hands[1][0], move.is_pass)


@pytest.mark.parametrize("rules", ["classic", "flex"])
def test_points_lost_in_an_ending_are_the_difference_by_minimax(rules: str) -> None:
    """Endings played by chance, which loses much; every legal move is weighed by brute force."""
    compared = lost = 0
    for seed in range(10):
        game = play_out(qf.Game(seed, 2, rules), greedy, 10_000)
        first = next(n for n in range(len(game.turns)) if sum(map(len, [*game.at(n).hands, game.at(n).bag])) <= 5)
        ending = play_out(game.at(first), by_chance(random.Random(seed)))
        for number in range(first, len(ending.turns)):
            judged = _judged(ending.at(number).position, number, ending.turns[number], None, 40_000, 1, 0)
            position = ending.at(judged.turn).full_position
            moves = list(position.legal_moves) or [qf.Move.skip()]
            values = {move: value_of(position, move) for move in moves}
            assert judged.played.exact
            assert judged.best.exact
            assert judged.lost == max(values.values()) - values[judged.move]
            assert judged.best.equity == max(values.values()) == values[judged.best.move]
            margin = position.scores[0] - position.scores[1]
            wins = [(margin + value > 0) + (margin + value == 0) / 2 for value in values.values()]
            assert judged.best.win == max(wins)
            assert judged.margin == margin + max(values.values())
            compared += 1
            lost += judged.lost > 0
    assert compared > 30
    assert lost > 5


@pytest.mark.parametrize(("players", "rules"), [(2, "classic"), (3, "flex"), (6, "classic;opening=any")])
def test_every_turn_is_judged(players: int, rules: str) -> None:
    """Whatever was played, worst placements, exchanges and passes included."""
    game = chance_game(players, players, rules)
    found = list(qf.review(game, simulations=20, threads=1))
    assert [one.turn for one in found] == list(range(len(game.turns)))
    for one, turn in zip(found, game.turns, strict=True):
        assert (one.seat, one.move, one.score) == (turn.seat, turn.move, turn.score)
        assert one.played.move == turn.move
        assert one.played.score == turn.score
        assert one.position == str(game.at(one.turn).position)
        assert one.played.win is not None
        assert one.best.win is not None
        assert 0 <= one.win_lost <= 1
        assert (one.best.move == one.move) == (one.best == one.played)
        assert one.best.move != one.move or one.lost == one.win_lost == 0
    assert any(turn.move.is_exchange for turn in game.turns)
    totals = [Total.of([one for one in found if one.seat == seat]) for seat in range(players)]
    assert sum(total.turns for total in totals) == len(game.turns)
    assert sum(total.lost for total in totals) == pytest.approx(sum(one.lost for one in found))


def test_the_same_answer_for_any_number_of_threads_and_from_a_record() -> None:
    game = chance_game(5, turns=12)
    first = list(qf.review(game, simulations=400, seed=3, threads=1))
    assert first == list(qf.review(json.loads(json.dumps(game.record())), simulations=400, seed=3, threads=3))
    assert first != list(qf.review(game, simulations=400, seed=4, threads=1))


def test_a_turn_is_judged_with_what_its_player_knew() -> None:
    """Other hands and another bag behind the same view: the same judgement, though the other could answer well."""
    mine, theirs, other = "RsRcRxBdGtPv", "YtYtYvOsOcPx", "RtRdRvBsBsBs"
    judged = []
    for hand in (theirs, other):
        game = game_with(f"{mine}/{hand}")
        assert game.seat == 0
        game.play(qf.Move("Rs@0,0+Rc@1,0+Rx@2,0"))
        judged.append(next(qf.review(game, simulations=300, threads=1)))
    assert judged[0] == judged[1]


def test_an_opening_downwards_is_as_good_as_one_to_the_right() -> None:
    game = qf.Game(1)
    best = next(qf.review(played(game, game.position.legal_moves.top(1)[0]), simulations=400)).best
    down = qf.Move.place([(y, x, code) for x, y, code in best.move.placed])
    assert down != best.move
    across, downwards = (next(qf.review(played(game, move), simulations=400)) for move in (best.move, down))
    assert downwards.move == downwards.played.move == down
    assert downwards.lost == across.lost
    assert downwards.played.equity == across.played.equity


def played(game: qf.Game, move: qf.Move) -> qf.Game:
    game = game.copy()
    game.play(move)
    return game


def test_what_cannot_be_reviewed() -> None:
    record = chance_game(2, turns=4).record()
    with pytest.raises(qf.GameError, match="seed"):
        qf.review({**record, "seed": -1})
    with pytest.raises(qf.GameError, match="record"):
        qf.review("game")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="simulations"):
        qf.review(record, simulations=0)
    assert list(qf.review(qf.Game(1), **FEW)) == []  # type: ignore[arg-type]


# The command


def write(path: Path, *games: qf.Game) -> str:
    path.write_text("".join(json.dumps(game.record()) + "\n" for game in games), encoding="utf-8")
    return str(path)


def test_the_command_answers_what_the_function_does(tmp_path: Path) -> None:
    games = [chance_game(3, turns=6), chance_game(4, 3, "flex", turns=5)]
    file = write(tmp_path / "games", *games)
    status, out, err = ask("review", file, *LIMIT, "--json")
    assert (status, err) == (0, "")
    for line, game in zip(out.splitlines(), games, strict=True):
        found = json.loads(line)
        assert found == json.loads(json.dumps(review_json(game, list(qf.review(game, **FEW)))))  # type: ignore[arg-type]
        assert list(found) == ["players", "turns", "totals", "scores", "end"]
        assert found["players"] == list(game.names)
    assert ask("review", "-", *LIMIT, "--json", given=Path(file).read_bytes()) == (status, out, err)


def test_the_table_tells_turns_and_totals(tmp_path: Path) -> None:
    game = chance_game(3, turns=8)
    found = list(qf.review(game, **FEW))  # type: ignore[arg-type]
    status, out, err = ask("review", write(tmp_path / "games", game), *LIMIT)
    assert (status, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    for one in found:
        row = next(row for row in rows if row[:1] == [str(one.turn + 1)])
        assert row[1:4] == [game.names[one.seat], str(one.move), str(one.score)]
        if one.best.move != one.move:
            assert row[4:8] == [
                f"{one.lost:.1f}", f"{100 * (one.best.win or 0):.1f}%", f"{100 * one.win_lost:.1f}%", str(one.best.move)
            ]  # fmt: skip
        else:
            assert row[4] == f"{100 * (one.best.win or 0):.1f}%"
    for seat, name in enumerate(game.names):
        total = Total.of([one for one in found if one.seat == seat])
        assert [name, str(game.scores[seat]), str(total.turns), str(total.best), f"{total.lost:.1f}"] in [
            row[:5] for row in rows
        ]
    assert all(line == line.rstrip() and "\x1b" not in line for line in out.splitlines())


def test_a_bad_record_is_told_in_its_place(tmp_path: Path) -> None:
    game = chance_game(3, turns=2)
    wrong = json.dumps({**game.record(), "scores": [1, 2]})
    file = Path(write(tmp_path / "games", game))
    file.write_text(f"{file.read_text(encoding='utf-8')}{{\n\n{wrong}\n[1]\n", encoding="utf-8")
    status, out, err = ask("review", str(file), *LIMIT)
    assert status == 2
    lines = err.splitlines()
    assert [line.split(":")[0] for line in lines] == ["line 2", "line 4", "line 5"]
    assert "scores: [1, 2], expected" in lines[1]
    status, out, err = ask("review", str(file), *LIMIT, "--json")
    assert status == 2
    assert [json.loads(line).get("line") for line in out.splitlines()] == [None, 2, 4, 5]
    assert err.count("\n") == 1
    assert "expected a record a line" in err


def test_a_game_without_a_turn_is_an_answer(tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    status, out, err = ask("review", write(tmp_path / "games", qf.Game(1)), *LIMIT, "--svg", str(picture))
    assert status == 0
    assert err == "line 1: no turn to review\n"
    assert "player 1" in out
    ET.fromstring(picture.read_text(encoding="utf-8"))


def test_the_picture_of_a_game(tmp_path: Path) -> None:
    game, picture = chance_game(3, turns=9), tmp_path / "picture.svg"
    found = list(qf.review(game, **FEW))  # type: ignore[arg-type]
    file = write(tmp_path / "games", game)
    status, out, err = ask("review", file, *LIMIT, "--svg", str(picture))
    assert (status, err) == (0, "")
    assert out == ask("review", file, *LIMIT).out
    text = picture.read_text(encoding="utf-8")
    titles = [element.text or "" for element in ET.fromstring(text).iter("{http://www.w3.org/2000/svg}title")]
    for one in found:
        assert any(title.startswith(f"turn {one.turn + 1}, {game.names[one.seat]}: {one.move}, ") for title in titles)
    ask("review", file, *LIMIT, "--svg", str(picture))
    assert picture.read_text(encoding="utf-8") == text


def test_bad_usage_is_refused(tmp_path: Path) -> None:
    game = chance_game(3, turns=1)
    file = write(tmp_path / "games", game)
    assert_refused(ask("review"), "GAME")
    assert_refused(ask("review", str(tmp_path / "none")), "record", "No such file")
    assert_refused(ask("review", file, "--nope"), "--nope")
    assert_refused(ask("review", file, "--simulations", "0"), "--simulations")
    assert_refused(ask("review", file, *LIMIT, "--svg", str(tmp_path / "no" / "where")), "--svg", "cannot be written")
    two = write(tmp_path / "two", game, game)
    for more in ((), ("--json",)):
        status, out, err = ask("review", two, *LIMIT, "--svg", str(tmp_path / "x.svg"), *more)
        assert (status, out) == (2, "")
        assert err == "qwirkle-fast: --svg: a second record in line 2, expected one alone\n"
    assert not (tmp_path / "x.svg").exists()
    assert_refused(ask("review", file, *LIMIT, "--svg", "-"), "--svg -", "expected a file's name")


def test_names_of_a_record_cannot_reach_the_terminal(tmp_path: Path) -> None:
    record = chance_game(3, turns=3).record()
    record["players"] = ["\x1b[2J[bold]<&>", "\u202eBob\n\U0001f600"]
    file = tmp_path / "games"
    file.write_text(json.dumps(record), encoding="utf-8")
    picture = tmp_path / "picture.svg"
    status, out, err = ask("review", str(file), *LIMIT, "--svg", str(picture))
    assert (status, err) == (0, "")
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[bold]<&>" in out
    ET.fromstring(picture.read_text(encoding="utf-8"))


def test_nothing_is_said_through_pipes_however_long_it_takes(tmp_path: Path) -> None:
    file = write(tmp_path / "games", chance_game(3, turns=1))
    status, out, err = shell("review", file, "--time", "1.5", "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
