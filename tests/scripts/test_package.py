"""The check of the package notices a licence that is not told, and a dependency that nobody wrote down."""

from email.message import Message
from pathlib import Path

import pytest

from scripts import package_check
from scripts.package_check import CREDITS, Room, missing_licences

EXPRESSION = "Apache-2.0 AND BSD-3-Clause AND CC-BY-3.0 AND ISC AND MIT AND MPL-2.0 AND OFL-1.1 AND PSF-2.0"
TEXTS = {file.name: file.read_text(encoding="utf-8") for file in Path("web/public/licences").glob("*.txt")}
TEXTS["NOTICE"] = Path("web/NOTICE").read_text(encoding="utf-8")


def missing(expression: str = EXPRESSION, **changed: str) -> list[str]:
    about = Message()
    about["License-Expression"] = expression
    texts = TEXTS | {name.replace("_", "-") + ".txt": text for name, text in changed.items()}
    return list(missing_licences(about, texts, CREDITS.read_text(encoding="utf-8")))


def test_everything_in_the_credits_has_its_licence() -> None:
    assert missing() == []


def test_a_licence_that_is_not_in_the_expression_is_noticed() -> None:
    assert missing(EXPRESSION.replace(" AND OFL-1.1", "")) == [
        "OFL 1.1 of im-fell-english.txt is not in the licence expression",
        "OFL 1.1 of alegreya-sans.txt is not in the licence expression",
    ]


def test_a_licence_without_its_text_and_an_icon_without_its_author_are_noticed() -> None:
    assert missing(uqr="") == ["uqr.txt is not among the licence files"]
    icons = TEXTS["game-icons.txt"].replace("lorc/anchor.html", "")
    assert missing(game_icons=icons) == ["game-icons.txt does not name anchor by Lorc"]


ROOMS = [Room("", {"cartagena": 5_000_000, "click": 400_000}), Room("client", {"cartagena": 5, "httpx": 6})]


def test_the_page_tells_what_each_extra_brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "package.md"
    page.write_text("# The package\n\nBy hand.\n\n" + package_check.BEGIN + "old\n", encoding="utf-8")
    monkeypatch.setattr(package_check, "PAGE", page)
    package_check.write(ROOMS)
    written = page.read_text(encoding="utf-8")
    assert written.startswith("# The package\n\nBy hand.\n\n")
    assert "| `cartagena` | 5.00 MB |\n| `click` | 0.40 MB |" in written
    assert package_check.differences(ROOMS) == []


def test_a_package_that_came_or_went_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "package.md"
    page.write_text(package_check.BEGIN, encoding="utf-8")
    monkeypatch.setattr(package_check, "PAGE", page)
    package_check.write(ROOMS)
    grown = [Room("", {"cartagena": 1, "click": 1, "numpy": 1}), Room("client", {"cartagena": 1})]
    assert package_check.differences(grown) == ["cartagena: numpy is new", "cartagena[client]: httpx is gone"]
