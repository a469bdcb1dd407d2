"""``engine``: the protocol on standard input and output."""

from __future__ import annotations

import sys

import click

from . import complain


@click.command()
def engine() -> None:
    """Speak the protocol, for programs: uqi, isready, setoption, newgame, position, go, stop, quit."""
    from ..engine import Conversation
    from ..game import package_version

    if sys.stdin is None:
        raise click.ClickException("standard input is closed, expected commands a line")
    conversation = Conversation(
        sys.stdin.buffer, sys.stdout.buffer, lambda line: complain(f"qwirkle-fast: {line}"), package_version()
    )
    conversation.run()
