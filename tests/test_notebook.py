"""The example notebook runs from top to bottom and shows pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numba")
nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOK = Path(__file__).parent.parent / "examples" / "tour.ipynb"


def test_the_notebook_is_kept_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert not any(cell.outputs or cell.execution_count for cell in code)


def test_the_notebook_runs_and_shows_pictures(tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [
        output.data
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "execute_result"
    ]
    drawn = [data["image/svg+xml"] for data in shown if "image/svg+xml" in data]
    assert len(drawn) == 5
    assert all(svg.startswith("<svg") for svg in drawn)
    assert any("<animate" in svg or "@keyframes" in svg for svg in drawn)
    assert any("text/html" in data for data in shown)
    assert (tmp_path / "position.svg").read_text(encoding="utf-8").startswith("<svg")
