"""A match's folder: ``match.json`` says what is played, ``games.jsonl`` has a game a line, written as it ends.

The folder is all that a match needs to go on after it was broken off at any instant: what is missing is played, what is
there is not played again.  A line that was cut off is dropped, and its game is played again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from ..game import package_version
from .games import FORFEIT
from .match import Key, Match
from .statistics import Sprt

MATCH, GAMES = "match.json", "games.jsonl"

#: Under which name versions have that of this package.
PACKAGE = "qwirkle_fast"


class PlayedTurn(msgspec.Struct, gc=False):
    """Of a turn's record, what an account needs."""

    seat: int
    score: int


class MadeTurn(PlayedTurn, gc=False):
    """What plays a turn again."""

    move: str


class RuledOut(msgspec.Struct, gc=False):
    """Who was ruled out, and why."""

    seat: int
    reason: Literal["time", "crash", "illegal"]
    detail: str = ""


class Played(msgspec.Struct, gc=False):
    """Of a game's record, what the tables need and what is looked at."""

    pairing: int
    block: int
    game: int
    rules: msgspec.Raw
    seed: int
    players: list[str]
    turns: msgspec.Raw
    scores: list[int]
    end: str
    forfeit: RuledOut | None
    times: list[Annotated[float, msgspec.Meta(ge=0)]]
    versions: dict[str, Annotated[str, msgspec.Meta(min_length=1)]]

    @property
    def key(self) -> Key:
        return Key(self.pairing, self.block, self.game)


decode_game = msgspec.json.Decoder(Played).decode
decode_turns = msgspec.json.Decoder(list[PlayedTurn]).decode
_decode_made = msgspec.json.Decoder(list[MadeTurn]).decode


class Folder:
    """A match's folder, held by one process at a time.  Raises ``ValueError`` for one that is not this match's."""

    def __init__(self, path: str | os.PathLike[str], match: Match) -> None:
        self.path = Path(path)
        self._match = match
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._file = open(self.path / GAMES, "a+b", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:
            raise ValueError(f"--out {str(path)!r}: {_why(error)}, expected a folder to write to") from None
        try:
            _hold(self._file.fileno(), self.path)
            _agree(self.path, match)
            self._cut()
        except BaseException:
            self._file.close()
            raise

    def _cut(self) -> None:
        """Drop a line that was not finished."""
        size = end = self._file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - (1 << 16))
            self._file.seek(start)
            found = self._file.read(end - start).rfind(b"\n")
            if found >= 0:
                end = start + found + 1
                break
            end = start
        if end < size:
            self._file.truncate(end)

    def games(self) -> Iterator[Played]:
        """The games that are there."""
        return read_games(self.path, self._match)

    def write(self, lines: Sequence[bytes]) -> None:
        """Add games, each a line, at once."""
        data = memoryview(b"".join(lines))
        while data:
            data = data[self._file.write(data) :]

    def keep_blocks(self, blocks: int) -> None:
        """Drop the games of later blocks: the test had ended the match before them, and only the number of workers
        says how many there are."""
        path = self.path / (GAMES + ".new")
        with open(self.path / GAMES, "rb") as old, open(path, "wb") as new:
            for line in old:
                if decode_game(line).block < blocks:
                    new.write(line)
        os.replace(path, self.path / GAMES)

    def close(self) -> None:
        self._file.close()


