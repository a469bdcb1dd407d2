"""Errors as problem details (RFC 9457), each with what is wrong, where, and what was expected."""

from __future__ import annotations

import re
from http import HTTPStatus

import msgspec
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

#: A message of the package begins with the field at fault, as a rule.
_FIELD = re.compile(r"(board|hands|scores|rules|bag|turns|seed|players|end)\b([\w.\[\]]*)")


class Problem(Exception):
    """An answer that is an error.  ``more``: members of the answer beside the usual ones."""

    def __init__(
        self,
        status: int,
        where: str,
        what: str,
        expected: str,
        *,
        headers: dict[str, str] | None = None,
        more: dict[str, object] | None = None,
    ) -> None:
        super().__init__(what)
        self.status, self.where, self.what, self.expected = status, where, what, expected
        self.headers, self.more = headers or {}, more or {}

    @classmethod
    def of(cls, error: Exception, where: str, status: int, **more: object) -> Problem:
        """The problem of one of the package's errors, whose message is one line that says what was expected last."""
        what, _, expected = str(error).rpartition(", expected ")
        if not what:
            what, expected = str(error), "a move that the rules allow here" if where == "move" else "another value"
        field = _FIELD.match(what)
        what = what.removeprefix(f"{field[0] if field else where}: ")
        if field and field[0] != where:
            where = f"{where}.{field[0]}"
        return cls(status, where, what, expected, more=more)

    def to_json(self) -> dict[str, object]:
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": f"{self.where}: {self.what}, expected {self.expected}",
            "what": self.what,
            "where": self.where,
            "expected": self.expected,
            **self.more,
        }

    def response(self) -> Response:
        body = msgspec.json.encode(self.to_json())
        return Response(body, self.status, self.headers, media_type="application/problem+json")


def add_handlers(app: FastAPI) -> None:
    """Have errors answered as problems, those that the framework finds included."""

    @app.exception_handler(Problem)
    async def own(request: Request, problem: Problem) -> Response:
        return problem.response()

    @app.exception_handler(HTTPException)
    async def of_the_framework(request: Request, error: HTTPException) -> Response:
        path = request.url.path
        match error.status_code:
            case 404:
                problem = Problem(
                    404, "path", f"there is nothing at {ascii(path)[:80]}", "one that /openapi.json describes"
                )
            case 405:
                allowed = "POST" if (error.headers or {}).get("Allow") == "POST" else "GET, HEAD"
                problem = Problem(405, "method", f"{request.method} is not answered here", allowed)
                problem.headers["Allow"] = allowed
                return problem.response()
            case _:
                problem = Problem(error.status_code, "request", str(error.detail), "another request")
        problem.headers.update(error.headers or {})
        return problem.response()
