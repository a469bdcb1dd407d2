"""``qwixx``: the commands for Qwixx."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
import msgspec

from . import complain
from .usage import Seconds

# The room is imported by the commands that need it, so that the others start sooner.
if TYPE_CHECKING:
    from ..qwixx import Hint, Progress, Solitaire

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
        _print_json({"sheet": sheet, "value": expected, "distribution": solved.distribution(asked)})
    else:
        click.echo(f"{expected:.6f}")


@qwixx.command()
@click.argument("table", metavar="SHEET-or-TABLE")
@click.option("--dice", required=True, help="The roll, such as W3,4/R2/Y5/G1/B6, without the dice that are out.")
@click.option("--seat", default=0, show_default=True, help="Who decides; the first seat is 0.")
@click.option("--active", default=0, show_default=True, help="Whose roll it is.")
@click.option("--after", metavar="CHOICE", help="What the seat did in action 1, a mark or -; asks for action 2 alone.")
@click.option(
    "--time",
    default=1.0,
    show_default=True,
    type=Seconds(),
    help="Seconds to think, at a table of two or more.",
)
@finish_option
@json_option
def hint(
    table: str,
    dice: str,
    seat: int,
    active: int,
    after: str | None,
    time: float,
    finish_turn: bool,
    as_json: bool,
) -> None:
    """Rank the ways to use a roll.

    Alone by the expected final score, exactly; at a table by the chance to win.
    """
    from ..qwixx import Question, Rules

    try:
        question = Question.parse(table, dice, seat=seat, active=active, after=after, rules=Rules(finish_turn))
        found = question.hints(time=time, solitaire=lambda: _solved(finish_turn))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        _print_json({"hints": [_object(hint) for hint in found]})
    elif found:
        click.echo("\n".join(hint.line(alone=len(question.sheets) == 1) for hint in found))
    if not found:
        complain(f"qwirkle-fast: {question.why_nothing}")


def _object(hint: Hint) -> dict[str, object]:
    first, second = (None if mark is None else str(mark) for mark in (hint.action1, hint.action2))
    return {"action1": first, "action2": second, "value": hint.value, "loss": hint.loss}


def _print_json(value: object) -> None:
    click.echo(msgspec.json.encode(value))


def _solved(finish_turn: bool) -> Solitaire:
    from ..qwixx import Rules, Solitaire

    with _shown() as progress:
        return Solitaire.load(Rules(finish_turn), progress=progress)


@contextmanager
def _shown() -> Iterator[Progress]:
    """A progress bar on standard error where that is a terminal, else a line there; nothing when nothing is solved."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    word = "solving the game for one player, once"
    if not (sys.stderr and sys.stderr.isatty()):
        told: list[bool] = []

        def tell(done: int, total: int) -> None:
            if not told:
                told.append(True)
                complain(f"qwirkle-fast: {word}: some seconds")

        yield tell
        return
    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = None

        def show(done: int, total: int) -> None:
            nonlocal task
            if task is None:
                task = bar.add_task(word, total=total)
            bar.update(task, completed=done)

        yield show


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
        raise click.ClickException(f"--seat {seat}: no such seat, expected one of {players}")
    if sys.stdin is None:
        raise click.ClickException("standard input is closed, expected marks")
    try:
        Session(players, seat - 1, opponent, seed, time, finish_turn, lambda: _solved(finish_turn)).run()
    except KeyboardInterrupt:
        click.echo()
        raise
