"""PettingZoo's AEC environment over :class:`qwirkle_fast.Game`; needs the extra ``rl``."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ..deal import MAX_PLAYERS, MIN_PLAYERS
from ..game import Game
from ..rules import Rules
from ..tiles import HAND_SIZE
from .actions import ACTIONS, SIDE, Unfinished
from .arguments import rules_of, whole
from .observation import Observation, observed, returns_of


class NoGame(ValueError, AttributeError):
    """Something was asked for that there is only after the first ``reset``."""


class Environment(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game of agents ``player_0`` (the oldest) on, placing tile by tile, then done.

    Actions are those of :mod:`qwirkle_fast.rl.actions`, observations those of
    :func:`qwirkle_fast.rl.observation.observed`.  An agent acts until its turn is done.  All rewards come at the end:
    see :func:`qwirkle_fast.rl.observation.returns_of`.  The seed of ``reset`` is the game's; without one it is 0,
    then the successor of the last.  Raises ``ValueError`` for an illegal action, and changes nothing; :class:`NoGame`,
    which is one too, before the first ``reset``.

    >>> environment = Environment()
    >>> environment.reset(seed=1)
    >>> environment.agent_selection
    'player_1'
    >>> mask = environment.last()[0]["action_mask"]
    >>> environment.step(int(mask.argmax()))
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "qwirkle_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, players: int = 2, rules: Rules | str = "classic", *, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode: {render_mode!r}, expected None or 'ansi'")
        self.rules = rules_of(rules)
        players = whole("players", players, MIN_PLAYERS, MAX_PLAYERS)
        self.render_mode = render_mode
        self._seed: int | None = None
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        tiles = len(self.rules.copies)
        self.observation_spaces = {agent: spaces.Dict(_boxes(players, tiles)) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def __getattr__(self, name: str) -> Any:
        if self._seed is None:
            raise NoGame(f"{name}: no game yet, expected reset before it")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"agent: {agent!r:.60}, expected {self.possible_agents[0]} to {self.possible_agents[-1]}")
        return self.possible_agents.index(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is None:
            seed = 0 if self._seed is None else (self._seed + 1) % (1 << 64)
        self._seed = whole("seed", seed, 0, (1 << 64) - 1)
        self._game = Game(self._seed, len(self.possible_agents), self.rules)
        self._turn = Unfinished(self._game.position)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._game.seat]

    @property
    def view(self) -> str:
        """The position, in the one-line notation, as the agent to act sees it: without its unfinished turn."""
        return str(self._game.position)

    def observe(self, agent: str) -> Observation:
        game = self._game
        seat = self._seat(agent)
        acts = seat == game.seat and not game.is_over
        return observed(game.view(seat), (seat - game.seat) % game.players, self._turn if acts else None)

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("action: None, expected a legal one")
        move = self._turn.apply(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if move is None:
            return
        game = self._game
        game.play(move)
        if game.is_over:
            self.rewards = dict(zip(self.possible_agents, returns_of(game.scores), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._turn = Unfinished(game.position)
        self.agent_selection = self.possible_agents[game.seat]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as text, with the render mode ``ansi``."""
        return self.view if self.render_mode else None

    def close(self) -> None:
        """Nothing is held open."""


def _boxes(players: int, tiles: int) -> dict[str, spaces.Space[Any]]:
    return {
        "observation": spaces.Box(0, tiles, (SIDE, SIDE, 2), np.uint8),
        "hand": spaces.Box(0, tiles, (HAND_SIZE,), np.uint8),
        "used": spaces.Box(0, 1, (HAND_SIZE,), np.int8),
        "unseen": spaces.Box(0, 3, (tiles,), np.uint8),
        "scores": spaces.Box(0, np.iinfo(np.int16).max, (players,), np.int16),
        "hand_sizes": spaces.Box(0, HAND_SIZE, (players,), np.int8),
        "bag": spaces.Box(0, 108, (1,), np.uint8),
        "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
    }
