"""Games over HTTP: their course, what each seat may see, and what outlives the server."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import qwirkle_fast as qf

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

import httpx
from asking import Client, problem
from servers import serving

from qwirkle_fast.web import Limits, create_app
from qwirkle_fast.web.levels import LEVELS


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(create_app(threads=2))


def greedy(text: str) -> str:
    position = qf.Position(text)
    return str(position.legal_moves.best() or (position.exchanges or [qf.Move.skip()])[-1])


def play_out(client: Client, game: dict[str, Any], most: int = 1000) -> dict[str, Any]:
    """Play the person's turns greedily and have the engines play theirs, to the end or for so many turns."""
    while game["end"] is None and game["turn"] < most:
        person = game["players"][game["seat"]]["level"] is None
        body = {"turn": game["turn"]} | ({"move": greedy(game["position"])} if person else {})
        answer = client.post(f"/v1/games/{game['id']}/moves", body)
        assert answer.status_code == 200, answer.text
        game = answer.json()
    return game


@pytest.mark.parametrize("rules", ["classic", "flex;tiles=starter", {"name": "flex", "opening": "any"}])
@pytest.mark.parametrize("levels", [[None, "casual"], ["beginner", None, "club"]])
def test_a_game_is_the_engines_own(client: Client, rules: Any, levels: list[str | None]) -> None:
    players = [{"level": level} if level else {"name": "Ann"} for level in levels]
    answer = client.post("/v1/games", {"rules": rules, "players": players, "seed": 3})
    assert answer.status_code == 201
    game = play_out(client, answer.json())
    record = client.get(f"/v1/games/{game['id']}/record").json()
    again = qf.Game.from_record(record)
    assert record["seed"] == 3
    assert (game["end"], game["scores"], game["winners"]) == (again.end, list(again.scores), list(again.winners))
    assert [turn["move"] for turn in game["turns"]] == [str(turn.move) for turn in again.turns]
    assert game["position"] == str(again.full_position)


def test_the_same_seed_gives_the_same_game(client: Client) -> None:
    asked = {"players": [{"level": "club"}, {"level": "beginner"}], "seed": 8}
    one, two = (play_out(client, client.post("/v1/games", asked).json()) for _ in range(2))
    assert one["turns"] == two["turns"]
    other = client.post("/v1/games", {}).json()
    assert (other["players"][0]["level"], other["players"][1]["level"]) == (None, "club")


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays(client: Client, level: str) -> None:
    asked = {"players": [{"level": level}, {"level": level}], "seed": 1}
    assert play_out(client, client.post("/v1/games", asked).json(), most=3)["turn"] == 3


def test_nobody_sees_what_is_hidden(client: Client) -> None:
    asked = {"players": [{"name": "Ann"}, {"name": "Bob"}, {"level": "casual"}], "seed": 5}
    game = client.post("/v1/games", asked).json()
    mirror = qf.Game(5, 3)
    for _ in range(12):
        for seat in (0, 1):
            seen = client.get(f"/v1/games/{game['id']}", params={"seat": seat}).json()
            assert seen["position"] == str(mirror.view(seat))
            assert seen["viewer"] == seat
        assert problem(client.get(f"/v1/games/{game['id']}", params={"seat": 2}), 403)["expected"] == "0 or 1"
        body: dict[str, Any] = {}
        if game["players"][mirror.seat]["level"] is None:
            # Exchanges too, whose tiles the others must not learn.
            moves = mirror.position.exchanges[:1] if len(mirror.turns) > 2 else []
            body = {"move": str((moves or [mirror.position.legal_moves.best()])[0])}
        game = client.post(f"/v1/games/{game['id']}/moves", body).json()
        by = mirror.seat
        full = body.get("move") or game["turns"][-1]["move"]
        mirror.play(qf.Move(full))
        if full.startswith("-") and by < 2:
            other = client.get(f"/v1/games/{game['id']}", params={"seat": 1 - by}).json()
            assert other["turns"][-1]["move"] == "-?1"
    assert problem(client.get(f"/v1/games/{game['id']}/record"), 409)["what"] == "the game goes on"


