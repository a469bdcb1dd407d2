"""The OpenAPI description, made of the structures that requests are checked against."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from .bodies import ProblemObject

_TEMPLATE = "#/components/schemas/{name}"
_PROBLEMS = {
    "400": "The body is no JSON.",
    "403": "A seat that is no person's.",
    "404": "There is no such game.",
    "408": "The body did not arrive in time.",
    "409": "A position or a move of the right form is against the rules.",
    "413": "The body is too large.",
    "415": "The body is not said to be JSON.",
    "421": "The host is no name of this server.",
    "422": "The body is not of this form.",
    "500": "A fault of our own.",
    "501": "This machine has no Numba, which searches need.",
    "503": "Too much waits already.",
}
#: Every structure that a route names, by way of ``describe``.
_described: set[Any] = {ProblemObject}


def describe(
    asked: type[msgspec.Struct] | None,
    answer: Any,
    example: dict[str, object] | None = None,
    *,
    stream: bool = False,
    status: str = "200",
    parameters: list[dict[str, object]] | None = None,
) -> dict[str, Any]:
    """What a route adds to the description: the form of its body and of its answers, and an example.

    ``stream``: each answer is the data of a server-sent event.
    """
    _described.update(kind for kind in (asked, answer) if kind is not None)
    problems = {
        code: {"description": words, "content": _json(ProblemObject, "application/problem+json")}
        for code, words in _PROBLEMS.items()
    }
    extra: dict[str, Any] = {
        "responses": {
            status: {"description": "The answer.", "content": _events(answer) if stream else _json(answer)},
            **problems,
        }
    }
    if asked is not None:
        content = {"schema": _reference(asked), "examples": {"one": {"value": example}}}
        extra["requestBody"] = {"required": True, "content": {"application/json": content}}
    if parameters:
        extra["parameters"] = parameters
    return extra


def _json(kind: Any, media_type: str = "application/json") -> dict[str, Any]:
    return {media_type: {"schema": _reference(kind)}}


def _events(kind: Any) -> dict[str, Any]:
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": _reference(kind)}
    event = {"type": "string", "enum": ["hints", "done"]}
    schema = {"type": "object", "required": ["event", "data"], "properties": {"event": event, "data": data}}
    return {"text/event-stream": {"schema": schema}}


def _reference(kind: Any) -> dict[str, Any]:
    schemas, _ = msgspec.json.schema_components([kind], ref_template=_TEMPLATE)
    return dict(schemas[0])


def add_description(app: FastAPI) -> None:
    """Serve the description at ``/openapi.json``."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            description = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
                tags=app.openapi_tags,
            )
            _, components = msgspec.json.schema_components(_described, ref_template=_TEMPLATE)
            description.setdefault("components", {})["schemas"] = dict(sorted(components.items()))
            app.openapi_schema = description
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
