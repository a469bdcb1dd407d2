"""The command that judges the turns of recorded games."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..game import Game
from . import one_line
from .batch import Answer, answer_file, colour_wanted, game_in
from .commands import DASHES, argument, json_option, write_file
from .searching import Progress, compile_search, limit_options, require_numba, seed_option

if TYPE_CHECKING:
    from ..search import Hint, Judgement

#: The width of the table where there is no terminal to ask.
WIDE = 160


@click.command(context_settings=DASHES)
@argument("game")
@limit_options
@seed_option
@click.option("--svg", metavar="FILE", help="Also draw the course of the game, of a file with one record.")
@json_option
def review(
    game: str,
    time: float | None,
    simulations: int | None,
    threads: int | None,
    seed: int,
    svg: str | None,
    as_json: bool,
) -> int:
    """Judge each turn of a game: the best move, what was played, and the points lost.

    GAME is a file with game records, one a line, or - for standard input.
    """
    if svg == "-":
        raise click.ClickException("--svg -: standard output has the answer, expected a file's name")
    require_numba("review")
    from ..search import review, review_json

    def answer(line: str) -> Answer:
        played = game_in(line)
        judged: list[Judgement] = []
        with Progress("reviewing") as progress:
            compile_search(tell=False)
            for judgement in review(played, time=time, simulations=simulations, threads=threads, seed=seed):
                judged.append(judgement)
                progress.tell(f"reviewing: {len(judged)} of {len(played.turns)} turns")
        if svg is not None:
            write_file("--svg", svg, chart(played, judged).encode())
        word = "" if judged else "no turn to review"
        return Answer(review_json(played, judged) if as_json else _table(played, judged), word=word)

    return answer_file(game, answer, as_json, "record", alone_for="--svg" if svg is not None else None)


def chart(game: Game, judged: Sequence[Judgement]) -> str:
    """The picture of a judged game, as the text of an SVG document."""
    from ..drawing import ChartTurn, game_chart_svg

    turns = [
        ChartTurn(
            one.seat, one.best.win or 0.0, one.lost, f"turn {one.turn + 1}, {game.names[one.seat]}: {_words(one)}"
        )
        for one in judged
    ]
    shares = [(seat in game.winners) / len(game.winners) for seat in range(game.players)] if game.is_over else []
    return game_chart_svg([one_line(name) for name in game.names], turns, shares)


def _words(judgement: Judgement) -> str:
    if judgement.best.move == judgement.move:
        return f"{judgement.move}, the best"
    return f"{judgement.move}, {judgement.lost:.1f} points lost against {judgement.best.move}"


def _table(game: Game, judged: Sequence[Judgement]) -> str:
    """The turns, and under them the players' totals."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ..search import Total

    names = [one_line(name) for name in game.names]
    turns = Table("turn", "player", "move", box=box.SIMPLE_HEAD)
    for heading in ("points", "lost", "win", "lost"):
        turns.add_column(heading, justify="right", no_wrap=True)
    turns.add_column("better")
    turns.add_column("and then")
    for one in judged:
        best = one.best.move == one.move
        turns.add_row(
            str(one.turn + 1),
            Text(names[one.seat]),
            str(one.move),
            str(one.score),
            "" if best else f"{one.lost:.1f}",
            f"{100 * (one.best.win or 0):.1f}%",
            "" if best else f"{100 * one.win_lost:.1f}%",
            "" if best else str(one.best.move),
            _reply(one.best),
        )
    totals = Table("player", box=box.SIMPLE_HEAD)
    for heading in ("points", "turns", "best played", "points lost", "a turn", "win lost"):
        totals.add_column(heading, justify="right")
    for seat, name in enumerate(names):
        total = Total.of([one for one in judged if one.seat == seat])
        totals.add_row(
            Text(name),
            str(game.scores[seat]),
            str(total.turns),
            str(total.best),
            f"{total.lost:.1f}",
            f"{total.lost / total.turns:.1f}" if total.turns else "",
            f"{100 * total.win_lost:.1f}%",
        )
    out = io.StringIO()
    terminal = sys.stdout.isatty()
    console = Console(file=out, width=None if terminal else WIDE, force_terminal=colour_wanted(), highlight=False)
    console.print(turns, totals)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip("\n")


def _reply(hint: Hint) -> str:
    if hint.reply:
        return str(hint.reply.move)
    return str(hint.line[1]) if len(hint.line) > 1 else ""
