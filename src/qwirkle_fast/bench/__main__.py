"""``python -m qwirkle_fast.bench [--json] [--quick]``."""

import sys

import click
import msgspec

from . import comparisons, report


@click.command(context_settings={"help_option_names": ["--help"]})
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quick", is_flag=True, help="Measure for a few seconds only.")
def bench(as_json: bool, quick: bool) -> None:
    """Measure the core, and the reference beside it."""
    rows = list(comparisons(quick=quick))
    found = report(quick=quick, rows=rows)
    if as_json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
        return

    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table("game", "position", title="Every placement: the core beside the reference")
    for name in ("moves", "core µs", "reference µs", "ratio"):
        table.add_column(name, justify="right")
    for row in rows:
        cells = (f"{row.moves:,}", f"{row.native * 1e6:,.1f}", f"{row.plain * 1e6:,.0f}")
        table.add_row(row.case.game, row.case.name, *cells, f"{row.plain / row.native:,.0f}")
    console.print(table)
    figures = Table("figure", title="Rates, one thread, median of five")
    figures.add_column("value", justify="right")
    for key, value in found.items():
        figures.add_row(key, f"{value:,}" if isinstance(value, int | float) else str(value))
    console.print(figures)


if __name__ == "__main__":
    from ..cli import run

    sys.exit(run(bench, name="python -m qwirkle_fast.bench"))
