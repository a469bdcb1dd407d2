"""Make the distributions of a whole game of Qwixx: ``python tools/qwixx_distribution.py`` writes ``distributions.json``
of the package, from the solved game.  Takes half a minute, and is to be done again when the table's version changes.
"""

from __future__ import annotations

import json
from pathlib import Path

from qwirkle_fast.qwixx import Rules, Sheet, Solitaire, solitaire


def main() -> None:
    content: dict[str, object] = {"version": solitaire.VERSION}
    for rules in (Rules(), Rules(finish_turn=True)):
        content[solitaire.name_of(rules)] = Solitaire.load(rules).walked(Sheet())
    file = Path(solitaire.__file__).with_name(solitaire.FILE)
    file.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
