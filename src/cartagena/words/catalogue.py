"""The catalogue of words: a key and some values in, a sentence out."""

import gettext
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

# Words for screens that have no letters but those of ASCII.

_EVERYWHERE: Final = {
    "ß": "ss",
    "æ": "ae",
    "ø": "o",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{EN DASH}": "-",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
}
_OWN: Final = {"de": {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}}
"""How a language spells its letters in ASCII; the others drop the accents."""
_UNKNOWN: Final = "?"


def in_ascii(text: str, language: str = "") -> str:
    """A text spelled with ASCII alone, as its readers would spell it; what cannot be spelled is a `?`.

    >>> in_ascii("Schlüssel zur Größe", "de"), in_ascii("nästet på ön", "sv"), in_ascii("beëindigen", "nl")
    ('Schluessel zur Groesse', 'nastet pa on', 'beeindigen')
    """
    if text.isascii():
        return text
    spelling = str.maketrans(_EVERYWHERE | _OWN.get(language, {}))
    return "".join(map(_spelled, unicodedata.normalize("NFC", text).translate(spelling)))


def in_columns(text: str) -> str:
    """A text in ASCII that is as long as before, for lines that were laid out already.

    >>> in_columns("Zoë…")
    'Zoe.'
    """
    return text if text.isascii() else "".join(in_ascii(letter)[:1] or " " for letter in text)


def _spelled(letter: str) -> str:
    if letter.isascii():
        return letter
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(letter) else _UNKNOWN)


DOMAIN: Final = "cartagena"
WEB: Final = "web"
"""The catalogue of the browser; a page that the service writes takes its words from it too."""
ENGLISH: Final = "en"
LOCALE: Final = Path(__file__).parent / "locale"


class MissingWords(KeyError):
    """No language, not even English, has words for a key."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key

    def __str__(self) -> str:
        return f"no words for {self.key!r}: add it to {DOMAIN}.po of {ENGLISH} and run `make words`"


class _Catalogue(gettext.GNUTranslations):
    """The words of one language that can also say which keys it has."""

    _catalog: dict[str | tuple[str, int], str]

    def keys(self) -> Iterable[str]:
        """Every key, a plural one once."""
        names = (key if isinstance(key, str) else key[0] for key in self._catalog)
        return dict.fromkeys(name for name in names if name)


class Words:
    """The words of one language; what it lacks is said in English.

    Without a language the environment decides, as for every program that uses gettext. `domains` are the
    catalogues that are searched, in this order.

    >>> Words("en").say("place.space", number=7)
    'space 7'
    """

    def __init__(
        self, language: str | None = None, *, ascii_only: bool = False, domains: Sequence[str] = (DOMAIN,)
    ) -> None:
        self._domains = domains
        self._english = _load([ENGLISH], domains)
        self._own = _load(None if language is None else [language], domains) or self._english
        self._spelled: Callable[[str], str] = _speller(self.language) if ascii_only else str

    @property
    def language(self) -> str:
        """The language that is spoken."""
        return self._own[0].info().get("language", ENGLISH) if self._own else ENGLISH

    def in_ascii(self) -> "Words":
        """These words spelled with ASCII alone, and with them every name that is put in."""
        return Words(self.language, ascii_only=True, domains=self._domains)

    def say(self, key: str, **values: object) -> str:
        """The words for a key, with the named values put in; raises MissingWords if there are none."""
        return self._spelled(self._text(key, None).format_map(values))

    def count(self, key: str, number: int, **values: object) -> str:
        """The words for a number of things, in the right plural form; `{number}` stands for the number."""
        return self._spelled(self._text(key, number).format_map({"number": number, **values}))

    def keys(self, *beginnings: str) -> list[str]:
        """Every key of the English catalogue that begins in one of these ways, sorted."""
        keys = (key for catalogue in self._english for key in catalogue.keys())  # noqa: SIM118  # no dict
        return sorted(key for key in keys if key.startswith(beginnings or ""))

    def _text(self, key: str, number: int | None) -> str:
        for catalogue in (*self._own, *self._english):
            text = catalogue.gettext(key) if number is None else catalogue.ngettext(key, key, number)
            if text != key:
                return text
        raise MissingWords(key)


def languages() -> list[str]:
    """The languages that have a catalogue."""
    return sorted(path.name for path in LOCALE.iterdir() if path.is_dir())


def _load(names: list[str] | None, domains: Sequence[str]) -> list[_Catalogue]:
    """The catalogues of a language; missing ones are skipped."""
    found = []
    for domain in domains:
        with suppress(FileNotFoundError):
            found.append(gettext.translation(domain, LOCALE, names, class_=_Catalogue))
    return found


def _speller(language: str) -> Callable[[str], str]:
    # Imported here: help and completion need none of it.
    from cartagena.words.catalogue import in_ascii  # noqa: PLC0415

    return lambda text: in_ascii(text, language)
