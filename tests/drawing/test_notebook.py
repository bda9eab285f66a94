"""The notebook of the tutorials runs from its first cell to its last and shows pictures."""

from base64 import b64encode
from pathlib import Path

import nbconvert
import nbformat
import pytest
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorials" / "notebook.ipynb"
SHARED = Path(nbconvert.__file__).parents[4] / "share" / "jupyter"
"""Where its templates are installed, even if another environment runs the test."""
IMAGE = 'src="data:image/svg+xml;base64,'
PICTURE_BEGINS = b64encode(b"<svg x").decode()
PICTURES = 5
"""A game, the same later, its position, a view and a record."""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_notebook_runs_and_shows_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_PATH", str(SHARED))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    ExecutePreprocessor(timeout=120).preprocess(notebook, {"metadata": {"path": str(NOTEBOOK.parent)}})
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output.data["image/svg+xml"] for output in shown if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) == PICTURES
    assert all(picture.startswith("<svg") for picture in pictures)
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert page.count(f"{IMAGE}{PICTURE_BEGINS}") == PICTURES
