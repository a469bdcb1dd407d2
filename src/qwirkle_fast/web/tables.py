"""Games that are being played: who sits where, what each seat may see, and moves made one at a time."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from threading import Event, Lock

import msgspec

from ..game import Game, Turn
from ..move import Move
from ..notation import rules_to_json
from ..position import Position
from .database import Conflict, Database
from .levels import choose
from .problems import Problem


class Setup(msgspec.Struct):
    """How a game begins.  ``levels``: one a seat, ``None`` for a person."""

    rules: str
    seed: int
    names: list[str]
    levels: list[str | None]


class Table:
    """A game and its seats."""

    def __init__(self, name: str, setup: Setup) -> None:
        self.name, self.setup = name, setup
        self.game = Game(setup.seed, len(setup.names), setup.rules, names=setup.names)
        self.lock = Lock()

    @property
    def level(self) -> str | None:
        """The level of the engine whose turn it is; ``None`` for a person."""
        return self.setup.levels[self.game.seat]

    def viewer(self, seat: int | None) -> int | None:
        """The seat whose hand is shown: the one asked for, else the person whose turn it is or comes next."""
        levels = self.setup.levels
        if seat is None:
            turns = [(self.game.seat + i) % len(levels) for i in range(len(levels))]
            return next((other for other in turns if levels[other] is None), None)
        if not 0 <= seat < len(levels) or levels[seat] is not None:
            people = [str(other) for other, level in enumerate(levels) if level is None]
            raise Problem(403, "seat", f"no person sits on {seat}", " or ".join(people) or "no seat at all")
        return seat

    def to_json(self, seat: int | None = None) -> dict[str, object]:
        """The game as a seat sees it."""
        game = self.game
        viewer = self.viewer(seat)
        return {
            "id": self.name,
            "rules": rules_to_json(game.rules),
            "players": [
                {"name": name, "level": level} for name, level in zip(self.setup.names, self.setup.levels, strict=True)
            ],
            "turn": len(game.turns),
            "seat": game.seat,
            "viewer": viewer,
            "position": str(self._position(viewer)),
            "scores": list(game.scores),
            "bag": len(game.bag),
            "turns": [self._turn(turn, viewer) for turn in game.turns],
            "end": game.end,
            "winners": list(game.winners),
        }

    def _position(self, viewer: int | None) -> Position:
        game = self.game
        if game.is_over:
            return game.full_position
        if viewer is not None:
            return game.view(viewer)
        full = game.full_position
        return Position.from_position(full, tuple(((), len(tiles)) for tiles, _ in full.hands))

    def _turn(self, turn: Turn, viewer: int | None) -> dict[str, object]:
        open_to_all = self.game.is_over or turn.seat == viewer or not turn.move.is_exchange
        move = turn.move if open_to_all else Move.exchange((), len(turn.move.exchanged))
        return {"seat": turn.seat, "move": str(move), "score": turn.score}


class Tables:
    """All games: those in memory, at most so many, and the rest in the database if there is one."""

    def __init__(self, most: int, database: Database | None) -> None:
        self._most, self._database = most, database
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._lock = Lock()

    def create(self, setup: Setup) -> Table:
        table = Table(secrets.token_urlsafe(12), setup)
        if self._database:
            self._database.create(table.name, msgspec.json.encode(setup).decode())
        self._keep(table)
        return table

    def find(self, name: str) -> Table:
        """The game of that name; a :class:`Problem` when there is none."""
        with self._lock:
            if name in self._tables:
                self._tables.move_to_end(name)
                return self._tables[name]
        found = self._database.load(name) if self._database else None
        if found is None:
            raise Problem(404, "id", "there is no such game", "the id of a game that this server keeps")
        setup, moves = found
        table = Table(name, msgspec.json.decode(setup, type=Setup))
        for move in moves:
            table.game.play(Move(move))
        return self._keep(table)

    def _keep(self, table: Table) -> Table:
        with self._lock:
            # Two requests may have loaded the same game: there must be one table of it.
            table = self._tables.setdefault(table.name, table)
            self._tables.move_to_end(table.name)
            while len(self._tables) > self._most:
                self._tables.popitem(last=False)
        return table

    def play(self, table: Table, move: Move | None, turn: int | None, threads: int, stop: Event) -> Table:
        """Make the person's move, or, with none, the engine's; kept before it counts.

        ``turn``: the number of turns that the mover knows of, against a move made twice.  Raises a :class:`Problem`, or
        what the game raises.
        """
        if not table.lock.acquire(blocking=False):
            raise Problem(409, "id", "a move is being made in this game", "another try when it is made")
        try:
            game = table.game
            if turn is not None and turn != len(game.turns):
                raise Problem(409, "turn", f"turn {turn} is not the next", f"{len(game.turns)}, as many as were made")
            if game.is_over:
                raise Problem(409, "id", f"the game is over ({game.end})", "one that goes on")
            level = table.level
            if move is None and level is None:
                raise Problem(409, "move", f"it is the turn of {table.setup.names[game.seat]}, a person", "a move")
            if move is not None and level is not None:
                raise Problem(409, "move", f"it is the turn of {table.setup.names[game.seat]}, an engine", "no move")
            if move is None:
                assert level is not None
                move = choose(game, level, threads, stop)
            following = game.copy()
            following.play(move)
            if self._database:
                try:
                    self._database.append(table.name, len(game.turns), str(move))
                except Conflict:
                    with self._lock:
                        self._tables.pop(table.name, None)
                    raise Problem(409, "id", "another server made a move in this game", "another try") from None
            table.game = following
        finally:
            table.lock.release()
        return table
