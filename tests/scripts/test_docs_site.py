"""The docs site fails to build where the reference says of a field what Python says by itself."""

from pathlib import Path
from typing import Final

import pytest
from sphinx.cmd.build import main

from scripts import docs_site

PAIR: Final = """
from typing import NamedTuple


class Pair(NamedTuple):
    left: int
    right: int
"""
PAGE: Final = """Pairs
=====

.. autoclass:: documented_pair.Pair
   :members:
   :undoc-members:
"""


def built(folder: Path) -> int:
    """How a site of one page ends, whose warnings are errors as in `make docs`."""
    (folder / "documented_pair.py").write_text(PAIR, encoding="utf-8")
    (folder / "docs").mkdir()
    (folder / "docs" / "index.rst").write_text(PAGE, encoding="utf-8")
    extensions = "extensions=sphinx.ext.autodoc,scripts.docs_site"
    return main(["-C", "-q", "-W", "-D", extensions, str(folder / "docs"), str(folder / "site")])


@pytest.fixture(autouse=True)
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)


def test_fields_are_named_without_a_number(tmp_path: Path) -> None:
    assert built(tmp_path) == 0
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "left" in page
    assert docs_site.FIELD not in page


def test_a_page_that_numbers_fields_fails_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(docs_site, "_speak_plainly", lambda *_: None)
    assert built(tmp_path) != 0
    assert docs_site.FIELD in capsys.readouterr().err
