"""``match``: who is stronger."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

import click
import msgspec

from .searching import compile_search, require_numba

# The arena is imported by the commands that need it, so that the others start sooner.
if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..arena import Match, Sprt, Standings

#: Players that need the search to be compiled, which is better done once than by every worker.
SEARCHING = ("search", "static")

#: Columns of a table that is not for a terminal.
WIDTH = 120

#: Seconds between two looks at a running match.
LOOK = 0.3


def _sprt(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Sprt | None:
    if value is None:
        return None
    from ..arena import Sprt

    expected = "elo0=NUMBER,elo1=NUMBER and, if wanted, alpha=CHANCE,beta=CHANCE"
    numbers: dict[str, float] = {}
    for part in value.split(","):
        name, _, text = part.partition("=")
        try:
            if name not in ("elo0", "elo1", "alpha", "beta") or name in numbers:
                raise ValueError
            numbers[name] = float(text)
        except ValueError:
            raise click.ClickException(f"--sprt {value!r}: {part!r} is out of place, expected {expected}") from None
    if not {"elo0", "elo1"} <= numbers.keys():
        raise click.ClickException(f"--sprt {value!r}: no elo0 or no elo1, expected {expected}")
    try:
        return Sprt(**numbers)
    except ValueError as error:
        raise click.ClickException(f"--{error}") from None


@click.command()
@click.argument("players", nargs=-1, required=True, metavar="A B [C...]")
@click.option("--games", type=click.IntRange(1, 10**9), help="Games of each table; 100 unless said or --sprt is given.")
@click.option("--sprt", callback=_sprt, metavar="elo0=0,elo1=10", help="Play until this test ends; alpha, beta: 0.05.")
@click.option("--players", "seats", default=2, show_default=True, help="How many sit at a table.")
@click.option("--gauntlet", is_flag=True, help="The first against all others, instead of all against all.")
@click.option("--game", default="qwirkle", show_default=True, help="The game.")
@click.option("--rules", default="", help="Its rules, as in a position: classic, flex, flex;tiles=starter.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Fixes every deal.")
@click.option("--jobs", type=click.IntRange(1, 1024), help="Games at once, each in a process; 1 unless said.")
@click.option("--cluster", "address", metavar="tcp://HOST:PORT", help="Play on a dask.distributed cluster.")
@click.option("--out", metavar="DIR", help="Write every game there; go on with the match that is there.")
@click.option("--move-time", default=1.0, show_default=True, help="Seconds for a move of a program.")
@click.option("--grace", default=0.5, show_default=True, help="Seconds more before it loses by time.")
@click.option("--start-time", default=30.0, show_default=True, help="Seconds for a program to start.")
@click.option("--json", "as_json", is_flag=True, help="End with one JSON object.")
def match(
    players: tuple[str, ...],
    games: int | None,
    sprt: Sprt | None,
    seats: int,
    gauntlet: bool,
    game: str,
    rules: str,
    seed: int,
    jobs: int | None,
    address: str | None,
    out: str | None,
    move_time: float,
    grace: float,
    start_time: float,
    as_json: bool,
) -> None:
    """Play A against B, or all of many players against each other, and say who is stronger.

    One player alone plays against itself.

    A player is random, greedy, static, search:time=0.1, search:simulations=2000,threads=1 or cmd:COMMAND, a program
    that speaks the protocol; with --game qwixx random, skip:2, solitaire or search.  Games are played in blocks: one
    deal, with every player in every seat.
    """
    from ..arena import Limits, Match, run
    from ..arena.executors import WorkersLost

    if out == "":
        raise click.ClickException("out: '', expected a folder")
    try:
        limits = Limits(move_time, grace, start_time)
        asked = Match(players, seats, games, sprt, seed, rules, game, gauntlet, limits)
        if address is None and game == "qwirkle" and any(player.split(":")[0] in SEARCHING for player in players):
            require_numba("match")
            compile_search()
        with _stoppable(), _workers(address) as (executor, threads), _watched(asked) as watch:
            standings = run(asked, jobs=jobs or threads, executor=executor, out=out, watch=watch)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except WorkersLost as error:
        again = "the same command again" if out else "--out DIR, to go on after this"
        raise click.ClickException(f"match: {error}, expected workers that stay: try {again}") from None
    answer(standings, as_json)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Whoever ends the process, or closes its terminal, ends the match as Ctrl-C does."""

    def stop(number: int, frame: object) -> None:
        # Once is enough: the end takes a moment.
        for name in names:
            signal.signal(name, signal.SIG_IGN)
        raise KeyboardInterrupt

    signals = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    # What is ignored already, as by nohup, stays so.
    names = [name for name in signals if signal.getsignal(name) is not signal.SIG_IGN]
    before = {name: signal.signal(name, stop) for name in names}
    try:
        yield
    finally:
        for name in names:
            signal.signal(name, before[name])


@contextmanager
def _workers(address: str | None) -> Iterator[tuple[Executor | None, int]]:
    if address is None:
        yield None, 1
    else:
        from ..arena.executors import cluster

        with cluster(address) as workers:
            yield workers


def answer(standings: Standings, as_json: bool) -> None:
    """Print what is known of a match."""
    if as_json:
        click.echo(msgspec.json.encode(standings.to_json()))
        return
    from rich.console import Console

    from .scoreboard import scoreboard

    # What is not a terminal has no width of its own.
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    console.print(scoreboard(standings))


@contextmanager
def _watched(match: Match) -> Iterator[Callable[[Standings], None] | None]:
    """A live table on standard error, when that is a terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    from .scoreboard import clock, scoreboard

    start = last = monotonic()
    before: int | None = None
    wanted = match.blocks and match.blocks * match.seats * len(match.pairings)

    def watch(standings: Standings) -> None:
        nonlocal last, before
        before = standings.games if before is None else before
        now = monotonic()
        if now - last < LOOK:
            return
        last = now
        rate = (standings.games - before) / (now - start)
        parts = [f"{standings.games}" + (f" of {wanted}" if wanted else "") + " games", f"{rate:.1f} games/s"]
        parts.append(f"{clock(now - start)} gone")
        if wanted and rate:
            parts.append(f"{clock((wanted - standings.games) / rate)} left")
        live.update(Group(scoreboard(standings), Text("  ".join(parts))))

    with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:
        yield watch
