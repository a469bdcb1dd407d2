"""Qwixx over HTTP against the Python interface."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from asking import Client

from qwirkle_fast import qwixx
from qwirkle_fast.web import create_app

SHEET = "R2,3,5,7,8,9,10/Y2,3,4,5,6,7,9/G12,11,10,9,8,7/B12,11,10,9,5/P1"
LATE = "R2,3,5,7,8,12/Y2,3,4,5,6,7,9,10/G12,11,10,9,8,7,4/B12,11,10,9,5,3/P3"
DICE = "W3,4/R2/Y5/G1/B6"


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(create_app(threads=2))


@pytest.fixture(scope="module")
def solved() -> qwixx.Solitaire:
    return qwixx.Solitaire.load()


def outcomes(hints: list[qwixx.Hint]) -> list[dict[str, Any]]:
    return [
        {
            "action1": None if hint.action1 is None else str(hint.action1),
            "action2": None if hint.action2 is None else str(hint.action2),
            "value": hint.value,
            "loss": hint.loss,
        }
        for hint in hints
    ]


def test_the_value_of_a_sheet(client: Client, solved: qwixx.Solitaire) -> None:
    sheet = qwixx.Sheet.parse(LATE)
    answer = client.post("/v1/qwixx/value", {"sheet": LATE}).json()
    assert answer["sheet"] == LATE
    assert answer["value"] == solved.value(sheet)
    assert [tuple(pair) for pair in answer["distribution"]] == solved.distribution(sheet)


def test_a_roll_alone(client: Client, solved: qwixx.Solitaire) -> None:
    expected = outcomes(solved.hints(qwixx.Sheet.parse(SHEET), qwixx.Dice.parse(DICE)))
    assert client.post("/v1/qwixx/hints", {"table": SHEET, "dice": DICE}).json() == {"hints": expected}


def test_a_roll_at_a_table(client: Client) -> None:
    table = f"{SHEET} R2/Y-/G-/B-/P0"
    asked = {"seat": 1, "active": 0, "simulations": 2000, "seed": 3}
    question = qwixx.Question.parse(table, DICE, seat=1, active=0)
    expected = outcomes(question.hints(simulations=2000, seed=3))
    answer = client.post("/v1/qwixx/hints", {"table": table, "dice": DICE, **asked}).json()
    assert answer == {"hints": expected}
    assert len(expected) > 1


def test_a_search_at_the_table_ends_when_it_is_stopped() -> None:
    question = qwixx.Question.parse(f"{SHEET} R2/Y-/G-/B-/P0", DICE)
    stop = Event()
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(question.hints, simulations=10**15, stop=stop)
        with pytest.raises(TimeoutError):
            found.result(timeout=0.2)
        stop.set()
        assert len(found.result(timeout=30)) > 1


@pytest.mark.parametrize(
    ("body", "where", "status"),
    [
        ({"table": "R3,2/Y-/G-/B-/P0", "dice": DICE}, "table", 409),
        ({"table": "nonsense", "dice": DICE}, "table", 422),
        ({"table": SHEET, "dice": "W3,7/R2/Y5/G1/B6"}, "dice", 422),
        ({"table": SHEET, "dice": "W3,4/R2/Y5/G1"}, "dice", 409),
        ({"table": SHEET, "dice": DICE, "seat": 1}, "seat", 409),
        ({"table": SHEET, "dice": DICE, "after": "R2"}, "after", 409),
        ({"dice": DICE}, "body", 422),
    ],
)
def test_what_cannot_be(client: Client, body: object, where: str, status: int) -> None:
    found = client.problem("/v1/qwixx/hints", body, status)
    assert found["where"] == where
    assert "--" not in found["detail"]


def test_sheets_that_cannot_be(client: Client) -> None:
    assert client.problem("/v1/qwixx/value", {"sheet": "R12/Y-/G-/B-/P0"}, 409)["where"] == "sheet"
    assert client.problem("/v1/qwixx/value", {"sheet": 5}, 422)["where"] == "sheet"
