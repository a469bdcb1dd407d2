"""The web page: files of the package and a drawing of every tile, read once; no path of a request reaches a file."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ..drawing.sprite import sprite_svg
from .problems import Problem
from .routes import PlainRoute

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class _Page:
    """One file as it is served."""

    def __init__(self, name: str, body: bytes) -> None:
        self.body, self.type = body, _TYPES[name.rpartition(".")[2]]
        self.tag = f'"{sha256(body).hexdigest()[:16]}"'

    def response(self, request: Request) -> Response:
        headers = {"ETag": self.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        return Response(self.body, media_type=self.type, headers=headers)


def router() -> APIRouter:
    """``/`` and what it loads from ``/page/``."""
    pages = {
        file.name: _Page(file.name, file.read_bytes())
        for file in files("qwirkle_fast.web").joinpath("static").iterdir()
        if file.name.rpartition(".")[2] in _TYPES
    }
    pages["tiles.svg"] = _Page("tiles.svg", sprite_svg().encode())
    routes = APIRouter(route_class=PlainRoute, include_in_schema=False)

    @routes.get("/")
    async def index(request: Request) -> Response:
        return pages["index.html"].response(request)

    @routes.get("/page/{name}")
    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in pages:
            raise Problem(404, "path", "there is no such file", "a file of the page")
        return pages[name].response(request)

    return routes
