"""What the pages let a reader write passes mypy at its strictest, without a cast or an assert."""

import re
import sys
from pathlib import Path
from typing import Final

import pytest
from mypy import api

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (
    "README.md",
    "docs/tutorials/write-a-bot.md",
    "docs/tutorials/play-over-http.md",
    "docs/reference/python.md",
    "docs/environment.md",
    "docs/how-to/run-a-bot.md",
    "docs/arena.md",
    "docs/notation.md",
)
UNTYPED: Final = "pyspiel"
"""What comes without types of its own."""
BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs_of(page: str) -> list[str]:
    """The programs of a page, and what its sessions type."""
    found = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    typed = [code for code in found if UNTYPED not in code]
    return [code if not code.startswith(">>> ") else typed_in(code) for code in typed]


def typed_in(session: str) -> str:
    lines = [line[4:] for line in session.splitlines() if line.startswith((">>> ", "... "))]
    return "\n".join([*lines, ""])


def check(folder: Path) -> tuple[str, int]:
    """What mypy says of every program in a folder."""
    told, _, code = api.run(
        ["--strict", "--no-error-summary", "--python-executable", sys.executable, str(folder)]
    )
    return told, code


def test_what_readers_write_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for page in PAGES:
        programs = programs_of(page)
        assert programs
        # An assert may say what comes out, but not of which type a value is.
        assert not re.search(r"assert isinstance|is not None|\bcast\(|type: ignore", "".join(programs))
        name = page.replace("/", "_").replace("-", "_").removesuffix(".md")
        (tmp_path / f"{name}.py").write_text("\n".join(programs), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert check(tmp_path) == ("", 0)
    (tmp_path / "wrong.py").write_text(
        "from cartagena import Game\nGame.start(seats='two')\n", encoding="utf-8"
    )
    told, code = check(tmp_path)
    assert ('"seats"' in told, code) == (True, 1)
