"""Asking the HTTP application in this process."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from fastapi import FastAPI

MEMBERS = {"type", "title", "status", "detail", "what", "where", "expected"}


class Client:
    """Asks an application in this process."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                return await client.request(method, path, **more)

        return asyncio.run(ask())

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, body: object, **more: Any) -> httpx.Response:
        return self.request("POST", path, json=body, **more)

    def problem(self, path: str, body: object, status: int) -> dict[str, Any]:
        return problem(self.post(path, body), status)


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The members of an answer that must be a problem."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert found.keys() >= MEMBERS
    assert found["status"] == status
    assert found["what"]
    assert found["where"]
    assert found["expected"]
    assert "\n" not in found["detail"]
    return found


def request(path: str, body: bytes, *, length: int | None = None) -> bytes:
    """A request with a body of JSON, as it goes over the wire; ``length`` when it lies about the body's."""
    head = [
        f"POST {path} HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body) if length is None else length}",
    ]
    return "\r\n".join([*head, "", ""]).encode() + body
