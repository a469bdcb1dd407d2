"""The directive ``{figures} NAME``: a table of ``figures.json``, which ``tools/figures.py`` takes.

No figure of speed or strength is typed by hand: pages say what is shown, and the file has the rest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FILE = Path(__file__).with_name("figures.json")


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown; all columns but the first are figures."""
    head = list(head)
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def rounded(value: float) -> str:
    """Three digits that count."""
    return f"{float(f'{value:.3g}'):,g}" if abs(value) < 100 else f"{int(float(f'{value:.3g}')):,}"


def taken(part: dict[str, Any]) -> str:
    of = part["taken"]
    words = f"Taken on {of['date']} with version {of['version']}: {of['machine']}, {of['cores']} cores"
    return f"{words}, Python {of['python']}." + (
        " **A quick run, for trying out: it says little.**" if of["quick"] else ""
    )


def rates(speed: dict[str, Any]) -> str:
    head = ("one thread", "each second", "from", "to")
    rows = [
        (row["what"], f"{rounded(row['middle'])} {row['unit']}", rounded(row["low"]), rounded(row["high"]))
        for row in speed["rates"]
    ]
    return table(head, rows)


def endgames(speed: dict[str, Any]) -> str:
    head = ("rules", "endgames", "solved within a second", "median")
    rows = []
    for row in speed["endgames"]:
        median = "-" if row["median_seconds"] is None else f"{rounded(row['median_seconds'])} s"
        rows.append((row["rules"], row["positions"], row["within_a_second"], median))
    return table(head, rows)


def matches(strength: dict[str, Any]) -> str:
    head = ("game and players", "seats", "games", "score, 95 % interval", "margin a game")
    rows = []
    for row in strength["matches"]:
        low, middle, high = (f"{100 * row[name]:.1f}" for name in ("score_low", "score", "score_high"))
        margin = "-" if row["margin"] is None else f"{row['margin']:+.1f}"
        if row["margin_error"] is not None:
            margin += f" ± {row['margin_error']:.1f}"
        players, score = f"{row['game']}: {row['what']}", f"{middle} % ({low} to {high})"
        rows.append((players, row["seats"], row["games"], score, margin))
    return table(head, rows)


TABLES: dict[str, tuple[str, Callable[[dict[str, Any]], str]]] = {
    "speed-taken": ("speed", taken),
    "rates": ("speed", rates),
    "endgames": ("speed", endgames),
    "strength-taken": ("strength", taken),
    "matches": ("strength", matches),
}


class Figures(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in TABLES:
            raise self.error(f"figures: {name}, expected {', '.join(TABLES)}")
        part, make = TABLES[name]
        self.env.note_dependency(str(FILE))
        return self.parse_text_to_nodes(make(json.loads(FILE.read_text(encoding="utf-8"))[part]))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("figures", Figures)
    return {"parallel_read_safe": True}
