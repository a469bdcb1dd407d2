"""Qwirkle and Qwirkle Flex at the arena's tables, and the players that come with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from .._core import Grid
from ..deal import MAX_PLAYERS, MIN_PLAYERS, Generator
from ..game import Game, package_version
from ..move import Move
from ..notation import format_rules, parse_rules, rules_to_json, texts
from ..position import OUT_BONUS, Position
from ._blocks import greedy_games
from .choosers import Chooser, limits_of, without_options
from .games import Deal, Player


class QwirkleTable:
    """One game of Qwirkle: see :class:`~qwirkle_fast.arena.games.Table`."""

    def __init__(self, deal: Deal, rules: str) -> None:
        self._game = Game(deal.seed, len(deal.names), rules, names=deal.names)
        # Where the history told to a seat begins: what it saw after its own last turn.  Before its first turn that is
        # the deal; but an opening whose size depends on tiles that it does not know could not be checked by it, so
        # then the history begins after the opening.
        self._start = self._game.copy()
        self._bases: dict[int, tuple[int, str]] = {}
        self._told: set[int] = set()

    @property
    def seat(self) -> int:
        return self._game.seat

    @property
    def end(self) -> str | None:
        return self._game.end

    @property
    def scores(self) -> Sequence[int]:
        return self._game.scores

    def view(self) -> Position:
        return self._game.position

    def told(self) -> str:
        """The position after the seat's own last turn, as it sees it, and the moves since: an exchange of another
        says only how many."""
        game = self._game
        self._told.add(game.seat)
        turns, position = self._bases.get(game.seat) or (len(self._start.turns), str(self._start.view(game.seat)))
        moves = [_seen(turn.move) for turn in game.turns[turns:]]
        return " ".join([position, "moves", *moves] if moves else [position])

    def read(self, text: str) -> Move:
        return Move(text)

    def apply(self, choice: object) -> None:
        if not isinstance(choice, Move):
            raise ValueError(f"a {type(choice).__name__} is no move, expected a Move")
        game = self._game
        seat = game.seat
        game.play(choice)
        if seat in self._told and game.end is None:
            self._bases[seat] = len(game.turns), str(game.view(seat))
        if len(game.turns) == 1 and game.rules.opening == "largest":
            self._start = game.copy()

    def forfeit(self) -> None:
        self._game.forfeit()

    def record(self) -> dict[str, Any]:
        return self._game.record()


def _seen(move: Move) -> str:
    """Another's move, as far as it can be seen."""
    return str(Move.exchange((), len(move.exchanged))) if move.is_exchange else str(move)


def otherwise(position: Position) -> Move:
    """Where nothing can be placed: exchange the first tiles in code order, all that the bag allows, else pass."""
    size = min(position.bag, len(position.hand))
    codes = position.rules.tile_set.codes
    return Move.exchange([codes[tile] for tile in sorted(position.hand)[:size]]) if size else Move.skip()


def choose_random(position: Position, seed: int) -> Move:
    """Any placement, each as likely as another; where there is none, any exchange, else a pass."""
    moves = list(position.legal_moves) or position.exchanges or [Move.skip()]
    return moves[Generator(seed).below(len(moves))]


def choose_greedy(position: Position, seed: int) -> Move:
    """The placement that scores most; of several, the one that the native core prefers, as in its own whole games."""
    grid = Grid(position.rules)
    for x, y, tile in position.cells:
        grid.place(x, y, tile)
    best = texts(grid.best(sorted(position.hand)), position.rules.name == "flex")
    return Move.trusted(best[0]) if best else otherwise(position)


def choose_static(position: Position, seed: int) -> Move:
    """The best move by the search's evaluation, without playing on."""
    from ..search import static_move

    move = static_move(position)
    assert move is not None, "a player is asked while the game goes on"
    return move


def choose_by_search(position: Position, seed: int, **limits: Any) -> Move:
    """The first hint of the search."""
    from ..search import best_move

    hint = best_move(position, seed=seed, **limits)
    assert hint is not None, "a player is asked while the game goes on"
    return hint.move


def _prepare_search() -> None:
    from ..search import warm_up

    warm_up()


_SIMPLE = {"random": choose_random, "greedy": choose_greedy, "static": choose_static}


class Qwirkle:
    """Qwirkle by the rules of a text such as ``flex;diagonal_min=3``."""

    name = "qwirkle"
    fewest, most = MIN_PLAYERS, MAX_PLAYERS
    ends: Mapping[str, int] = {"out": OUT_BONUS, "stuck": 0, "dead": 0, "exchanges": 0}
    players = ("random", "greedy", "static", "search")

    def __init__(self, rules: str = "") -> None:
        self._rules = parse_rules(rules or "classic")

    @property
    def rules(self) -> str:
        return format_rules(self._rules)

    def deal(self, deal: Deal) -> QwirkleTable:
        return QwirkleTable(deal, self.rules)

    def player(self, name: str, options: Mapping[str, str]) -> Player | None:
        if name == "search":
            # One thread unless it is said, for a match has its own use for the others.
            limits = {"threads": 1, **limits_of(options, ("time", "simulations", "threads", "inference"))}
            return Chooser(partial(choose_by_search, **limits), _prepare_search)
        if name not in _SIMPLE:
            return None
        without_options(name, options)
        return Chooser(_SIMPLE[name])

    def whole_games(self, players: Sequence[str], deals: Sequence[Deal]) -> list[dict[str, Any]] | None:
        if any(player != "greedy" for player in players):
            return None
        if not deals:
            return []
        games = greedy_games(self._rules, len(players), [deal.seed for deal in deals])
        rules, versions = rules_to_json(self._rules), {"qwirkle_fast": package_version()}
        return [
            {
                "rules": rules,
                "seed": deal.seed,
                "players": deal.names,
                "hands": hands,
                "bag": bag,
                "turns": turns,
                "scores": scores,
                "end": end,
                "versions": versions,
                # Of each turn no more is known than its share.
                "times": [round(seconds / len(turns), 6)] * len(turns),
            }
            for deal, (hands, bag, turns, scores, end, seconds) in zip(deals, games, strict=True)
        ]
