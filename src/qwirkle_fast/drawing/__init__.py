"""Pictures of boards: SVG for pages and notebooks, text for terminals.

It knows tiles and where they lie, and nothing of rules, positions or search.
"""

from .palette import PALETTE
from .svg import board_svg
from .terminal import board_text, hand_text

__all__ = ["PALETTE", "board_svg", "board_text", "hand_text"]
