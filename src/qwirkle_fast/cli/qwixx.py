"""``qwixx``: the commands for Qwixx."""

from __future__ import annotations

import re
import sys
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
import msgspec

from . import complain
from .searching import PATIENCE, seed_option
from .usage import Seconds

# The room is imported by the commands that need it, so that the others start sooner.
if TYPE_CHECKING:
    from ..qwixx import Hint, Progress, Solitaire

SOLVING = "solving the game for one player, once"

json_option = click.option("--json", "as_json", is_flag=True, help="Answer with a JSON object.")
finish_option = click.option(
    "--finish-turn", is_flag=True, help="Action 2 is played although the second row locked in action 1."
)


@click.group(no_args_is_help=False)
def qwixx() -> None:
    """Qwixx: what a sheet is worth, and the best use of a roll.

    SHEET is one player's sheet, such as R2,3,5/Y-/G12,11/B-/P1; TABLE is all players' sheets, joined by spaces.
    """


@qwixx.command()
@click.argument("sheet")
@finish_option
@json_option
def value(sheet: str, finish_turn: bool, as_json: bool) -> None:
    """The expected final score of a lone player under best play, before the roll.

    With --json the chance of every final score too.
    """
    from ..qwixx import NotationError, Sheet

    try:
        asked = Sheet.parse(sheet)
    except NotationError as error:
        raise click.ClickException(str(error)) from None
    solved = _solved(finish_turn)
    expected = solved.value(asked)
    if as_json:
        with _shown("following all that can happen") as progress:
            distribution = solved.distribution(asked, progress=progress)
        _print_json({"sheet": sheet, "value": expected, "distribution": distribution})
    else:
        click.echo(f"{expected:.6f}")


@qwixx.command()
@click.argument("table", metavar="SHEET-or-TABLE")
@click.option("--dice", required=True, help="The roll, such as W3,4/R2/Y5/G1/B6, without the dice that are out.")
@click.option("--seat", default=0, show_default=True, help="Who decides; the first seat is 0.")
@click.option("--active", default=0, show_default=True, help="Whose roll it is.")
@click.option("--after", metavar="CHOICE", help="What the seat did in action 1, a mark or -; asks for action 2 alone.")
@click.option(
    "--time", type=Seconds(), help="Seconds to think, at a table of two or more; 1 unless --simulations is given."
)
@click.option(
    "--simulations", type=click.IntRange(1, 10**15), help="Games to play on, in all; with a seed the answer is fixed."
)
@seed_option
@finish_option
@json_option
def hint(
    table: str,
    dice: str,
    seat: int,
    active: int,
    after: str | None,
    time: float | None,
    simulations: int | None,
    seed: int,
    finish_turn: bool,
    as_json: bool,
) -> None:
    """Rank the ways to use a roll.

    Alone by the expected final score, exactly; at a table by the chance to win.
    """
    from ..qwixx import Question, Rules

    try:
        question = Question.parse(table, dice, seat=seat, active=active, after=after, rules=Rules(finish_turn))
        with _shown(SOLVING) as progress:
            found = question.hints(time=time, simulations=simulations, seed=seed, progress=progress)
    except ValueError as error:
        # The room calls things by their names, which are those of the options.
        raise click.ClickException(re.sub(r"^(?=(seat|active|after|dice):)", "--", str(error))) from None
    if as_json:
        _print_json({"hints": [_object(hint) for hint in found]})
    elif found:
        click.echo("\n".join(hint.line(alone=len(question.sheets) == 1) for hint in found))
    if not found:
        complain("qwirkle-fast: the game is over")


def _object(hint: Hint) -> dict[str, object]:
    first, second = (None if mark is None else str(mark) for mark in (hint.action1, hint.action2))
    return {"action1": first, "action2": second, "value": hint.value, "loss": hint.loss}


def _print_json(value: object) -> None:
    click.echo(msgspec.json.encode(value))


def _solved(finish_turn: bool) -> Solitaire:
    from ..qwixx import Rules, Solitaire

    with _shown(SOLVING) as progress:
        return Solitaire.load(Rules(finish_turn), progress=progress)


@contextmanager
def _shown(word: str) -> Iterator[Progress]:
    """Once it takes over :data:`PATIENCE`: a progress bar on standard error where that is a terminal, else a line
    there."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), transient=True) if sys.stderr and sys.stderr.isatty() else None
    begin = clock.monotonic()
    shown = False

    def show(done: int, total: int) -> None:
        nonlocal shown
        if not shown and clock.monotonic() > begin + PATIENCE:
            shown = True
            if bar:
                bar.add_task(word)
                bar.start()
            else:
                complain(f"qwirkle-fast: {word}: some seconds")
        if bar and shown:
            bar.update(bar.task_ids[0], completed=done, total=total)

    try:
        yield show
    finally:
        if bar:
            bar.stop()


@qwixx.command()
@click.option("--players", default=2, show_default=True, type=click.IntRange(1, 5), help="You and the others.")
@click.option("--seat", default=1, show_default=True, type=click.IntRange(1, 5), help="Yours; 1 is the first.")
@click.option(
    "--opponent",
    default="search",
    show_default=True,
    type=click.Choice(["search", "solitaire", "skip:2", "random"]),
    help="Who the others are.",
)
@click.option("--seed", type=click.IntRange(0, (1 << 64) - 1), help="Fixes the dice; drawn by lot unless said.")
@click.option(
    "--time",
    default=1.0,
    show_default=True,
    type=Seconds(),
    help="Seconds for each decision of search, and for hint.",
)
@finish_option
def play(players: int, seat: int, opponent: str, seed: int | None, time: float, finish_turn: bool) -> None:
    """Play in the terminal.

    Type a mark such as R7, or - for none; the word help tells what else.
    """
    from .qwixx_play import Session

    if seat > players:
        raise click.ClickException(f"--seat: {seat}, expected 1 to {players}, for --players is {players}")
    if sys.stdin is None:
        raise click.ClickException("standard input is closed, expected marks")
    try:
        Session(players, seat - 1, opponent, seed, time, finish_turn, lambda: _solved(finish_turn)).run()
    except KeyboardInterrupt:
        click.echo()
        raise
