"""Routes whose endpoint takes the request and gives the response, with nothing in between."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response


class PlainRoute(APIRoute):
    """FastAPI's route without its reading of parameters, which the endpoints here do themselves, and faster."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        return self.endpoint


def new_router(tag: str, prefix: str = "/v1") -> APIRouter:
    return APIRouter(prefix=prefix, tags=[tag], route_class=PlainRoute)
