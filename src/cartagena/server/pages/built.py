"""The built files: listed once, at startup, each with its packed forms, of which a browser gets the best."""

import hashlib
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

BROTLI: Final = "br"
GZIP: Final = "gzip"
IDENTITY: Final = "identity"

SUFFIXES: Final = {BROTLI: ".br", GZIP: ".gz"}
"""How the build names the packed forms of a file, smallest first."""


def best_encoding(accepted: bytes, made: Container[str]) -> str:
    """The smallest form that was made and is accepted; the plain one is always there.

    >>> best_encoding(b"gzip, deflate, br", {"br", "gzip"})
    'br'
    >>> best_encoding(b"gzip;q=1.0, br;q=0", {"br", "gzip"})
    'gzip'
    >>> best_encoding(b"*", {"gzip"})
    'gzip'
    """
    wishes = wishes_of(accepted)
    for encoding in SUFFIXES:
        if encoding in made and wishes.get(encoding, wishes.get("*", 0.0)) > 0.0:
            return encoding
    return IDENTITY


def wishes_of(accepted: bytes) -> dict[str, float]:
    """Return the weight of each name in an Accept header, in order; 0 if the weight cannot be read."""
    wishes = {}
    for part in accepted.decode("latin-1").lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        wishes[name] = _weight(parameters)
    return wishes


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0


def _installed() -> Path | None:
    try:
        import cartagena_web  # noqa: PLC0415 - a service for terminals and programs works without it
    except ModuleNotFoundError:
        return None
    return cartagena_web.FILES


FILES: Final = _installed()
"""The pages, in a package of their own; None where it is not installed."""
INDEX: Final = "/index.html"
"""The path of the client's one page."""
HTML: Final = "text/html; charset=utf-8"

MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": HTML,
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}
"""By file suffix. Python's own table reads files of the machine, and machines differ."""
_UNKNOWN: Final = "application/octet-stream"
_TAG_LETTERS: Final = 20
_LARGE: Final = 200_000
"""Larger files are read when somebody asks: few do, and every process would hold them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileForm:
    """A file as it is sent: plain or packed."""

    source: bytes | Path = field(repr=False)
    """The content, or where it lies."""
    tag: str
    """Its ETag; a packed form has other content and so another tag."""

    @property
    def content(self) -> bytes:
        """What is sent."""
        return self.source if isinstance(self.source, bytes) else self.source.read_bytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFile:
    """A file and all its forms, by encoding."""

    media_type: str
    forms: Mapping[str, FileForm]


def has_pages(folder: Path | None = FILES) -> bool:
    """Whether there is anything to show to a browser."""
    return folder is not None and (folder / INDEX.removeprefix("/")).is_file()


@cache
def built_pages() -> Mapping[str, BuiltFile]:
    """The pages of this installation: what is installed does not change while a process runs."""
    return read_built(FILES)


def read_built(folder: Path | None) -> dict[str, BuiltFile]:
    """Every file of a build by its path in the site; nothing if nothing was built."""
    if folder is None:
        return {}
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {
        f"/{name.as_posix()}": _read(folder / name)
        for name in (file.relative_to(folder) for file in files)
        if is_public(name)
    }


def digest_of(content: bytes) -> str:
    """Return the start of every tag of some content."""
    return hashlib.sha256(content).hexdigest()[:_TAG_LETTERS]


def is_known(tag: str, known: bytes | None) -> bool:
    """Whether the reader already has what this tag stands for; a proxy may have made its tags weak."""
    if known is None:
        return False
    tags = [each.strip().removeprefix("W/") for each in known.decode("latin-1").split(",")]
    return tag in tags or tags == ["*"]


def is_public(name: Path) -> bool:
    """Whether a file may be requested: neither a packed form nor one of the build's own notes."""
    is_hidden = any(part.startswith(".") for part in name.parts)
    return not is_hidden and name.suffix not in SUFFIXES.values()


def _read(file: Path) -> BuiltFile:
    digest = digest_of(file.read_bytes())
    forms = {IDENTITY: FileForm(source=_source(file), tag=f'"{digest}"')}
    for encoding, suffix in SUFFIXES.items():
        packed = file.with_name(file.name + suffix)
        if packed.is_file():
            forms[encoding] = FileForm(source=_source(packed), tag=f'"{digest}-{encoding}"')
    return BuiltFile(media_type=MEDIA_TYPES.get(file.suffix, _UNKNOWN), forms=forms)


def _source(file: Path) -> bytes | Path:
    return file if file.stat().st_size > _LARGE else file.read_bytes()
