"""Play at the table: every choice of a roll judged by its chance to win, in many games played on from it.

All choices meet the same dice.  The fast player says which few may be best; in each round the worse half of those
falls out, so that most games go to the last ones.
"""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from threading import Event
from typing import Literal

from . import _players
from .notation import Dice, Mark, Sheet
from .outlook import outlook
from .reference import all_closed, is_over, marked, outcomes
from .rules import CELLS, NUMBERS, Rules
from .solitaire import Hint, state_of

#: Choices that may be best, by the fast player's judgement, and the games for each of the others.
LIKELY, FEW = 8, 8
#: That judgement: what a point is of a win, as how many games it counts, and how far behind a choice can be, points.
POINT, TRUST, MOST_BEHIND = 0.015, 200, 15
#: Games of each choice between two looks at the clock.
BATCH = 16
#: Games where there is but one choice, for its chance to win.
ONLY = 1000
#: Seconds after which a search without limits has found the last two choices.
SETTLED = 5.0
#: A win in the native sums.
WIN = 60


def judge(
    sheets: Sequence[Sheet],
    dice: Dice,
    *,
    seat: int,
    active: int,
    after: Mark | Literal[False] | None = False,
    rules: Rules,
    time: float | None = None,
    simulations: int | None = None,
    seed: int = 0,
    stop: Event | None = None,
) -> list[Hint]:
    """The choices of a seat, best first, with their chances to win.

    ``time`` in seconds and ``simulations``, the games in all, limit it; with simulations and no time the same seed
    gives the same answer on every machine.  ``stop`` ends it at once; with no other limit the last two choices are
    played on until then.
    """
    start = clock.perf_counter()
    choices = outcomes(sheets[seat], dice, active=seat == active, after=after, finish_turn=rules.finish_turn)
    rollouts = _rollouts(sheets, dice, choices, seat, active, after, rules)
    sums = rollouts.sums
    endless = time is None and simulations is None
    if len(choices) == 1:
        simulations, endless = ONLY, False
    elif endless:
        time = SETTLED
    stop = stop or Event()
    budget = simulations if simulations is not None else 1 << 60
    worths = rollouts.worths()
    alive = sorted(range(len(choices)), key=lambda index: -worths[index])
    most = worths[alive[0]]
    alive, others = alive[:LIKELY], alive[LIKELY:]
    rollouts.play(others, seed, 0, FEW)
    ends = [_ends(sheets, seat, choice) for choice in choices]
    ranked: list[int] = []
    rounds = max(1, (len(alive) - 1).bit_length())
    sample = 0

    def better(index: int) -> tuple[float, bool, float]:
        games = max(sums[index, 0], 1)
        win = sums[index, 1] / games / WIN
        # While games are few, the fast player's judgement has a say.
        trust = POINT * TRUST / games * max(worths[index] - most, -MOST_BEHIND)
        # A win that is there is better than one that is likely, and any other end than a loss that is there.
        return win + trust, ends[index] == (win > 0.5), sums[index, 2] / games

    for number in range(rounds):
        is_last = number == rounds - 1
        until = float("inf") if time is None or (endless and is_last) else start + time * (number + 1) / rounds
        spend = (number + 1) * budget // rounds
        while True:
            rollouts.play(alive, seed, sample, sample + BATCH)
            sample += BATCH
            if int(sums[:, 0].sum()) >= spend or clock.perf_counter() >= until or stop.is_set():
                break
        alive.sort(key=better, reverse=True)
        keep = (len(alive) + 1) // 2
        ranked = alive[keep:] + ranked
        alive = alive[:keep]
    ranked = alive + ranked + sorted(others, key=better, reverse=True)
    hints: list[Hint] = []
    for index in ranked:
        # Who fell out had fewer games, and no better ones than who stayed.
        win = float(sums[index, 1]) / max(int(sums[index, 0]), 1) / WIN
        win = min(win, hints[-1].value) if hints else win
        hints.append(Hint(*choices[index], win, hints[0].value - win if hints else 0.0))
    return hints


def _rollouts(
    sheets: Sequence[Sheet],
    dice: Dice,
    choices: list[tuple[Mark | None, Mark | None]],
    seat: int,
    active: int,
    after: Mark | Literal[False] | None,
    rules: Rules,
) -> _players.Rollouts:
    """The question as the native code takes it, which counts a lock as a mark."""
    states = [state_of(sheet) for sheet in sheets]
    return _players.Rollouts(
        [(last, [n + (at == CELLS) for at, n in zip(last, count, strict=True)], p) for last, count, _, p in states],
        states[seat][2],
        active,
        seat,
        (*dice.white, *[face or 1 for face in dice.coloured]),
        [
            (-1 if first is None else first.row, *((-1, 0) if second is None else (second.row, _place(second))))
            for first, second in choices
        ],
        outlook(len(sheets)),
        first_done=after is not False,
        marked=isinstance(after, Mark),
        finish_turn=rules.finish_turn,
    )


def _place(mark: Mark) -> int:
    return NUMBERS[mark.row].index(mark.number) + 1


def _ends(sheets: Sequence[Sheet], seat: int, choice: tuple[Mark | None, Mark | None]) -> bool:
    """Does this choice end the game, whatever the others do?"""
    sheet = sheets[seat]
    for mark in choice:
        if mark is not None and sheet.rows[mark.row].marks[-1:] != (mark.number,):
            sheet = marked(sheet, mark)
    return is_over(all_closed([*sheets[:seat], sheet, *sheets[seat + 1 :]]))
