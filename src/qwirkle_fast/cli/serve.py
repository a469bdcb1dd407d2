"""The command that serves HTTP and the web page."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

import click

from . import complain
from .batch import reason, shown


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; only this machine's unless given."
)
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@click.option("--threads", type=click.IntRange(1, 1024), help="Threads that search; all cores unless said.")
@click.option("--store", metavar="FILE", help="Keep games in this database; in memory unless given.")
@click.option(
    "--cors", metavar="ORIGIN", multiple=True, help="Let pages of this origin ask, * for all; may be repeated."
)
def serve(host: str, port: int, threads: int | None, store: str | None, cors: tuple[str, ...]) -> None:
    """Serve JSON over HTTP, and a web page for people."""
    try:
        from ..web import create_app
        from ..web.server import listen, run
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"serve: no {error.name} here, expected the extra web (pip install 'qwirkle-fast[web]')"
        ) from None
    for origin in cors:
        if origin != "*" and not _is_origin(origin):
            raise click.ClickException(
                f"--cors {shown(origin)}: no origin, expected one like https://example.org, or *"
            )
    try:
        listening = listen(host, port)
    except OSError as error:
        raise click.ClickException(
            f"serve: {shown(host)} port {port} cannot be listened on ({reason(error)}), "
            "expected a free one of this machine"
        ) from None
    with listening:
        name, number = listening.getsockname()[:2]
        try:
            app = create_app(threads=threads, store=store, cors=cors, hosts=_hosts(host, name, cors))
        except ValueError as error:
            raise click.ClickException(
                f"serve: --store {shown(str(store))}: {error}, expected a file for games"
            ) from None
        complain(f"qwirkle-fast: serving http://{f'[{name}]' if ':' in name else name}:{number}/ until Ctrl-C")
        run(app, listening)


def _hosts(host: str, address: str, cors: Sequence[str]) -> list[str]:
    """The names by which a server for this machine only may be asked; none, for any name, where it is for others."""
    if not ip_address(address).is_loopback or "*" in cors:
        return []
    named = [urlsplit(origin).hostname or "" for origin in cors]
    return sorted({"localhost", "127.0.0.1", "::1", address, host.lower(), *named})


def _is_origin(text: str) -> bool:
    """Is it what a browser sends as ``Origin``: a scheme, a host, perhaps a port, and nothing more?"""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and text == f"{parts.scheme}://{parts.netloc}"
