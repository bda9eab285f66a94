"""Traces of cards and secrets in any text: in words, numbers, letters or bytes, as the program writes them.

What a client is sent is compared with what it may know (`play_secrets`). For logs and sentences there is no
such comparison, so they are searched: for secrets as they are, and for cards.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from cartagena.notation.names import CARD_BY_WORD
from cartagena.rules.ruleset import GOLD
from cartagena.rules.undoable_game import UndoableGame

RUN: Final = 4
"""This many plainly written cards in a row are no accident."""
HAND: Final = 6
"""Runs of this many cards that may be part of an id are compared with the truth; no hand is smaller."""
PREFIX: Final = 16
"""How many first letters of a secret are looked up before the whole of it is compared."""

WORDS: Final = {word: card for words in CARD_BY_WORD.values() for word, card in words.items()}
EVERYDAY: Final = frozenset({"key", "map", "hat"})
"""Card words that ordinary sentences use too; any other card word always means a card."""

_LETTERS: Final = "abcdefghijklmn"
_ANY: Final = "|".join(sorted(WORDS, key=len, reverse=True))
_TELLING: Final = re.compile(
    rf"\b(?:{'|'.join(word for word in WORDS if word not in EVERYDAY)})\b", re.IGNORECASE
)
_WORD_RUNS: Final = re.compile(rf"\b(?:{_ANY})\b(?:\*\d+)?(?:[^a-z0-9]{{1,4}}(?:{_ANY})\b(?:\*\d+)?)*")
_WORD: Final = re.compile(rf"\b({_ANY})\b(?:\*(\d+))?")
_NUMBER_RUNS: Final = re.compile(rf"(?<![\w.:-])(?:\d{{1,2}}(?:, ?| )){{{RUN - 1},}}\d{{1,2}}(?![\w:-])")
_ESCAPES: Final = re.compile(rf"(?:\\+(?:x0[0-9a-d]|[tnr])){{{RUN},}}")
_LETTER_RUNS: Final = re.compile(rf"\b[a-n]{{{HAND},}}\b")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_HEX: Final = re.compile(rf"(?:0[0-9a-d]){{{HAND},}}")
_ID: Final = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
"""The id of a game or a player; one in a hundred thousand ends in twelve letters that look like cards."""
_ESCAPED: Final = {"t": 9, "n": 10, "r": 13}


@dataclass(slots=True)
class Secrets:
    """What no one may read before the end of a game, and tokens that only their owner may ever read."""

    texts: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)
    """Secrets as they are written, by their first letters, each with what it is."""
    runs: set[tuple[int, ...]] = field(default_factory=set, repr=False)
    """Every run of `HAND` hidden cards: from each order as it lies, and from each hand as it is sorted."""

    def add(self, others: "Secrets") -> None:
        """Add the secrets of another game."""
        self.runs |= others.runs
        for prefix, texts in others.texts.items():
            self.texts.setdefault(prefix, {}).update(texts)

    def add_text(self, name: str, secret: str) -> None:
        """Add a secret that is a text."""
        self.texts.setdefault(secret[:PREFIX], {})[secret] = name

    def add_bytes(self, name: str, secret: bytes) -> None:
        """Add a secret of bytes, in every form in which bytes are written."""
        self.add_text(name, secret.hex())
        self.add_text(name, base64.b64encode(secret).decode().rstrip("="))
        self.add_text(name, base64.urlsafe_b64encode(secret).decode().rstrip("="))
        self.add_text(name, repr(secret)[2:-1])

    def add_cards(self, cards: Iterable[int]) -> None:
        """Add an order of cards, or a hand."""
        row = tuple(cards)
        self.runs.update(row[place : place + HAND] for place in range(len(row) - HAND + 1))

    def add_game(self, game: UndoableGame) -> None:
        """Add every order and every hand of a whole game."""
        self.add_cards(game.opening.order)
        again = UndoableGame(game.opening)
        self._add_hands(again)
        for event in game.events:
            again.replay(event)
            for order in event.orders:
                self.add_cards(order)
            self._add_hands(again)

    def _add_hands(self, game: UndoableGame) -> None:
        for crew in game.position.crews:
            self.add_cards(crew.cards())

    def found_in(self, text: str) -> Iterator[str]:
        """What a text gives away of all this."""
        yield from self._secrets_in(text)
        for how, run in runs_in(_ID.sub("", text)):
            windows = (run[place : place + HAND] for place in range(len(run) - HAND + 1))
            if how in PLAIN or any(window in self.runs for window in windows):
                yield f"cards as {how}"
        yield from (f"the card {word.lower()}" for word in _TELLING.findall(text))

    def _secrets_in(self, text: str) -> Iterator[str]:
        for place in range(len(text) - PREFIX + 1):
            for secret, name in self.texts.get(text[place : place + PREFIX], {}).items():
                if text.startswith(secret, place):
                    yield name

    def found_in_line(self, line: str) -> list[str]:
        """What a line of a log gives away, by its text or by one of its values."""
        found = list(self.found_in(line))
        try:
            values = list(strings_of(msgspec.json.decode(line)))
        except msgspec.MsgspecError:
            values = []
        return found + [f"the card {value}" for value in values if value in EVERYDAY]


PLAIN: Final = frozenset({"words", "numbers", "escaped bytes"})
"""Forms that never occur by accident; the others look like ids and are compared with the truth."""


def strings_of(tree: object) -> Iterator[str]:
    """Every text among the values of a JSON tree."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for value in tree.values():
            yield from strings_of(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from strings_of(value)


def runs_in(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Everything in a text that may be a run of cards, and how it is written."""
    yield from _plain_runs(text)
    for found in _LETTER_RUNS.finditer(text):
        yield "letters", tuple(map(_LETTERS.index, found[0]))
    for found in _HEX.finditer(text):
        yield "hexadecimal digits", tuple(bytes.fromhex(found[0]))
    for found in _BASE64.finditer(text):
        yield from (("base64", run) for run in _decoded(found[0]))


def _plain_runs(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    for found in _WORD_RUNS.finditer(text):
        run = tuple(WORDS[word] for word, times in _WORD.findall(found[0]) for _ in range(int(times or 1)))
        if len(run) >= RUN:
            yield "words", run
    for found in _NUMBER_RUNS.finditer(text):
        run = tuple(map(int, re.findall(r"\d+", found[0])))
        if max(run) < 2 * GOLD:
            yield "numbers", run
    for found in _ESCAPES.finditer(text):
        bytes_ = re.findall(r"\\+(?:x0([0-9a-d])|([tnr]))", found[0])
        yield "escaped bytes", tuple(int(digit, 16) if digit else _ESCAPED[sign] for digit, sign in bytes_)


def _decoded(text: str) -> Iterator[tuple[int, ...]]:
    """The runs of cards in a base64 text, wherever in it they begin."""
    for skipped in range(4):
        cut = text[skipped:].rstrip("=").replace("-", "+").replace("_", "/")
        cut = cut[:-1] if len(cut) % 4 == 1 else cut
        try:
            data = base64.b64decode(cut + "=" * (-len(cut) % 4))
        except (binascii.Error, ValueError):
            continue
        for run in re.findall(rb"[\x00-\x0d]{%d,}" % HAND, data):
            yield tuple(run)
