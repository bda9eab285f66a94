"""Which of our languages a reader wants, by what the browser or the chat program says."""

from typing import Final

from cartagena.server.pages.encodings import wishes_of
from cartagena.words.catalogue import ENGLISH

LOCALES: Final = {"de": "de_DE", "en": "en_GB", "nl": "nl_NL", "sv": "sv_SE"}
"""Our languages, each as Open Graph names it."""


def best_language(accepted: bytes) -> str:
    """Return the most wanted of our languages, ignoring the country; English if none is wanted.

    >>> best_language(b"fr, nl-BE;q=0.8, de;q=0.9")
    'de'
    >>> best_language(b"tlh")
    'en'
    """
    wishes = [(weight, tag.partition("-")[0]) for tag, weight in wishes_of(accepted).items()]
    ours = [(weight, language) for weight, language in wishes if language in LOCALES and weight > 0.0]
    # Of equally wanted languages the first counts, as it does in the browser.
    return max(ours, key=lambda wish: wish[0])[1] if ours else ENGLISH
