"""A whole game: the deal, who opens, turns, exchanges and draws, and every way a game ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from . import _core, reference
from .deal import MAX_PLAYERS, MIN_PLAYERS, Generator, deal
from .move import Move
from .notation import Fields, NotationError, parse_rules, rules_from_json, rules_to_json
from .position import Grid, IllegalMove, Position
from .rules import Rules
from .tiles import HAND_SIZE

#: The ways a game can end: a player went out; the bag is empty and nobody can place; no tile left fits anywhere;
#: everybody exchanged ``exchange_cap`` times in a row; a player was ruled out (by an arena).
ENDS = ("out", "stuck", "dead", "exchanges", "forfeit")


class GameError(ValueError):
    """A game that cannot be: a bad number of players, or a record that does not replay."""


class Turn(NamedTuple):
    """One turn of a record.  ``score`` is the move's own, without the 6 points for going out; ``drawn``: tile codes."""

    seat: int
    move: Move
    score: int
    drawn: tuple[str, ...]


class Game:
    """All of a game, with the hands and the bag.

    ``seed`` fixes the deal, the order of the bag and the chance in exchanges; ``rules`` is a :class:`Rules` or its
    text.  Seats are in order of age, the oldest first.

    >>> game = Game(seed=1)
    >>> game.seat, str(game.position)
    (1, '- OcGcBdRcGtYt/?6 0/0 classic')
    >>> while not game.is_over:
    ...     move = game.position.legal_moves.best() or (game.position.exchanges or [Move.skip()])[-1]
    ...     turn = game.play(move)
    >>> game.end, game.scores == Game.from_record(game.record()).scores
    ('out', True)
    """

    __slots__ = ("_bag", "_dealt", "_end", "_first", "_full", "_stack", "_streak", "names", "seed", "turns")

    def __init__(
        self,
        seed: int,
        players: int = 2,
        rules: Rules | str = "classic",
        *,
        names: Sequence[str] = (),
        grid: type[Grid] = _core.Grid,
    ) -> None:
        if type(players) is not int or not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise GameError(f"players: {players!r}, expected {MIN_PLAYERS} to {MAX_PLAYERS}")
        if type(seed) is not int or not 0 <= seed < 1 << 64:
            raise GameError(f"seed: {seed!r}, expected a whole number from 0 to 2^64 - 1")
        rules = parse_rules(rules) if isinstance(rules, str) else rules
        hands, bag = deal(seed, players, rules)
        self._set(seed, rules, hands, bag, names, grid)

    def _set(
        self,
        seed: int,
        rules: Rules,
        hands: Sequence[Sequence[int]],
        bag: Sequence[int],
        names: Sequence[str],
        grid: type[Grid],
    ) -> None:
        players = len(hands)
        self.seed = seed
        self.names = tuple(names) or tuple(f"player {seat + 1}" for seat in range(players))
        if len(self.names) != players:
            raise GameError(f"players: {len(self.names)} names for {players} players, expected one each")
        self.turns: list[Turn] = []
        self._dealt = tuple(tuple(hand) for hand in hands), tuple(reversed(bag))
        self._bag = list(bag)
        self._streak = 0
        self._end: str | None = None
        self._first = opener(hands, rules)
        order = [*range(self._first, players), *range(self._first)]
        self._full = Position.from_fields(
            Fields([], tuple((tuple(hands[seat]), 0) for seat in order), (0,) * players, rules), grid=grid
        )

    # -- what is there

    @property
    def rules(self) -> Rules:
        return self._full.rules

    @property
    def players(self) -> int:
        return self._full.players

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return (self._first + len(self.turns)) % self.players

    def _by_seat(self, values: Sequence[Any]) -> list[Any]:
        """Values in turn order, put in the order of seats."""
        start = self.players - self.seat
        return [values[(start + seat) % self.players] for seat in range(self.players)]

    @property
    def scores(self) -> tuple[int, ...]:
        """By seat."""
        return tuple(self._by_seat(self._full.scores))

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The tile codes by seat."""
        codes = self.rules.tile_set.codes
        return tuple(tuple(codes[tile] for tile in tiles) for tiles, _ in self._by_seat(self._full.hands))

    @property
    def bag(self) -> tuple[str, ...]:
        """The tile codes in the order in which they will be drawn."""
        codes = self.rules.tile_set.codes
        return tuple(codes[tile] for tile in reversed(self._bag))

    @property
    def position(self) -> Position:
        """What the player to move sees; independent of the game."""
        return self._seen_by(0)

    def view(self, seat: int) -> Position:
        """The position as a seat sees it: the same turn, but another's hand in view."""
        return self._seen_by((seat - self.seat) % self.players)

    def _seen_by(self, index: int) -> Position:
        full = self._full
        hands = tuple(hand if i == index or not hand[0] else ((), len(hand[0])) for i, hand in enumerate(full.hands))
        return Position.from_position(full, hands, self._history(index))

    def _history(self, index: int) -> Iterator[Move]:
        """The moves of the last round as a player sees them: of others' exchanges only how many tiles there were."""
        for back in range(min(self.players, len(self.turns)), 0, -1):
            move = self.turns[-back].move
            seen = not move.is_exchange or (index + back) % self.players == 0
            yield move if seen else Move.exchange((), len(move.exchanged))

    @property
    def full_position(self) -> Position:
        """The position with every hand open; independent of the game."""
        return Position.from_position(self._full, self._full.hands)

    # -- the course of it

    @property
    def end(self) -> str | None:
        """One of :data:`ENDS`; ``None`` while the game goes on."""
        return self._end

    @property
    def is_over(self) -> bool:
        return self._end is not None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest score once the game is over; more than one share the win."""
        if not self.is_over:
            return ()
        scores = self.scores
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores))

    def play(self, move: Move) -> Turn:
        """The seat to move makes a move, then draws; raises :class:`IllegalMove` and changes nothing."""
        if move.hidden:
            raise IllegalMove("an exchange must name its tiles")
        return self._play(move, None)

    def _play(self, move: Move, drawn: Sequence[int] | None) -> Turn:
        """Make a move and draw from the bag, or draw what a record says was drawn."""
        if self._end:
            raise IllegalMove(f"the game is over ({self._end})")
        full = self._full
        seat = self.seat
        score = full.score(move)
        full.push(move)
        full.forget()
        size = full.hands[-1][1]
        if drawn is None:
            drawn = [self._bag.pop() for _ in range(size)]
        else:
            self._take_out(drawn, size)
        full.reveal(self.players - 1, drawn)
        if move.is_exchange:
            tiles = self.rules.tile_set.tiles
            self._bag += [tiles[code] for code in move.exchanged]
            Generator.for_turn(self.seed, len(self.turns)).shuffle(self._bag)
        self._streak = self._streak + 1 if move.is_exchange else 0 if move.is_placement else self._streak
        codes = self.rules.tile_set.codes
        turn = Turn(seat, move, score, tuple(codes[tile] for tile in drawn))
        self.turns.append(turn)
        self._end = full.end
        if self._end is None and self._streak >= self.rules.exchange_cap * self.players:
            self._end = "exchanges"
        return turn

    def _take_out(self, drawn: Sequence[int], size: int) -> None:
        where = f"turns[{len(self.turns)}].drawn"
        if len(drawn) != size:
            raise GameError(f"{where}: {len(drawn)} tiles, expected {size}")
        for tile in drawn:
            if tile not in self._bag:
                raise GameError(f"{where}: {self.rules.tile_set.codes[tile]}, expected a tile that is in the bag")
            if self._bag[-1] == tile:
                self._bag.pop()
            elif not any(turn.move.is_exchange for turn in self.turns):
                # Whose generator shuffles after an exchange a record does not say; before one the bag's order holds.
                codes = self.rules.tile_set.codes
                raise GameError(f"{where}: {codes[tile]}, expected {codes[self._bag[-1]]}, the next tile of the bag")
            else:
                self._bag.remove(tile)

    def forfeit(self) -> None:
        """End the game at once: an arena rules a player out.  Raises :class:`GameError` when it is over."""
        if self._end:
            raise GameError(f"forfeit: the game is over ({self._end}), expected one that goes on")
        self._end = "forfeit"

    def at(self, turn: int) -> Game:
        """An independent game as it was before its turn of that number, 0 being the first; ``IndexError`` when it has
        not come that far."""
        if not 0 <= turn <= len(self.turns):
            raise IndexError(f"turn: {turn}, expected 0 to {len(self.turns)}")
        game = Game.__new__(Game)
        hands, bag = self._dealt
        game._set(self.seed, self.rules, hands, bag[::-1], self.names, type(self._full._grid))
        tiles = self.rules.tile_set.tiles
        for played in self.turns[:turn]:
            game._play(played.move, [tiles[code] for code in played.drawn])
        return game

    def copy(self) -> Game:
        """An independent game at the same point."""
        other = Game.__new__(Game)
        other.seed, other.names, other._dealt = self.seed, self.names, self._dealt
        other._streak, other._end, other._first = self._streak, self._end, self._first
        other.turns, other._bag, other._full = self.turns.copy(), self._bag.copy(), self._full.copy()
        return other

    __copy__ = copy

    def _key(self) -> tuple[object, ...]:
        return self.seed, self.names, self._dealt, tuple(self.turns), self._end, self.rules

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return Game.from_record, (self.record(),)

    def __repr__(self) -> str:
        state = self._end or f"seat {self.seat} to move"
        return f"<Game seed={self.seed} of {self.players}, turn {len(self.turns)}, {state}, scores {self.scores}>"

    def _repr_svg_(self) -> str:
        """In a notebook: the board as the player to move sees it, the last placement outlined, and all points."""
        from .drawing import board_svg

        seen = self.position
        last = self.turns[-1].move.placed if self.turns else ()
        points = ", ".join(f"{name} {score}" for name, score in zip(self.names, self.scores, strict=True))
        return board_svg(
            seen.cells, self.rules.tile_set, hands=seen.hands, highlight=[(x, y) for x, y, _ in last], caption=points
        )

    # -- records

    def record(self) -> dict[str, object]:
        """The game so far as the JSON object of a record, to be encoded; ``end`` is null while it goes on."""
        codes = self.rules.tile_set.codes
        hands, bag = self._dealt
        return {
            "rules": rules_to_json(self.rules),
            "seed": self.seed,
            "players": list(self.names),
            "hands": [[codes[tile] for tile in hand] for hand in hands],
            "bag": [codes[tile] for tile in bag],
            "turns": [
                {"seat": turn.seat, "move": str(turn.move), "score": turn.score, "drawn": list(turn.drawn)}
                for turn in self.turns
            ],
            "scores": list(self.scores),
            "end": self._end,
            "versions": {"qwirkle_fast": package_version()},
        }

    @classmethod
    def from_record(cls, record: object, *, grid: type[Grid] = _core.Grid) -> Game:
        """Replay a record, already decoded; raises :class:`GameError` at the first turn that does not follow."""
        if not isinstance(record, Mapping):
            raise GameError(f"record: {type(record).__name__}, expected an object")
        game = cls.__new__(cls)
        try:
            rules = rules_from_json(record["rules"])
            seed = record["seed"]
            if type(seed) is not int or not 0 <= seed < 1 << 64:
                raise GameError(f"seed: {seed!r}, expected a whole number from 0 to 2^64 - 1")
            hands = [_tiles(hand, rules, f"hands[{seat}]") for seat, hand in enumerate(record["hands"])]
            bag = _tiles(record["bag"], rules, "bag")
            names = record["players"]
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise GameError("players: expected a list of names")
            if not MIN_PLAYERS <= len(hands) <= MAX_PLAYERS:
                raise GameError(f"hands: {len(hands)}, expected {MIN_PLAYERS} to {MAX_PLAYERS}")
            _check_box(hands, bag, rules)
            game._set(seed, rules, hands, bag[::-1], names, grid)
            for number, turn in enumerate(record["turns"]):
                game._replay(number, turn)
            scores, end = record["scores"], record["end"]
        except KeyError as error:
            raise GameError(f"record: no {error}, expected one") from None
        except (TypeError, AttributeError):
            raise GameError("record: expected the lists and objects of a game record") from None
        if end == "forfeit" and not game.is_over:
            game.forfeit()
        if end != game._end:
            given, found = ("null" if reason is None else repr(reason) for reason in (end, game._end))
            raise GameError(f"end: {given}, expected {found} from the turns")
        if list(game.scores) != scores:
            raise GameError(f"scores: {scores!r}, expected {list(game.scores)} from the turns")
        return game

    def _replay(self, number: int, turn: Mapping[str, Any]) -> None:
        where = f"turns[{number}]"
        if turn["seat"] != self.seat:
            raise GameError(f"{where}.seat: {turn['seat']!r}, expected {self.seat}")
        try:
            played = self._play(Move(turn["move"]), _tiles(turn["drawn"], self.rules, f"{where}.drawn"))
        except (IllegalMove, NotationError) as error:
            raise GameError(f"{where}.move: {error}") from None
        if played.score != turn["score"]:
            raise GameError(f"{where}.score: {turn['score']!r}, expected {played.score}")


def opener(hands: Sequence[Sequence[int]], rules: Rules) -> int:
    """The seat that opens: the largest set in hand, a tie going to the oldest (the lowest seat) or the youngest."""
    sizes = [reference.largest_set(hand, rules) for hand in hands]
    seats = range(len(hands)) if rules.first == "oldest" else reversed(range(len(hands)))
    return max(seats, key=lambda seat: sizes[seat])


def package_version() -> str:
    """The version of the installed package."""
    # Slow to import, and rarely needed.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("qwirkle-fast")
    except PackageNotFoundError:
        return "unknown"


def _check_box(hands: Sequence[Sequence[int]], bag: Sequence[int], rules: Rules) -> None:
    """Refuse a deal that is not of six tiles each out of the game's own."""
    for seat, hand in enumerate(hands):
        if len(hand) != HAND_SIZE:
            raise GameError(f"hands[{seat}]: {len(hand)} tiles, expected {HAND_SIZE}")
    found = Counter(bag)
    for hand in hands:
        found.update(hand)
    for tile, copies in enumerate(rules.copies):
        if found[tile] != copies:
            code = rules.tile_set.codes[tile]
            raise GameError(f"bag: {found[tile]} of {code} in hands and bag, expected {copies}")


def _tiles(codes: object, rules: Rules, where: str) -> list[int]:
    if not isinstance(codes, list):
        raise GameError(f"{where}: {codes!r}, expected a list of tiles")
    tiles = rules.tile_set.tiles
    for code in codes:
        if not isinstance(code, str) or code not in tiles:
            raise GameError(f"{where}: {code!r}, expected a tile of {rules.name}")
    return [tiles[code] for code in codes]
