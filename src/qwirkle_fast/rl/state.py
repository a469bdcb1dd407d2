"""States in the way of OpenSpiel: chance apart, every action a whole number, and hidden information resampled."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from numbers import Real
from typing import Any

from ..deal import MAX_PLAYERS, MIN_PLAYERS
from ..game import opener
from ..move import Move
from ..notation import Fields
from ..position import Position
from ..rules import Rules
from ..tiles import HAND_SIZE
from .actions import ACTIONS, DONE, EXCHANGE, PLACE, Unfinished, cell_of
from .arguments import rules_of, whole
from .history import Turn, resampled
from .observation import Observation, observed, returns_of

#: What ``current_player`` says when a tile is drawn, and at the end; as in OpenSpiel.
CHANCE = -1
TERMINAL = -4


class State:
    """A game as a tree: the deal and each draw are chance, tile by tile; turns are made of single actions.

    A chance action is the tile drawn, a player's one of :mod:`qwirkle_fast.rl.actions`.  Hands are dealt seat by seat.
    The rules are those of :class:`qwirkle_fast.Game`, but the bag has no order: what is drawn is chance.

    >>> state = State()
    >>> state.current_player() == CHANCE, len(state.chance_outcomes())
    (True, 36)
    >>> chance = random.Random(1)
    >>> while not state.is_terminal():
    ...     state.apply_action(chance.choice(state.legal_actions()))
    >>> sum(state.returns())
    0.0
    """

    def __init__(self, players: int = 2, rules: Rules | str = "classic") -> None:
        self.players = whole("players", players, MIN_PLAYERS, MAX_PLAYERS)
        self.rules = rules_of(rules)
        self._dealt: list[list[int]] = [[]]
        self._turns: list[Turn] = []
        self._bag = list(self.rules.copies)
        self._streak = 0
        self._end: str | None = None
        self._first = 0
        # From the deal on: the position with all hands open, but for what is still to be drawn by the last to move.
        self._full: Position | None = None
        self._turn: Unfinished | None = None

    # -- whose turn it is, and what can be done

    def num_players(self) -> int:
        return self.players

    def current_player(self) -> int:
        """A seat, :data:`CHANCE` or :data:`TERMINAL`."""
        if self._end:
            return TERMINAL
        return CHANCE if self._turn is None else self.seat

    @property
    def seat(self) -> int:
        """Whose turn it is, or will be once the tiles are drawn; 0 during the deal."""
        return (self._first + len(self._turns)) % self.players

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def is_terminal(self) -> bool:
        return self._end is not None

    @property
    def end(self) -> str | None:
        """One of :data:`qwirkle_fast.game.ENDS`; ``None`` while the game goes on."""
        return self._end

    def legal_actions(self, player: int | None = None) -> list[int]:
        """In order; none for a player whose turn it is not."""
        if player is not None and player != self.current_player():
            return []
        if self._end:
            return []
        if self._turn is None:
            return [tile for tile, count in enumerate(self._bag) if count]
        found: list[int] = self._turn.legal().tolist()
        return found

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each tile that can be drawn, and how likely it is; ``ValueError`` when it is not chance's turn."""
        if not self.is_chance_node():
            raise ValueError("chance_outcomes: it is a player's turn or the end, expected a chance node")
        total = sum(self._bag)
        return [(tile, count / total) for tile, count in enumerate(self._bag) if count]

    def apply_action(self, action: int) -> None:
        """Raises ``ValueError`` when the action is illegal, and changes nothing."""
        if self._end:
            raise ValueError(f"action: {action}, expected none: the game is over ({self._end})")
        if self._turn is None:
            action = whole("action", action, 0, len(self._bag) - 1)
            if not self._bag[action]:
                raise ValueError(f"action: {action}, expected a tile that is in the bag")
            self._draw(action)
            return
        move = self._turn.apply(action)
        if move:
            self._make(move)

    def action_to_string(self, action: int) -> str:
        """A legal action in words: a tile drawn, ``done``, an exchanged tile, or a tile, its column and its row.

        Raises ``ValueError`` for another.
        """
        action = whole("action", action, 0, ACTIONS - 1)
        if action not in self.legal_actions():
            raise ValueError(f"action: {action}, expected a legal one")
        codes = self.rules.tile_set.codes
        if self._turn is None:
            return f"draw {codes[action]}"
        if action == DONE:
            return "done"
        if action < PLACE:
            return f"-{codes[self._turn.hand[action - EXCHANGE]]}"
        row, column, slot = cell_of(action)
        return f"{codes[self._turn.hand[slot]]} column {column} row {row}"

    # -- the course of it

    def _draw(self, tile: int) -> None:
        self._bag[tile] -= 1
        if self._full is None:
            self._dealt[-1].append(tile)
            if len(self._dealt[-1]) == HAND_SIZE:
                if len(self._dealt) == self.players:
                    self._open()
                else:
                    self._dealt.append([])
            return
        self._turns[-1].drawn.append(tile)
        self._full.reveal(self.players - 1, [tile])
        self._settle()

    def _open(self) -> None:
        """All hands are dealt."""
        self._first = opener(self._dealt, self.rules)
        order = [*range(self._first, self.players), *range(self._first)]
        hands = tuple((tuple(self._dealt[seat]), 0) for seat in order)
        self._full = Position.from_fields(Fields([], hands, (0,) * self.players, self.rules))
        self._turn = Unfinished(self._full)

    def _make(self, move: Move) -> None:
        full = self._position
        tiles = self.rules.tile_set.tiles
        self._turns.append(
            Turn(
                self.seat,
                move,
                [tiles[code] for _, _, code in move.placed],
                [tiles[code] for code in move.exchanged],
                [],
                full.copy() if move.is_pass else None,
            )
        )
        full.push(move)
        full.forget()
        self._streak = self._streak + 1 if move.is_exchange else 0 if move.is_placement else self._streak
        self._settle()

    def _settle(self) -> None:
        """After a move or a draw: is there more to draw, is the game over, or whose turn is it?"""
        full = self._position
        if full.hands[-1][1]:
            self._turn = None
            return
        for tile in self._turns[-1].exchanged:
            self._bag[tile] += 1
        self._end = full.end
        if self._end is None and self._streak >= self.rules.exchange_cap * self.players:
            self._end = "exchanges"
        self._turn = None if self._end else Unfinished(full)

    @property
    def _position(self) -> Position:
        if self._full is None:
            raise ValueError("state: the hands are being dealt, expected a state after the deal")
        return self._full

    # -- what came of it

    @property
    def scores(self) -> tuple[int, ...]:
        """By seat."""
        if self._full is None:
            return (0,) * self.players
        start = self.players - self.seat
        return tuple(self._full.scores[(start + seat) % self.players] for seat in range(self.players))

    def returns(self) -> list[float]:
        """By seat; 0 until the end: see :func:`qwirkle_fast.rl.observation.returns_of`."""
        return returns_of(self.scores) if self._end else [0.0] * self.players

    # -- what a seat knows

    def view(self, seat: int) -> Position:
        """The position as the seat sees it, without another's unfinished turn; ``ValueError`` during the deal."""
        full, index = self._position, (self._known(seat) - self.seat) % self.players
        hands = tuple(
            hand if i == index or not sum((len(hand[0]), hand[1])) else ((), len(hand[0]) + hand[1])
            for i, hand in enumerate(full.hands)
        )
        return Position.from_position(full, hands)

    def observation(self, seat: int) -> Observation:
        """The arrays of :func:`qwirkle_fast.rl.observation.observed`; ``ValueError`` during the deal."""
        return observed(
            self.view(seat), (seat - self.seat) % self.players, self._turn if seat == self.current_player() else None
        )

    def information_state_string(self, seat: int) -> str:
        """All that the seat knows of the course of the game: every move, and which tiles it drew itself.

        Of others' draws and exchanges it says how many tiles, of an unfinished turn only the seat's own.
        """
        seat = self._known(seat)
        codes = self.rules.tile_set.codes
        dealt = self._dealt[seat] if seat < len(self._dealt) else []
        lines = ["".join(sorted(codes[tile] for tile in dealt))]
        for turn in self._turns:
            known = turn.seat == seat
            move = str(turn.move) if known or not turn.exchanged else f"-?{len(turn.exchanged)}"
            drawn = "".join(sorted(codes[tile] for tile in turn.drawn)) if known else f"?{len(turn.drawn)}"
            lines.append(f"{turn.seat} {move} {drawn}")
        if self._turn and seat == self.seat:
            lines.append(" ".join(map(str, self._turn.actions)))
        return "\n".join(lines)

    def resample_from_infostate(self, seat: int, sampler: Callable[[], float]) -> State:
        """Another state with the same information state of the seat: what it cannot know is drawn anew.

        ``sampler`` gives random numbers from 0 to below 1.  Histories that agree with all that the seat has seen are
        equally likely but for what a choice of move would tell; another's unfinished turn is taken back.  Raises
        ``ValueError`` while tiles are drawn, :class:`ResamplingFailed` when no history is found in reasonable time.
        """
        full, seat = self._position, self._known(seat)
        if self.is_chance_node():
            raise ValueError("resample_from_infostate: tiles are being drawn, expected a decision or the end")
        held = [list(full.hands[(other - self.seat) % self.players][0]) for other in range(self.players)]
        number: Any = sampler()
        if not isinstance(number, Real) or not 0 <= float(number) < 1:
            raise ValueError(f"sampler: {number!r:.60}, expected numbers from 0 to below 1")
        chance = random.Random(int(float(number) * (1 << 53)))
        dealt, turns, hands, bag = resampled(
            self.rules, self._dealt, self._turns, held, self._bag, self._first, seat, chance
        )
        other = self.clone()
        other._dealt, other._turns = dealt, turns
        other._bag = [Counter(bag)[tile] for tile in range(len(self._bag))]
        order = [(self.seat + i) % self.players for i in range(self.players)]
        other._full = Position.from_position(full, tuple((tuple(hands[player]), 0) for player in order))
        if self._turn and seat != self.seat:
            other._turn = Unfinished(other._full)
        return other

    def clone(self) -> State:
        """An independent state at the same point."""
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other._dealt = [hand.copy() for hand in self._dealt]
        other._turns = self._turns.copy()
        if self._turn is None and self._turns:
            other._turns[-1] = self._turns[-1]._replace(drawn=self._turns[-1].drawn.copy())
        other._bag = self._bag.copy()
        other._full = self._full and self._full.copy()
        other._turn = self._turn and self._turn.copy()
        return other

    def _known(self, seat: int) -> int:
        return whole("seat", seat, 0, self.players - 1)

    def __repr__(self) -> str:
        return f"<State of {self.players}, turn {len(self._turns)}, player {self.current_player()}, {self.scores}>"
