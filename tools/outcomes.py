"""Measure how far a game can still turn: ``python tools/outcomes.py > src/qwirkle_fast/search/outcomes.json``.

Greedy games from fixed seeds; at every turn, the tiles left in the bag and all hands, and how the margin of the player
to move over each other one changes from there to the end.  For each game and number of players a least-squares line
through the squared changes about their mean gives the variance, ``base + slope * tiles``.  About two minutes.
"""

from __future__ import annotations

import json

import numpy as np

import qwirkle_fast as qf

GAMES = 160


def changes(rules: str, players: int) -> np.ndarray:
    """Rows of (tiles left, change of the mover's margin over another until the end)."""
    rows = []
    for seed in range(GAMES):
        game = qf.Game(seed, players, rules)
        seen = []
        while not game.is_over:
            position = game.position
            seen.append((game.seat, len(game.bag) + sum(map(len, game.hands)), game.scores))
            game.play(position.legal_moves.best() or (position.exchanges or [qf.Move.skip()])[-1])
        for seat, left, scores in seen:
            gained = [end - now for end, now in zip(game.scores, scores, strict=True)]
            rows += [(left, gained[seat] - gained[other]) for other in range(players) if other != seat]
    return np.array(rows, float)


def main() -> None:
    found: dict[str, dict[str, dict[str, float]]] = {}
    for rules in ("classic", "flex"):
        found[rules] = {}
        for players in range(2, 7):
            left, change = changes(rules, players).T
            slope, base = np.polyfit(left, (change - change.mean()) ** 2, 1)
            found[rules][str(players)] = {
                "base": round(max(float(base), 20.0), 1),
                "slope": round(float(slope), 2),
            }
    print(json.dumps({"version": 2, **found}, indent=1))


if __name__ == "__main__":
    main()
