"""The SVG that all pictures are made of: a page, text, numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from xml.sax.saxutils import escape

from . import palette

PADDING = 16
LABEL_SIZE = 13
TEXT_SIZE = 15
#: Measured widths differ between fonts; this share of the size is wide enough for most letters of most.
LETTER_WIDTH = 0.62

_FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(title: str, description: str, parts: Sequence[str], width: float, height: float, scale: float = 1) -> str:
    """A page with these parts, told in words to whoever cannot see it.  The same arguments give the same text."""
    body = "\n".join(parts)
    name = "qwirkle-" + sha256(f"{title}\n{description}\n{body}".encode()).hexdigest()[:12]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" height="{height * scale:.0f}" '
            f'viewBox="0 0 {number(width)} {number(height)}" role="img" aria-labelledby="{name}-title" '
            f'aria-describedby="{name}-places" font-family="{_FONT}">',
            f'<title id="{name}-title">{safe(title)}</title>',
            f'<desc id="{name}-places">{safe(description)}</desc>',
            f'<rect width="100%" height="100%" rx="10" fill="{palette.PAGE}"/>',
            body,
            "</svg>\n",
        ]
    )


def number(value: float) -> str:
    """A length with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def text(words: str, x: float, y: float, colour: str, size: int, more: str = "") -> str:
    """Words that start at x on the baseline y; ``more``: further attributes."""
    return f'<text x="{number(x)}" y="{number(y)}" fill="{colour}" font-size="{size}"{more}>{safe(words)}</text>'


def safe(words: str) -> str:
    """Words as XML can hold them: what it cannot say at all becomes the replacement character."""
    return escape(_NOT_XML.sub("\ufffd", words))