def test_moves_that_cannot_be(client: Client) -> None:
    game = client.post("/v1/games", {"players": [{"name": "Ann"}, {"level": "casual"}], "seed": 2}).json()
    path = f"/v1/games/{game['id']}/moves"
    if game["seat"] == 1:
        assert client.problem(path, {"move": "Rs@0,0"}, 409)["where"] == "move"
        game = client.post(path, {}).json()
    assert client.problem(path, {}, 409)["expected"] == "a move"
    illegal = client.problem(path, {"move": "Rs@90,90"}, 409)
    assert illegal["where"] == "move"
    assert client.problem(path, {"move": "nonsense"}, 422)["where"] == "move"
    assert client.problem(path, {"move": greedy(game["position"]), "turn": 40}, 409)["where"] == "turn"
    after = client.get(f"/v1/games/{game['id']}").json()
    assert after == game
    turn = {"move": greedy(game["position"]), "turn": game["turn"]}
    assert client.post(path, turn).status_code == 200
    assert client.problem(path, turn, 409)["where"] in ("turn", "move")


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"rules": "chess"}, "rules"),
        ({"rules": "classic;opening=largest"}, "rules"),
        ({"players": [{}]}, "players"),
        ({"players": [{}] * 7}, "players"),
        ({"players": [{"level": "god"}, {}]}, "players[0].level"),
        ({"players": [{"name": ""}, {}]}, "players[0].name"),
        ({"seed": -1}, "seed"),
        ({"stake": 5}, "body"),
    ],
)
def test_games_that_cannot_be(client: Client, asked: object, where: str) -> None:
    answer = client.post("/v1/games", asked)
    assert answer.status_code in (409, 422)
    assert problem(answer, answer.status_code)["where"] == where


@pytest.mark.parametrize("name", ["x", "a" * 16, "%2e%2e%2fx", "'; DROP TABLE games"])
def test_games_that_are_not_there(client: Client, name: str) -> None:
    problem(client.get(f"/v1/games/{name}"), 404)
    problem(client.post(f"/v1/games/{name}/moves", {}), 404)


def test_only_so_many_games_stay_in_memory() -> None:
    client = Client(create_app(limits=Limits(games=3)))
    names = [client.post("/v1/games", {"seed": 1}).json()["id"] for _ in range(5)]
    assert [client.get(f"/v1/games/{name}").status_code for name in names] == [404, 404, 200, 200, 200]


# Games that last


def test_a_database_keeps_more_games_than_memory(tmp_path: Path) -> None:
    client = Client(create_app(limits=Limits(games=1), store=str(tmp_path / "games")))
    games = [play_out(client, client.post("/v1/games", {"seed": seed}).json(), most=4) for seed in range(3)]
    assert [client.get(f"/v1/games/{game['id']}").json() for game in games] == games
    play_out(client, games[0])


def test_two_servers_on_one_database_make_no_move_twice(tmp_path: Path) -> None:
    one, two = (Client(create_app(store=str(tmp_path / "games"))) for _ in range(2))
    asked = {"players": [{"name": "Ann"}, {"name": "Bob"}], "seed": 1}
    game = one.post("/v1/games", asked).json()
    path = f"/v1/games/{game['id']}"
    assert two.get(path).json() == game
    move = greedy(game["position"])
    after = one.post(f"{path}/moves", {"move": move}).json()
    two.problem(f"{path}/moves", {"move": move}, 409)
    assert two.get(path).json() == after


def test_files_that_are_no_database_of_games(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database, but long enough to be looked at as if it were one" * 20)
    other = tmp_path / "other"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    for file in (text, other, tmp_path / "none" / "x", tmp_path):
        with pytest.raises(ValueError, match="it cannot be used"):
            create_app(store=str(file))
    assert sqlite3.connect(other).execute("SELECT name FROM sqlite_schema").fetchall() == [("mine",)]


def test_a_kill_loses_no_acknowledged_move(tmp_path: Path) -> None:
    store = str(tmp_path / "games")
    game: dict[str, Any] = {}
    for round_ in range(3):
        with serving("--store", store) as server, httpx.Client(base_url=server.url) as client:
            if not game:
                players = [{"name": "Ann"}, {"level": "casual"}]
                game = client.post("/v1/games", json={"players": players, "seed": 4}).json()
            path = f"/v1/games/{game['id']}"
            assert client.get(path).json() == game
            for _ in range(5 + round_):
                person = game["players"][game["seat"]]["level"] is None
                body = {"move": greedy(game["position"])} if person else {}
                game = client.post(f"{path}/moves", json=body).json()
            server.kill()
    assert len(game["turns"]) == 18
    assert json.dumps(game).count("casual") == 2
