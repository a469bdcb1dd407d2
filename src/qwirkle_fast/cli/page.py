"""A match as a page: its table and plots, all in one file of HTML."""

from __future__ import annotations

import html
import io

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from rich.console import Console

from ..arena.account import Account
from .scoreboard import scoreboard

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }}
pre {{ font: 14px/1.2 ui-monospace, monospace; overflow-x: auto }}
svg {{ max-width: 100%; height: auto }}
figcaption {{ color: #555 }}
</style>
<h1>{title}</h1>
<p>{about}</p>
<pre>{table}</pre>
{figures}
</html>
"""

#: Told apart by all eyes (Okabe and Ito).
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def page(account: Account) -> str:
    """The page of a match."""
    standings = account.standings
    match = standings.match
    console = Console(width=120, file=io.StringIO(), record=True, color_system=None)
    console.print(scoreboard(standings))
    about = f"{match.game}, {match.rules}, {match.seats} at a table, seed {match.seed}"
    figures = [_margins(account), _scores(account)]
    if standings.path:
        figures.append(_test(account))
    return _PAGE.format(
        title=html.escape(" – ".join(match.names)),
        about=html.escape(about),
        table=html.escape(console.export_text()),
        figures="\n".join(figures),
    )


def _figure(figure: Figure, caption: str) -> str:
    text = io.StringIO()
    FigureCanvasSVG(figure).print_svg(text, metadata={"Date": None})  # type: ignore[no-untyped-call]
    drawing = text.getvalue()
    return f"<figure>{drawing[drawing.index('<svg') :]}<figcaption>{html.escape(caption)}</figcaption></figure>"


def _margins(account: Account) -> str:
    figure = Figure(figsize=(8, 3.5), layout="constrained")
    axes = figure.subplots()
    margins = account.margins
    if margins:
        axes.hist(margins, bins=min(60, 1 + round(max(margins) - min(margins))), color=_COLOURS[0])
        axes.axvline(0, color="#222", linewidth=1)
        axes.axvline(sum(margins) / len(margins), color=_COLOURS[1], linestyle="--")
    axes.set(xlabel="margin", ylabel="games")
    name = account.standings.match.names[0]
    return _figure(figure, f"Margin of {name}: its points less the mean of the others', the mean as a broken line.")


def _scores(account: Account) -> str:
    figure = Figure(figsize=(8, 3.5), layout="constrained")
    axes = figure.subplots()
    for number, name in enumerate(account.standings.match.names):
        scores = account.score_by_turn(number)
        axes.plot(range(1, len(scores) + 1), scores, label=name, color=_COLOURS[number % len(_COLOURS)])
    axes.set(xlabel="own turn", ylabel="mean score")
    axes.legend()
    return _figure(figure, "Mean score after each of a player's turns; a game that is over keeps its score.")


def _test(account: Account) -> str:
    standings = account.standings
    figure = Figure(figsize=(8, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(range(1, len(standings.path) + 1), standings.path, color=_COLOURS[0])
    assert standings.sprt is not None
    for bound, name in ((standings.sprt.lower, "H0"), (standings.sprt.upper, "H1")):
        axes.axhline(bound, color=_COLOURS[1], linestyle="--")
        axes.annotate(name, (0, bound))
    axes.set(xlabel="blocks", ylabel="LLR")
    return _figure(figure, "Log-likelihood ratio of the test over the blocks, in their order, with its bounds.")
