"""Library internals that our classes rely on: a release that differs is refused at the start."""

import inspect
import ssl
from collections.abc import Mapping
from functools import cache

from cartagena.rules.refusals import CartagenaError

# Whom this machine trusts when it calls others.


@cache
def machine_trusts() -> ssl.SSLContext:
    """The machine's own certificates, read once: reading takes longer than most requests."""
    return ssl.create_default_context()


class LibraryChanged(CartagenaError):
    """A library is not the release that we tested with; the sentence says which to install."""


def require_parts(library: str, whole: type, parts: Mapping[str, tuple[str, ...]]) -> None:
    """Raise LibraryChanged unless a class has these methods with these parameters, after `self`.

    >>> require_parts("json", dict, {"get": ("key", "default")})
    >>> require_parts("json", dict, {"obtain": ()})
    Traceback (most recent call last):
        ...
    cartagena.server.shared.library_checks.LibraryChanged: json: dict.obtain is not what it was; \
install the release that pyproject.toml names
    """
    for name, parameters in parts.items():
        part = getattr(whole, name, None)
        if part is None or tuple(inspect.signature(part).parameters)[1:] != parameters:
            sentence = f"{library}: {whole.__name__}.{name} is not what it was"
            raise LibraryChanged(f"{sentence}; install the release that pyproject.toml names")
