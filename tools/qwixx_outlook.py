"""Make the fast Qwixx player's outlooks: ``python tools/qwixx_outlook.py`` writes ``outlook.json`` of the package.

The player plays against itself and against ``skip:2``; what the rows still brought in those games is the next outlook,
averaged with the last.  A first guess by hand begins it.  Takes some minutes.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt

from qwirkle_fast.qwixx import _players
from qwirkle_fast.qwixx.outlook import FILE, SHAPE, UNIT

#: Rounds, and games of each company in a round.
ROUNDS, GAMES = 7, 16_000
#: What is still to come counts for so much of its average, since others may end the game before: best by trial.
PRESSURE = 0.7
#: The chance that a turn is played blindly, and the games' worth of trust in the last outlook.
DARING, TRUST = 0.03, 20


def first_guess() -> npt.NDArray[np.float32]:
    """A row gains a mark now and then while the game lasts, and each is worth more than the last."""
    closed, stretch, place, marks = np.indices(SHAPE)
    more = np.minimum(10 - place, (10 - stretch) * 0.45) * 0.6
    return (more * (marks + 1 + more / 2) * np.where(closed, 0.7, 1)).astype(np.float32).reshape(-1)


def companies(players: int) -> list[list[_players.Native]]:
    """Who sits with the player: itself everywhere, or in one seat after another itself among ``skip:2``."""
    alone: list[list[_players.Native]] = [
        ["fast" if seat == mine else 2 for seat in range(players)] for mine in range(players)
    ]
    return [["fast"] * players, *alone]


def train(players: int) -> npt.NDArray[np.float32]:
    outlook = first_guess()
    for number in range(ROUNDS):
        sums, counts = np.zeros(outlook.size), np.zeros(outlook.size, np.int64)
        for index, company in enumerate(companies(players)):
            seed = (number * 10 + index) * GAMES
            _players.outlook_games(company, seed, GAMES, outlook, DARING, sums, counts)
        found = (sums + TRUST * outlook) / (counts + TRUST)
        outlook = ((outlook + found) / 2).astype(np.float32)
    return outlook


def share(players: int, outlook: npt.NDArray[np.float32]) -> float:
    """The first seat's part of the wins among ``skip:2``."""
    company: list[_players.Native] = ["fast", *[2] * (players - 1)]
    scores, _ = _players.games(company, 10**9, 5000, outlook=outlook)
    best = scores == scores.max(1, keepdims=True)
    return float((best[:, 0] / best.sum(1)).mean())


def main() -> None:
    tables = {}
    for players in range(2, 6):
        outlook = PRESSURE * train(players)
        print(
            f"{players} players: {share(players, outlook):.1%} of the wins in the first seat among skip:2", flush=True
        )
        tables[str(players)] = np.rint(outlook / UNIT).astype(int).tolist()
    target = Path("src/qwirkle_fast/qwixx") / FILE
    target.write_text(json.dumps(tables, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
