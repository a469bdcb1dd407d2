"""Pictures as pixels: PNG of any picture, and moving pictures of several.  Needs the extra ``pictures``."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from .palette import PAGE

#: The formats of moving pictures, by the end of a file's name.
MOVING = {"gif": "GIF", "png": "PNG", "webp": "WEBP"}


class NoPictures(ImportError):
    """The extra ``pictures`` is not installed."""


def png(svg: str, *, scale: float = 2.0) -> bytes:
    """A picture as PNG, so many pixels for each of its units.  Raises :class:`NoPictures` where it cannot."""
    try:
        import resvg_py
    except ImportError as error:
        raise _missing(error) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=scale))


def moving(svgs: Sequence[str], kind: str, *, seconds: float = 1.0, scale: float = 1.0) -> bytes:
    """Pictures of one size, one after the other and again from the start, as ``gif``, ``png`` (APNG) or ``webp``.

    The last stays for longer.  Raises :class:`NoPictures` where that is not possible.
    """
    if kind not in MOVING:
        raise ValueError(f"kind: {kind!r}, expected gif, png or webp")
    try:
        from PIL import Image
    except ImportError as error:
        raise _missing(error) from None
    frames = []
    for svg in svgs:
        with Image.open(BytesIO(png(svg, scale=scale))) as image:
            ground = Image.new("RGBA", image.size, PAGE)
            ground.alpha_composite(image.convert("RGBA"))
            frames.append(ground.convert("RGB"))
    times = [round(1000 * seconds)] * (len(frames) - 1) + [round(4000 * seconds)]
    data = BytesIO()
    frames[0].save(data, MOVING[kind], save_all=True, append_images=frames[1:], duration=times, loop=0)
    return data.getvalue()


def _missing(error: ImportError) -> NoPictures:
    return NoPictures(f"pictures: {error}, expected the extra pictures (pip install 'qwirkle-fast[pictures]')")
