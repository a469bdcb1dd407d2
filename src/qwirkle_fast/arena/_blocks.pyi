from collections.abc import Sequence
from typing import Any

from ..rules import Rules

def greedy_games(
    rules: Rules, players: int, seeds: Sequence[int]
) -> list[tuple[list[list[str]], list[str], list[dict[str, Any]], list[int], str, float]]: ...
