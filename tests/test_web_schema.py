"""The OpenAPI description: requests that follow it are answered as it says, others are refused as it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
schemathesis = pytest.importorskip("schemathesis")


@pytest.fixture(scope="module")
def app() -> Any:
    from qwirkle_fast.web import create_app

    return create_app(threads=2)


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_answers_are_as_described(app: Any, mode: str) -> None:
    generated = schemathesis.GenerationMode[mode]
    operations = [result.ok() for result in schemathesis.openapi.from_asgi("/openapi.json", app).get_all_operations()]
    assert len(operations) >= 10
    for operation in operations:
        if mode == "POSITIVE" and operation.path == "/v1/qwixx/value":
            continue  # each early sheet takes seconds; it has tests of its own
        if mode == "NEGATIVE" and operation.method == "get":
            continue  # there may be nothing in it to get wrong

        @given(case=operation.as_strategy(generation_mode=generated))
        @settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        def check(case: Any) -> None:
            case.call_and_validate()

        check()


def test_every_body_has_an_example_that_works(app: Any) -> None:
    from asking import Client

    client = Client(app)
    description = client.get("/openapi.json").json()
    game = client.post("/v1/games", {"players": [{"level": "casual"}, {"level": "casual"}]}).json()["id"]
    found = 0
    for path, operations in description["paths"].items():
        if "post" not in operations:
            continue
        for example in operations["post"]["requestBody"]["content"]["application/json"]["examples"].values():
            answer = client.post(path.replace("{id}", game), example["value"])
            assert answer.status_code in (200, 201), f"{path}: {answer.text}"
            found += 1
    assert found >= 7
    assert "HTTPValidationError" not in json.dumps(description)
