"""The language of a whole call, also of what Click says by itself: its headings and its errors."""

import contextlib
import gettext
import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Final

from cartagena.words import languages
from cartagena.words.catalogue import LOCALE

DOMAIN: Final = "click"
"""The catalogue whose keys are Click's own sentences: Click asks gettext for each of them."""
FLAG: Final = "--lang"
VARIABLE: Final = "LANGUAGE"
"""The first variable at which gettext looks."""


@contextlib.contextmanager
def language_of(arguments: Sequence[str]) -> Iterator[None]:
    """Speak the language that is asked for, even if the rest of the line cannot be understood."""
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    before = os.environ.get(VARIABLE)
    asked = asked_for(arguments)
    if asked is not None:
        os.environ[VARIABLE] = asked
    try:
        yield
    finally:
        _put_back(before)


def asked_for(arguments: Sequence[str]) -> str | None:
    """The last language named by the flag that is one of ours.

    >>> asked_for(["--lang", "nl", "rules"]), asked_for(["rules", "--lang=sv"]), asked_for(["--lang", "xx"])
    ('nl', 'sv', None)
    """
    named = [text.removeprefix(f"{FLAG}=") for text in arguments if text.startswith(f"{FLAG}=")]
    named += [text for flag, text in itertools.pairwise(arguments) if flag == FLAG]
    known = [text for text in named if text in languages()]
    return known[-1] if known else None


def _put_back(before: str | None) -> None:
    if before is None:
        os.environ.pop(VARIABLE, None)
    else:
        os.environ[VARIABLE] = before
