"""Pictures of positions, hints and games: for notebooks, and as files.

A picture shows itself in a notebook.  ``save`` takes the format from the file's name: ``.svg``, ``.png``, and for games
also ``.gif`` and ``.webp``; all but ``.svg`` need the extra ``pictures``.

>>> import qwirkle_fast as qf
>>> from qwirkle_fast import pictures
>>> position = qf.Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic")
>>> picture = pictures.of_hints(position, qf.hints(position, simulations=500))
>>> picture.svg.startswith("<svg"), pictures.of_position(position).svg == position._repr_svg_()
(True, True)
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .drawing.animation import Frame, animation_svg, stills
from .drawing.hints import Suggestion, hints_svg
from .drawing.raster import MOVING, moving, png
from .game import Game
from .move import Move
from .position import Position
from .tiles import TileSet

if TYPE_CHECKING:
    from .search import Hint

__all__ = ["Picture", "of_game", "of_hints", "of_position"]


class Picture:
    """A picture: ``svg`` is its text.  ``frames``: the pictures of a moving one, each shown for ``seconds``."""

    def __init__(self, svg: str, frames: Sequence[str] = (), seconds: float = 1.0) -> None:
        self.svg, self.frames, self.seconds = svg, tuple(frames), seconds

    def png(self, *, scale: float = 2.0) -> bytes:
        """As PNG, so many pixels for each unit; of a game its last frame."""
        return png(self.frames[-1] if self.frames else self.svg, scale=scale)

    def save(self, file: str | Path, *, scale: float | None = None) -> None:
        """Write a file in the format of its name.

        A game becomes a moving picture in each of them.  ``ValueError`` for a format that there is not, ``OSError``
        when it cannot be written, :class:`~qwirkle_fast.drawing.raster.NoPictures` where the extra is missing.
        """
        path = Path(file)
        kind = path.suffix.lower().removeprefix(".")
        kinds = ("svg", *MOVING) if self.frames else ("svg", "png")
        if kind not in kinds:
            raise ValueError(f"file: {path.name!r}, expected a name that ends in .{' or .'.join(kinds)}")
        if kind == "svg":
            data = self.svg.encode()
        elif self.frames:
            data = moving(self.frames, kind, seconds=self.seconds, scale=scale or 1.0)
        else:
            data = self.png(scale=scale or 2.0)
        path.write_bytes(data)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        """As an image of its own, so that neither styles nor animation meet those of the page around."""
        data = base64.b64encode(self.svg.encode()).decode()
        return f'<img alt="{_title(self.svg)}" src="data:image/svg+xml;base64,{data}">'


def of_position(position: Position) -> Picture:
    """A position's board and hands."""
    return Picture(position._repr_svg_())


def of_hints(position: Position, hints: Sequence[Hint]) -> Picture:
    """Hints on the board, ranked: the first as ghosts, all listed with points, equity and the chance to win."""
    tile_set = position.rules.tile_set
    suggestions = [_suggestion(hint.move, _words(hint), tile_set) for hint in hints]
    return Picture(hints_svg(position.cells, tile_set, suggestions, hands=position.hands))


def of_game(game: Game, *, seconds: float = 1.0) -> Picture:
    """A whole game, turn by turn, each shown for so many seconds; it begins with the empty board."""
    tile_set = game.rules.tile_set
    scores = [0] * game.players
    frames = [Frame((), "the deal")]
    for turn in game.turns:
        scores[turn.seat] += turn.score
        deed = f"+{turn.score}" if turn.move.is_placement else "passes" if turn.move.is_pass else "exchanges"
        words = f"{game.names[turn.seat]} {deed} \u00b7 {' : '.join(map(str, scores))}"
        frames.append(Frame(_suggestion(turn.move, "", tile_set).placed, words))
    if game.is_over:
        frames.append(Frame((), f"the end ({game.end}) \u00b7 {' : '.join(map(str, game.scores))}"))
    return Picture(animation_svg(frames, tile_set, seconds=seconds), stills(frames, tile_set), seconds)


def _suggestion(move: Move, words: str, tile_set: TileSet) -> Suggestion:
    placed = [(x, y, tile_set.tile(code)) for x, y, code in move.placed]
    return Suggestion(placed, [tile_set.tile(code) for code in move.exchanged], words)


def _words(hint: Hint) -> str:
    win = "" if hint.win is None else f" \u00b7 {100 * hint.win:.1f} %"
    error = "" if hint.exact or hint.stderr is None else f" \u00b1{hint.stderr:.1f}"
    return f"{hint.score} pt \u00b7 {hint.equity:+.1f}{error}{win}"


def _title(svg: str) -> str:
    return svg.partition("<title")[2].partition(">")[2].partition("</title>")[0]