def read_games(path: Path, match: Match) -> Iterator[Played]:
    """The games of a match's folder; a last line without an end is left out.

    Raises ``ValueError`` for a line that is none of its games, or a game that cannot have ended so.
    """
    check = Check(match, _version(path))
    with open(path / GAMES, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                played = decode_game(line)
                check(played)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise ValueError(f"{path / GAMES}: line {number}: {error}, expected a game's record") from None
            except ValueError as error:
                raise ValueError(f"{path / GAMES}: line {number}: {error}") from None
            yield played


class Check:
    """Is a record one that its match could have written, and the first of its game?  Raises ``ValueError`` when not.

    The game is not played again, but the points of its turns must add up to its scores; only where they do not, because
    a player was ruled out in the middle of an action, is it played again up to there.  ``version``: the package's that
    wrote the match.
    """

    def __init__(self, match: Match, version: str) -> None:
        self._match = match
        self._versions = {PACKAGE: version}
        first = match.kind.deal(match.deal(Key(0, 0, 0)))
        self._rules = msgspec.to_builtins(first.record()["rules"])
        self._ends = {**match.kind.ends, FORFEIT: 0}
        self._known: set[Key] = set()

    def __call__(self, played: Played) -> None:
        match, key = self._match, played.key
        for name, value, limit in zip(Key._fields, key, (len(match.pairings), match.blocks, match.seats), strict=True):
            if value < 0 or (limit is not None and value >= limit):
                expected = "0 or more" if limit is None else f"0 to {limit - 1}"
                raise ValueError(f"{name}: {value}, expected {expected}")
        if key in self._known:
            raise ValueError(f"pairing {key.pairing}, block {key.block}, game {key.game} again, expected it once")
        self._known.add(key)
        deal = match.deal(key)
        # What a program calls itself is there by the name of the player, and may be anything.
        own = {name: text for name, text in played.versions.items() if name == PACKAGE or name not in deal.names}
        found = msgspec.json.decode(played.rules), played.seed, played.players, played.scores, own
        due = self._rules, deal.seed, list(deal.names), self._scores(played), self._versions
        if found != due:
            names = ("rules", "seed", "players", "scores", "versions")
            name, one, other = next(one for one in zip(names, found, due, strict=True) if one[1] != one[2])
            raise ValueError(f"{name}: {one!r}, expected {other!r}")

    def _scores(self, played: Played) -> list[int]:
        """What the turns and the end come to."""
        seats, forfeit = range(self._match.seats), played.forfeit
        if played.end not in self._ends or (played.end == FORFEIT) is (forfeit is None):
            raise ValueError(f"end: {played.end!r}, expected {', '.join(self._ends)}, the last with who was ruled out")
        if forfeit and forfeit.seat not in seats:
            raise ValueError(f"forfeit: seat {forfeit.seat}, expected 0 to {seats[-1]}")
        scores, last = [0] * len(seats), 0
        turns = decode_turns(played.turns)
        if len(played.times) != len(turns):
            raise ValueError(f"times: {len(played.times)}, expected {len(turns)}, one for each turn")
        for turn in turns:
            last = turn.seat
            if last not in seats:
                raise ValueError(f"turns: seat {last}, expected 0 to {seats[-1]}")
            scores[last] += turn.score
        scores[last] += self._ends[played.end]
        # A game that is broken off may have turns of an action that was never done: their points do not count.
        return self._replayed(played) if forfeit and played.scores != scores else scores

    def _replayed(self, played: Played) -> list[int]:
        """The scores after the turns have been made again."""
        table = self._match.kind.deal(self._match.deal(played.key))
        for number, turn in enumerate(_decode_made(played.turns)):
            if turn.seat != table.seat:
                raise ValueError(f"turns: {number} of seat {turn.seat}, expected seat {table.seat}")
            try:
                table.apply(table.read(turn.move))
            except ValueError as error:
                raise ValueError(f"turns: {number}: {error}") from None
        return list(table.scores)


def read_match(path: Path) -> Match:
    """The match of a folder; objects that played in it are there by name."""
    with _reading(path) as value:
        sprt = value["sprt"]
        return Match(
            [Absent(player) for player in value["players"]],
            value["seats"], value["games"], Sprt(**sprt) if sprt else None, value["seed"], value["rules"],
            value["game"], value["gauntlet"],
        )  # fmt: skip


def _version(path: Path) -> str:
    """The package's version that wrote the match."""
    with _reading(path) as value:
        return msgspec.convert(value["versions"][PACKAGE], str)


@contextmanager
def _reading(path: Path) -> Iterator[Any]:
    """What a folder's :data:`MATCH` holds; raises ``ValueError``, also for what the block misses in it."""
    try:
        data = (path / MATCH).read_bytes()
    except FileNotFoundError:
        raise ValueError(f"{str(path)!r}: no {MATCH} there, expected the folder of a match") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{str(path)!r}: {_why(error)}, expected the folder of a match") from None
    try:
        yield msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path / MATCH}: {error}, expected what a match wrote") from None


def _why(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


class Absent:
    """A player of whom only the name is known."""

    def __init__(self, name: str) -> None:
        self.name = name


def _described(match: Match) -> dict[str, Any]:
    """What decides the games."""
    return {
        "game": match.game,
        "rules": match.rules,
        "players": list(match.names),
        "seats": match.seats,
        "gauntlet": match.gauntlet,
        "seed": match.seed,
        "games": match.games,
        "sprt": match.sprt and {name: getattr(match.sprt, name) for name in ("elo0", "elo1", "alpha", "beta")},
        "limits": {name: getattr(match.limits, name) for name in ("move", "grace", "start")},
        "versions": {PACKAGE: package_version()},
    }


def _agree(path: Path, match: Match) -> None:
    """Write down the match, or see that it is the one that is there; it may have got longer."""
    described = _described(match)
    file = path / MATCH
    if file.exists():
        try:
            there = msgspec.json.decode(file.read_bytes())
            other = next((name for name in described if name != "games" and there[name] != described[name]), None)
        except (OSError, msgspec.MsgspecError, TypeError, KeyError) as error:
            raise ValueError(f"{file}: {error}, expected what a match wrote") from None
        if other:
            raise ValueError(
                f"--out {str(path)!r}: holds a match with {other} {there[other]!r}, expected {described[other]!r} or "
                "another folder"
            )
        if there["games"] == described["games"]:
            return
        if described["games"] is not None and (there["games"] or 1 << 60) > described["games"]:
            raise ValueError(f"--out {str(path)!r}: holds a match of {there['games']} games, expected as many or more")
    elif (path / GAMES).stat().st_size:
        raise ValueError(f"--out {str(path)!r}: games without a {MATCH}, expected the folder of a match")
    new = file.with_suffix(".new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(described)) + b"\n")
    os.replace(new, file)


def _hold(descriptor: int, path: Path) -> None:
    """One process at a time; what holds the folder goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ValueError(f"--out {str(path)!r}: another match is writing there, expected another folder") from None
