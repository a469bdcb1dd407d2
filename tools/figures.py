"""Take the manual's figures of speed and strength: ``python tools/figures.py speed|strength|all``.

They go to ``docs/figures.json``, which the pages read; a part that is not taken now stays as it is, and a part is
written when it is complete.  Everything takes some 45 minutes on two cores, ``--quick`` a minute, for trying it out.
Leave the machine to it: what else runs there shows in the figures.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from endgames import ending, solve

import qwirkle_fast as qf
from qwirkle_fast import bench
from qwirkle_fast.arena import Match, run
from qwirkle_fast.arena.statistics import score_interval
from qwirkle_fast.search import warm_up

FILE = Path(__file__).parent.parent / "docs" / "figures.json"

#: Whole measurements of the rates; the pages show their middle and their range.
RUNS = 3

#: The figures of :func:`qwirkle_fast.bench.report`: in words, and what is counted each second.
RATES = {
    "enumerate_moves_per_second": ("every placement listed and scored", "placements"),
    "enumerate_positions_per_second": ("the same, by positions", "positions"),
    "best_move_positions_per_second": ("the best-scoring placement found", "positions"),
    "greedy_games_per_second": ("whole greedy games of two: dealt, played, scored", "games"),
    "rollout_plies_per_second": ("greedy play in the core", "moves"),
}
OTHERS = {
    "reference_positions_per_second": ("every placement listed by the plain-Python rules", "positions"),
    "qwixx_solitaire_games_per_second": ("Qwixx: whole games of one simple player", "games"),
    "qwixx_rollout_games_per_second": ("Qwixx: the search's rollouts of whole games of two", "games"),
    "qwixx_hints_per_second": ("Qwixx: exact hints for one player", "rolls"),
}

#: Where the search is timed: game and name in the bench's suite, and in words.
SEARCHED = {
    ("classic", "early-1"): "classic: the search, early in a game",
    ("classic", "middle-1"): "classic: the search, in the middle",
    ("flex", "early-1"): "Flex: the search, early in a game",
    ("flex", "middle-1"): "Flex: the search, in the middle",
}


class Pairing(NamedTuple):
    """A match: what the page calls its players, the arena's specs, and how many games."""

    words: str
    players: tuple[str, ...]
    games: int
    seats: int = 2
    rules: str = ""
    game: str = "qwirkle"


FAST, SLOW = "search:time=0.02,threads=1", "search:time=0.1,threads=1"
PAIRINGS = (
    Pairing("greedy against random", ("greedy", "random"), 200),
    Pairing("static against greedy", ("static", "greedy"), 2000),
    Pairing("search of 0.1 s against greedy", (SLOW, "greedy"), 600),
    Pairing("search of 1 s against greedy", ("search:time=1,threads=1", "greedy"), 60),
    Pairing("search of 0.1 s against static", (SLOW, "static"), 100),
    Pairing("search of 0.1 s against search of 0.02 s", (SLOW, FAST), 100),
    Pairing("static against greedy", ("static", "greedy"), 2000, rules="flex"),
    Pairing("search of 0.1 s against greedy", (SLOW, "greedy"), 200, rules="flex"),
    Pairing("search of 0.1 s against two greedy", (SLOW, "greedy"), 150, seats=3),
    Pairing("search of 0.1 s against three greedy", (SLOW, "greedy"), 200, seats=4),
    Pairing("solitaire against skip:2", ("solitaire", "skip:2"), 1000, game="qwixx"),
    Pairing("search of 0.05 s against skip:2", ("search:time=0.05", "skip:2"), 1000, game="qwixx"),
    Pairing("search of 0.05 s against three skip:2", ("search:time=0.05", "skip:2"), 160, seats=4, game="qwixx"),
)


def speed(quick: bool) -> dict[str, Any]:
    """Rates of one thread, with the range of several runs, and how soon endgames are solved."""
    found: list[dict[str, Any]] = []
    for number in range(RUNS):
        tell(f"speed: run {number + 1} of {RUNS}")
        rows = list(bench.comparisons(quick=quick))
        found.append({**bench.report(quick=quick, rows=rows), **simulations(quick)})
    rates = []
    for prefix, game in (("", "classic"), ("flex_", "Flex")):
        for name, (words, unit) in RATES.items():
            rates.append(rate(found, prefix + name, f"{game}: {words}", unit))
    rates += [rate(found, name, words, unit) for name, (words, unit) in OTHERS.items()]
    rates += [rate(found, " ".join(case), words, "simulations") for case, words in SEARCHED.items()]
    return {"rates": rates, "endgames": [endgames(rules, 10 if quick else 100) for rules in ("classic", "flex")]}


