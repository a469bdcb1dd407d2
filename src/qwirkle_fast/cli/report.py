"""``report``: what a match has come to, on the terminal or as a page with plots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .batch import reason
from .match import answer

if TYPE_CHECKING:
    from ..arena.account import Account


@click.command()
@click.argument("directory", metavar="DIR")
@click.option(
    "--html",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Write a page with plots; DIR/report.html unless said.",
)
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")
def report(directory: str, html: str | None, as_json: bool) -> None:
    """Say what the match in DIR has come to, also while it goes on."""
    from ..arena.account import read_account, read_standings

    folder = Path(directory)
    try:
        if html is None:
            standings = read_standings(folder)
        else:
            account = read_account(folder)
            standings = account.standings
            _write_page(account, Path(html) if html else folder / "report.html")
    except ValueError as error:
        raise click.ClickException(f"report: {error}") from None
    answer(standings, as_json)


def _write_page(account: Account, path: Path) -> None:
    try:
        from .page import page
    except ImportError as error:
        raise click.ClickException(
            f"report: no matplotlib here ({error}), expected the extra: qwirkle-fast[plots]"
        ) from None
    try:
        path.write_text(page(account), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(
            f"--html {str(path)!r}: cannot be written ({reason(error)}), expected a file's name"
        ) from None
