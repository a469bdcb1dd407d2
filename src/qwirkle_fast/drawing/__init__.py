"""Pictures of boards and of games: SVG for pages and notebooks, text for terminals.

It knows tiles and where they lie, and nothing of rules, positions or search.
"""

from .chart import ChartTurn, game_chart_svg
from .palette import PALETTE
from .svg import board_svg
from .terminal import board_text, hand_text

__all__ = ["PALETTE", "ChartTurn", "board_svg", "board_text", "game_chart_svg", "hand_text"]
