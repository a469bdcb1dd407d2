"""What the commands that search have in common: their limits, the first compilation, and a word on what is going on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Event, Thread, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from . import complain, interrupted
from .usage import Seconds

if TYPE_CHECKING:
    from rich.status import Status

#: Seconds after which a user wants to know what is going on.
PATIENCE = 1.0


_LIMITS = (
    click.option(
        "--time",
        type=Seconds(),
        help="Seconds for each move; 1 unless --simulations is given.",
    ),
    click.option(
        "--simulations",
        type=click.IntRange(1, 10**15),
        help="Simulations for each move; with a seed the answer is fixed.",
    ),
    click.option("--threads", type=click.IntRange(1, 1024), help="Threads; all cores unless said."),
)
#: Its option on its own: a game's seed has another meaning.
seed_option = click.option("--seed", type=int, default=0, show_default=True, help="Seed of the simulations.")


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How long a search may take: ``time``, ``simulations`` and ``threads``."""
    for option in reversed(_LIMITS):
        command = option(command)
    return command


def require_numba(name: str) -> None:
    """Refuse a command where the search cannot be imported."""
    try:
        from .. import search  # noqa: F401
    except ImportError as error:
        raise click.ClickException(f"{name}: {error}") from None


def compile_search(*, tell: bool = True) -> None:
    """Have the search compiled, which takes some seconds the first time on a machine; that is told, if wanted.

    In a batch it is not: the lines on standard error there are about its input.
    """
    from ..search import warm_up
    from ..search.native import compiling

    _in_background(warm_up, "compiling the search for this machine, once: some seconds", compiling if tell else None)


def _in_background(work: Callable[[], None], word: str, slow: Event | None) -> None:
    """Do work that cannot be broken off, such as compiling, in a thread, so that Ctrl-C ends the program at once.

    ``word`` is said once ``slow`` is set.
    """
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            if slow is not None and slow.is_set():
                complain(f"qwirkle-fast: {word}")
                slow = None
    except KeyboardInterrupt:
        # The thread would hold up an orderly end.
        os._exit(interrupted("qwirkle-fast"))
    if failed:
        raise failed[0]


class Progress:
    """A line on a terminal's standard error that says what takes so long, once it takes over :data:`PATIENCE`.

    It goes when the work is done.  Nothing is ever said where standard error is no terminal.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._status: Status | None = None
        self._timer = Timer(PATIENCE, self._show)
        self._timer.daemon = True

    def __enter__(self) -> Progress:
        if sys.stderr is not None and sys.stderr.isatty():
            self._timer.start()
        return self

    def tell(self, text: str) -> None:
        """How far it has come."""
        self._text = text
        if self._status:
            self._status.update(text)

    def _show(self) -> None:
        from rich.console import Console

        status = Console(stderr=True).status(self._text)
        status.start()
        self._status = status

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._timer.cancel()
        if self._timer.is_alive():
            self._timer.join()
        if self._status:
            self._status.stop()
