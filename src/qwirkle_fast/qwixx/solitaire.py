"""Qwixx for one player, solved: the table of values, kept in the user's cache, and what it answers.

The table is computed on first use, and again when the file is of another version or damaged.  The distribution of a
whole game's scores, which takes longest, comes with the package: ``tools/qwixx_distribution.py`` makes it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import platformdirs

from . import _distribution, _solitaire
from .notation import Dice, Mark, Sheet, format_choice
from .reference import score
from .rules import NUMBERS, Rules

#: Changes whenever the table's content or order does.
VERSION = 2
#: Entries that a thread solves at once.
CHUNK = 2048
#: The score at the first index of a native distribution: four penalties and no mark.
LOWEST = -20

#: The distributions of a whole game's scores, by the names of the rules; ``version`` is that of their table.
FILE = "distributions.json"

#: The chances of scores, the scores rising.
Distribution = list[tuple[int, float]]
#: Told how much of the work is done, and how much there is in all.
Progress = Callable[[int, int], None]

_log = logging.getLogger(__name__)


class Hint(NamedTuple):
    """A way to use a roll.

    ``value``: with one player the expected final score, with more the chance to win, a shared win counted as its
    share.  ``loss``: how much less that is than the best hint's.
    """

    action1: Mark | None
    action2: Mark | None
    value: float
    loss: float

    def line(self, *, alone: bool) -> str:
        """For people: points where one plays ``alone``, else chances in per cent."""
        marks = f"{format_choice(self.action1)} {format_choice(self.action2)}"
        return f"{marks} {self.value:.3f} -{self.loss:.3f}" if alone else f"{marks} {self.value:.1%} -{self.loss:.1%}"


class Solitaire:
    """The solved game of one player.  :meth:`load` gives it; it does not change, and threads may share it."""

    def __init__(self, values: npt.NDArray[np.float64], rules: Rules) -> None:
        self.rules = rules
        self._values = values
        self._solved = _solitaire.Solved(values, rules.finish_turn)

    @classmethod
    def load(
        cls, rules: Rules | None = None, *, progress: Progress | None = None, threads: int | None = None
    ) -> Solitaire:
        """The solved game, which a process has once: from the user's cache, or else solved now, in some seconds, and
        put there.

        A cache that cannot be read or written is done without.  The latter is logged as a warning, which without any
        logging set up is a line on standard error: the next process has to solve the game again.
        """
        rules = rules or Rules()
        with _loading:
            if rules not in _loaded:
                _loaded[rules] = cls(_values(rules, progress, threads), rules)
            return _loaded[rules]

    def value(self, sheet: Sheet) -> float:
        """The expected final score under best play, before the roll; the score itself when the game is over.

        >>> round(Solitaire.load().value(Sheet()), 6)
        115.483126
        """
        return score(sheet) + self._solved.value(state_of(sheet))

    def distribution(self, sheet: Sheet, *, progress: Progress | None = None) -> Distribution:
        """The chances of the final scores under best play, the scores rising; every score that is possible is there.

        Of choices equally good the one is taken that the table's order brings first.  The empty sheet's is known; after
        the first mark it takes a long walk, of ten seconds or more, and ever less later in a game.
        """
        return whole_game(self.rules) if sheet == Sheet() else self.walked(sheet, progress=progress)

    def walked(self, sheet: Sheet, *, progress: Progress | None = None) -> Distribution:
        """The distribution by the walk, also where it is known."""
        walk = _distribution.Walk(self._values, self.rules.finish_turn, state_of(sheet))
        entries = _distribution.entries()
        begin = walk.level
        with ThreadPoolExecutor(_distribution.PARTS) as pool:
            for level in range(begin, len(entries)):
                list(pool.map(partial(walk.step, level), range(_distribution.PARTS)))
                if progress:
                    progress(sum(entries[begin : level + 1]), sum(entries[begin:]))
        chances = walk.distribution()
        shift = score(sheet) + LOWEST
        return [(int(index) + shift, float(chances[index])) for index in np.flatnonzero(chances)]

    def hints(
        self, sheet: Sheet, dice: Dice, *, active: bool = True, after: Mark | Literal[False] | None = False
    ) -> list[Hint]:
        """Every different outcome of a roll, once, best first.

        ``active``: when false, without action 2 and without a penalty.  ``after``: unless ``False``, what was done in
        action 1, the mark being on the sheet already; the answers are for action 2 alone.  Of two ways to the same
        sheet the one with more marks in action 1 stands for both, then the one whose mark there is in the upper row.
        """
        stage = 0 if after is False else 2 if after is None else 1
        rolled = (*dice.white, *[face or 1 for face in dice.coloured])
        points = score(sheet)
        found = self._solved.choices(state_of(sheet), rolled, active, stage)
        best = found[0][3]
        return [
            Hint(
                after or (None if first < 0 else Mark(first, dice.sum)),
                None if second < 0 else Mark(second, NUMBERS[second][place - 1]),
                points + value,
                best - value,
            )
            for first, second, place, value in found
        ]


# What this process has loaded, and the lock of who loads: others wait for the same table.
_loaded: dict[Rules, Solitaire] = {}
_loading = Lock()


def whole_game(rules: Rules) -> Distribution:
    """The distribution of the empty sheet, without the table.

    >>> round(sum(score * chance for score, chance in whole_game(Rules())), 6)
    115.483126
    """
    content = msgspec.json.decode(files(__package__).joinpath(FILE).read_bytes())
    return [(score, chance) for score, chance in content[name_of(rules)]]


def state_of(sheet: Sheet) -> _solitaire.State:
    """A sheet as the native code takes it."""
    last = [NUMBERS[row].index(marks[-1]) + 1 if marks else 0 for row, (marks, _) in enumerate(sheet.rows)]
    closed = sum(row.closed << number for number, row in enumerate(sheet.rows))
    return last, [len(row.marks) for row in sheet.rows], closed, sheet.penalties


def solve(rules: Rules, *, progress: Progress | None = None, threads: int | None = None) -> npt.NDArray[np.float64]:
    """The table's values; all cores unless ``threads`` says how many."""
    low, high, starts = _solitaire.schedule()
    values = _solitaire.empty()

    def work(chunk: tuple[int, int]) -> None:
        _solitaire.solve(values, low, high, *chunk, rules.finish_turn)

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for start, stop in pairwise(starts):
            chunks = [(begin, min(begin + CHUNK, stop)) for begin in range(start, stop, CHUNK)]
            # The next level begins when this one is done.
            for _, end in zip(pool.map(work, chunks), (end for _, end in chunks), strict=True):
                if progress:
                    progress(end, starts[-1])
    return values


