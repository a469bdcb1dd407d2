"""The figures of the manual: a part that is not taken stays, a part is written whole, and every table can be shown."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("numba")

DOCS = Path(__file__).parent.parent / "docs"


def tool() -> ModuleType:
    """The script; the directive of the manual has the same name."""
    import endgames  # noqa: F401

    spec = importlib.util.spec_from_file_location("tools_figures", DOCS.parent / "tools" / "figures.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_part_that_is_not_taken_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = tool()
    file = tmp_path / "figures.json"
    monkeypatch.setattr(figures, "PARTS", {"speed": lambda quick: {"rates": []}, "strength": lambda quick: 1 / 0})
    monkeypatch.setattr(sys, "argv", ["figures.py", "speed", "--quick", "--file", str(file)])
    file.write_text(json.dumps({"strength": {"matches": ["kept"]}, "speed": {"rates": ["old"]}}))
    figures.main()
    kept = json.loads(file.read_text())
    assert kept["strength"] == {"matches": ["kept"]}
    assert kept["speed"]["rates"] == []
    assert kept["speed"]["taken"]["quick"] is True

    before = file.read_text()
    monkeypatch.setattr(sys, "argv", ["figures.py", "strength", "--file", str(file)])
    with pytest.raises(ZeroDivisionError):
        figures.main()
    assert file.read_text() == before


def test_the_players_of_all_matches_can_be_made() -> None:
    from qwirkle_fast.arena import Match
    from qwirkle_fast.arena.players import check_players

    for pairing in tool().PAIRINGS:
        match = Match(pairing.players, seats=pairing.seats, rules=pairing.rules, game=pairing.game)
        check_players(match, here=True)
        assert pairing.games % pairing.seats == 0


def test_every_table_shows_its_figures() -> None:
    pytest.importorskip("sphinx")
    spec = importlib.util.spec_from_file_location("docs_figures", DOCS / "figures.py")
    assert spec
    assert spec.loader
    shown = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shown)
    parts = json.loads(shown.FILE.read_text(encoding="utf-8"))
    for part, table in shown.TABLES.values():
        assert len(table(parts[part])) > 50
    assert [shown.rounded(value) for value in (0.09317, 5.5, 12345.6, 61414441.0)] == [
        "0.0932",
        "5.5",
        "12,300",
        "61,400,000",
    ]
