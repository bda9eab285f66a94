"""Nothing that the browser says is missing from the catalogue, and none of its words is unused."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.pofile import read_po

from cartagena.bots.players.registry import LEVELS
from cartagena.messages.accounts import ScopeWord
from cartagena.messages.tables import NewsKind
from cartagena.rules.actions import Kind
from cartagena.rules.refusals import Fault, Refusal
from cartagena.rules.ruleset import PRESETS, SIGNS
from cartagena.tables.sheet import EndingWord
from cartagena.words import languages
from cartagena.words.catalogue import ENGLISH, LOCALE
from scripts.browser_words import RULEBOOK, SAID

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web" / "src"
OTHERS = tuple((ROOT / "scripts").glob("lesson*.py"))
"""Programs that write keys into what the browser reads."""
BEGINNINGS = "|".join(re.escape(beginning) for beginning in (*SAID, *RULEBOOK))
LITERAL = re.compile(
    rf"""(?P<quote>["'`])(?P<key>(?:{BEGINNINGS})(?:\$\{{[^`]*?\}}|\{{[^`"]*?\}}|[\w.-])+)(?P=quote)"""
)
"""A key as a program writes it, whole or with parts to be filled in: `web.table.${{stage}}`."""
TELLER = re.compile(r"""\.(?:say|count)\(\s*(?P<quote>["'`])(?P<key>[^"'`]+)(?P=quote)""")
"""What a teller of the board says; it puts `web.board.` in front by itself."""
WORD = re.compile(r"""["'`]([a-z]\w*\.(?:\$\{[^}]*\}|[\w.])+)["'`]""")
TELLERS = (WEB / "board", WEB / "surface")
"""Folders in which tellers speak."""
ANYTHING = "web.board.${key}"
"""How the teller itself puts a key together; it would excuse every word of the board."""
FILLED = re.compile(r"\$?\{.*?\}")
UNTOLD = ("opened", "promised", "nonce_shown", "renamed")
"""News that the browser does not tell: it is about numbers, or visible anyway."""
PARTS_OF_A_FAMILY = (
    "place.start",
    "place.home",
    "web.board.told.won",
    "web.board.told.you_won",
    "web.replay.extra.won",
    "web.table.ending.won",
    "web.table.log.won",
    "web.board.house.start",
    "web.board.house.home",
    "web.board.region",
    "web.board.grid",
    "web.learn.family",
)
BUILT_BY_HAND = re.compile(rf"""["'`](?:{BEGINNINGS})(?:[\w.-]*\.)?["'`]\s*\+""")
"""A key that is glued together, which no search can find."""


def sources() -> list[Path]:
    found = [file for end in ("*.ts", "*.svelte") for file in WEB.rglob(end)]
    return [*(file for file in found if "generated" not in file.parts), *OTHERS]


def catalogue(language: str = ENGLISH) -> set[str]:
    keys = set()
    for file in (LOCALE / language / "LC_MESSAGES").glob("*.po"):
        with file.open("rb") as lines:
            keys |= {entry.id if isinstance(entry.id, str) else entry.id[0] for entry in read_po(lines)}
    return keys - {""}


def said(text: str) -> Iterator[str]:
    """Every key in the text of a program, with its parts to be filled in."""
    return (match["key"] for match in LITERAL.finditer(text))


def told(text: str) -> Iterator[str]:
    """Every key that a teller says, whole."""
    keys = (match["key"] for match in TELLER.finditer(text))
    return (f"web.board.{key}" for key in keys if not key.startswith((*SAID, *RULEBOOK)))


def fits(pattern: str, key: str) -> bool:
    """Whether `pattern`, as the program wrote it, can give `key`."""
    parts = [re.escape(part) for part in FILLED.split(pattern)]
    return re.fullmatch("[^.]+(?:[.][^.]+)*".join(parts), key) is not None


@pytest.fixture(scope="module")
def spoken() -> dict[str, Path]:
    """Every key of the program, with a file that says it."""
    found: dict[str, Path] = {}
    known = catalogue()
    for file in sources():
        text = file.read_text(encoding="utf-8")
        found |= dict.fromkeys(said(text), file)
        if file.parent in TELLERS or file.parent.parent in TELLERS:
            found |= dict.fromkeys(told(text), file)
            # A key may be one of two, or stand in a table of its own.
            words = (f"web.board.{word}" for word in WORD.findall(text))
            found |= dict.fromkeys((key for key in words if any(fits(key, one) for one in known)), file)
    return {key: file for key, file in found.items() if key != ANYTHING}


def test_every_key_of_the_browser_is_in_the_catalogue(spoken: dict[str, Path]) -> None:
    known = catalogue()
    missing = {
        f"{key} ({file.relative_to(ROOT)})"
        for key, file in spoken.items()
        if key not in known and not any(fits(key, one) for one in known)
    }
    assert sorted(missing) == []


def test_every_word_for_the_browser_is_said(spoken: dict[str, Path]) -> None:
    filled = [key for key in spoken if FILLED.search(key)]
    unsaid = {
        key
        for key in catalogue()
        if key.startswith("web.") and key not in spoken and not any(fits(one, key) for one in filled)
    }
    assert sorted(unsaid) == []


def keys_by_kind() -> Iterator[str]:
    """Keys that the browser puts together from a word of the rules or of the service."""
    yield from (f"refusal.{refusal.code}" for refusal in Refusal)
    yield from (f"web.analysis.fault.{fault.value}" for fault in Fault)
    yield from (f"web.table.hint.{kind.value}" for kind in Kind)
    yield from (f"web.table.ending.{ending}" for ending in get_args(EndingWord) if ending != "won")
    yield from (f"web.news.{kind}" for kind in get_args(NewsKind) if kind not in UNTOLD)
    for level in LEVELS:
        yield from (f"web.level.{level}", f"web.level.{level}.meaning")
    for scope in get_args(ScopeWord):
        yield from (f"web.account.scope.{scope}", f"web.account.scope.{scope}.what")
    for preset in PRESETS:
        yield from (f"ruleset.{preset}", f"web.home.way.{preset}", f"web.home.way.{preset}.hands")
    for family, signs in SIGNS.items():
        yield from (f"{part}.{sign}" for part in ("sign", "web.board.letter") for sign in signs)
        yield from (f"sign.{sign}.{form}" for sign in signs for form in ("with_article", "none"))
        yield from (f"place.{part}.{family}.{end}" for part in ("start", "home") for end in ("from", "to"))
        yield from (f"{part}.{family}" for part in PARTS_OF_A_FAMILY)


@pytest.mark.parametrize("language", languages())
def test_every_kind_has_its_words_in_every_language(language: str) -> None:
    assert sorted(set(keys_by_kind()) - catalogue(language)) == []


@pytest.mark.parametrize("kind", UNTOLD)
def test_news_about_numbers_have_no_words(kind: str) -> None:
    assert kind in get_args(NewsKind)
    assert f"web.news.{kind}" not in catalogue()


def test_no_key_is_glued_together() -> None:
    glued = [file for file in sources() if BUILT_BY_HAND.search(file.read_text(encoding="utf-8"))]
    assert glued == []


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('say("web.table.sit")', ["web.table.sit"]),
        ("say(`web.table.stage.${stage}`)", ["web.table.stage.${stage}"]),
        ("say(`sign.${signs[0] ?? none()}`, {})", ["sign.${signs[0] ?? none()}"]),
        ('{ title: "web.home.title", other: "web" }', ["web.home.title"]),
        ('import { x } from "./web.table"; const y = "sign language"', []),
        ('say(`web.x.${is ? "a" : ""}`)', ['web.x.${is ? "a" : ""}']),
        ('f"web.learn.{name}.task"', ["web.learn.{name}.task"]),
    ],
)
def test_the_search_finds_keys_and_nothing_else(text: str, keys: list[str]) -> None:
    assert list(said(text)) == keys


def test_what_a_teller_says_is_a_word_of_the_board() -> None:
    text = 'teller.say("turn.yours"); teller.count(`light.${light}`, 2); say("web.table.sit")'
    assert list(told(text)) == ["web.board.turn.yours", "web.board.light.${light}"]


def test_a_key_to_be_filled_in_fits_what_it_may_become() -> None:
    assert fits("web.table.stage.${stage}", "web.table.stage.open")
    assert fits("web.${area}.title", "web.home.title")
    assert not fits("web.table.stage.${stage}", "web.table.stage.")
    assert not fits("web.table.stage.${stage}", "web.home.stage.open")
    assert not fits("web.table.sit", "web.table.sitting")