def _values(rules: Rules, progress: Progress | None, threads: int | None) -> npt.NDArray[np.float64]:
    path = cache_path(rules)
    values = _read(path, rules)
    if values is None:
        values = solve(rules, progress=progress, threads=threads)
        try:
            _write(path, values, rules)
        except OSError as error:
            why = error.strerror or type(error).__name__
            _log.warning(
                "qwirkle-fast: cache: %s: %s, expected a place to write; this run alone keeps the solved game",
                ascii(str(path))[1:-1],
                why,
            )
    return values


def cache_path(rules: Rules) -> Path:
    """Where the table of some rules is kept."""
    return platformdirs.user_cache_path("qwirkle-fast") / f"qwixx-solitaire-{name_of(rules)}.table"


def name_of(rules: Rules) -> str:
    """What files call the rules."""
    return "finish-turn" if rules.finish_turn else "at-once"


def _heading(content: bytes, rules: Rules) -> bytes:
    checksum = hashlib.sha256(content).hexdigest()
    return f"qwixx solitaire {name_of(rules)}, version {VERSION}, sha256 {checksum}\n".encode()


def _read(path: Path, rules: Rules) -> npt.NDArray[np.float64] | None:
    """The values in a file, or ``None`` where it is not there, of another version, or damaged."""
    heading = len(_heading(b"", rules))
    try:
        # What has another size is not read: it may be without end.
        if path.stat().st_size != heading + _solitaire.empty().nbytes:
            return None
        content = path.read_bytes()
    except OSError:
        return None
    if content[:heading] != _heading(content[heading:], rules):
        return None
    return np.frombuffer(content, "<f8", offset=heading).astype(np.float64)


def _write(path: Path, values: npt.NDArray[np.float64], rules: Rules) -> None:
    """All or nothing, however many do it at once and whenever they are stopped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f"{path.name}?*"):
        # Of one who was stopped; who is still at it does without.
        left.unlink()
    content = values.astype("<f8", copy=False).tobytes()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with open(handle, "wb") as file:
            file.write(_heading(content, rules))
            file.write(content)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
