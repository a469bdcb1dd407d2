"""The table of a match on a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table

from ..arena import Figures, Standings
from ..arena.standings import figures
from ..arena.statistics import Interval


def scoreboard(standings: Standings) -> RenderableType:
    """What is known of a match, with a table of ratings where there are more than two players."""
    match = standings.match
    parts: list[RenderableType] = [_first(standings)]
    if len(match.players) > 2:
        parts.append(_ratings(standings))
    if len(match.pairings) > 1:
        parts.append(_pairings(standings))
    return Group(*parts)


def _first(standings: Standings) -> Table:
    match = standings.match
    first = standings.first()
    others = match.names[1:] if len(match.names) > 1 else match.names
    table = Table(title=f"{match.names[0]} against {', '.join(others)}", title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column()
    blocks = f"{first.blocks} blocks, {first.differing_blocks} with games that differ"
    table.add_row(
        "games", f"{first.games} in {blocks}" + (f", and {loose} more" if (loose := _loose(standings)) else "")
    )
    table.add_row("wins, draws, losses", f"{first.wins}, {first.draws}, {first.losses}")
    if match.seats == 2:
        table.add_row("blocks by score 0 to 1", " ".join(map(str, first.counts)))
    table.add_row("score", "-" if first.score is None else f"{100 * first.score:.2f} %")
    table.add_row("margin", _with_error(first))
    table.add_row("Elo", with_interval(first.elo, first.elo_interval, _infinite(first)))
    table.add_row(
        "normalised Elo", with_interval(first.normalised_elo, first.normalised_elo_interval, _infinite(first))
    )
    if first.superiority is not None:
        table.add_row("likelihood of superiority", f"{100 * first.superiority:.2f} %")
    if standings.sprt and match.sprt:
        state, test = standings.sprt, match.sprt
        bounds = f"elo0={test.elo0:g}, elo1={test.elo1:g}, alpha={test.alpha:g}, beta={test.beta:g}"
        result = f"{state.result} accepted" if state.result else "goes on"
        table.add_row("SPRT", f"{bounds}: LLR {state.llr:.2f} ({state.lower:.2f} to {state.upper:.2f}), {result}")
    for player, reasons in standings.forfeits().items():
        words = {"time": "by time", "crash": "by crash", "illegal": "by illegal move"}
        table.add_row("ruled out", f"{player}: " + ", ".join(f"{n} {words[reason]}" for reason, n in reasons.items()))
    return table


def _loose(standings: Standings) -> int:
    return sum(standing.loose for standing in standings.pairings)


def _ratings(standings: Standings) -> Table:
    table = Table(title="ratings", title_justify="left")
    for name in ("player", "Elo", "95 % interval", "score", "blocks"):
        table.add_column(name, justify="left" if name == "player" else "right")
    for rating in standings.ratings():
        low, high = rating.elo_interval
        table.add_row(
            rating.player, f"{rating.elo:+.0f}", f"{low:+.0f} to {high:+.0f}", f"{100 * rating.score:.1f} %",
            str(rating.blocks),
        )  # fmt: skip
    return table


def _pairings(standings: Standings) -> Table:
    table = Table(title="tables", title_justify="left")
    for name in ("players", "wins", "draws", "losses", "margin", "Elo"):
        table.add_column(name, justify="left" if name == "players" else "right")
    for standing in standings.pairings:
        own = figures([standing])
        names = [standings.match.names[player] for player in standings.match.pairings[standing.pairing]]
        table.add_row(
            ", ".join(names), str(own.wins), str(own.draws), str(own.losses), _with_error(own),
            with_interval(own.elo, own.elo_interval, _infinite(own)),
        )  # fmt: skip
    return table


def _with_error(figures: Figures) -> str:
    if figures.margin is None:
        return "-"
    error = "" if figures.margin_stderr is None else f" ± {figures.margin_stderr:.2f}"
    return f"{figures.margin:+.2f}{error}"


def _infinite(figures: Figures) -> str:
    return "-" if figures.score is None else "+inf" if figures.score > 0.5 else "-inf"


def with_interval(value: float | None, interval: Interval, infinite: str) -> str:
    """A figure with its 95 % interval; ``infinite``: what to say where there is no number."""
    if value is None and interval == (None, None):
        return infinite
    ends = [sign if end is None else f"{end:+.1f}" for end, sign in zip(interval, ("-inf", "+inf"), strict=True)]
    return f"{infinite if value is None else f'{value:+.1f}'} ({' to '.join(ends)})"


def clock(seconds: float) -> str:
    """A time as hours, minutes and seconds.

    >>> clock(3723)
    '1:02:03'
    """
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