def rate(found: list[dict[str, Any]], name: str, words: str, unit: str) -> dict[str, Any]:
    values = sorted(float(row[name]) for row in found)
    return {"what": words, "unit": unit, "low": values[0], "middle": statistics.median(values), "high": values[-1]}


def simulations(quick: bool) -> dict[str, float]:
    """How many samples the search plays each second of one thread, by position of the bench's suite."""
    number = 1_000 if quick else 20_000
    texts = {(case.game, case.name): case.text for case in bench.suite()}
    answer = {}
    for case in SEARCHED:
        position = qf.Position(texts[case])
        start = time.perf_counter()
        hints = qf.hints(position, top=100, simulations=number, seed=1, threads=1)
        answer[" ".join(case)] = sum(hint.simulations for hint in hints) / (time.perf_counter() - start)
    return answer


def endgames(rules: str, games: int) -> dict[str, Any]:
    """Endgames of greedy games, the best move solved on one thread."""
    tell(f"speed: {games} endgames of {rules}")
    positions = filter(None, (ending(seed, rules) for seed in range(1, games + 1)))
    found = [solve(position) for position in positions]
    seconds = sorted(used if exact else float("inf") for exact, used, _ in found)
    within = sum(used <= 1 for used in seconds)
    middle = statistics.median(seconds)
    return {
        "rules": rules,
        "positions": len(found),
        "within_a_second": within,
        "median_seconds": middle if middle < float("inf") else None,
    }


def strength(quick: bool) -> dict[str, Any]:
    """Matches of whole blocks; the share of wins with its 95 % interval, and the margin with its own."""
    rows = []
    for pairing in PAIRINGS:
        games = 2 * pairing.seats if quick else pairing.games
        match = Match(pairing.players, seats=pairing.seats, games=games, rules=pairing.rules, game=pairing.game)
        tell(f"strength: {pairing.game} {match.rules} {pairing.words}, {games} games")
        figures = run(match, jobs=os.cpu_count() or 1).first()
        low, high = score_interval(figures.counts)
        rows.append(
            {
                "game": {"qwixx": "Qwixx", "flex": "Flex"}.get(match.rules, match.rules),
                "what": pairing.words,
                "players": list(pairing.players),
                "seats": pairing.seats,
                "games": figures.games,
                "first_places": figures.wins,
                "shared": figures.draws,
                "score": figures.score,
                "score_low": low,
                "score_high": high,
                "margin": figures.margin,
                "margin_error": None if figures.margin_stderr is None else 1.96 * figures.margin_stderr,
            }
        )
    return {"matches": rows}


PARTS: dict[str, Callable[[bool], dict[str, Any]]] = {"speed": speed, "strength": strength}


def taken(quick: bool) -> dict[str, Any]:
    """When, where and of what a part was taken."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "version": qf.game.package_version(),
        "quick": quick,
    }


def machine() -> str:
    """The processor's name where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor() or platform.machine()}, {platform.system()}"


def tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=(*PARTS, "all"))
    parser.add_argument("--quick", action="store_true", help="few games and short runs; the page says so")
    parser.add_argument("--file", type=Path, default=FILE, help="where the figures are kept")
    arguments = parser.parse_args()
    warm_up()
    for name in PARTS if arguments.part == "all" else (arguments.part,):
        part = {"taken": taken(arguments.quick), **PARTS[name](arguments.quick)}
        kept = json.loads(arguments.file.read_text(encoding="utf-8")) if arguments.file.exists() else {}
        text = json.dumps({**kept, name: part}, indent=1, sort_keys=True) + "\n"
        new = arguments.file.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.replace(arguments.file)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted: the part that was being taken stays as it was")
    except (OSError, ValueError) as error:
        sys.exit(f"figures: {error}")
