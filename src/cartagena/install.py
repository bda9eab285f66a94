"""How this package is installed: the one place that knows whether a package index has it."""

import json
import shlex
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

NAME: Final = "cartagena"
PUBLISHED: Final = False
"""Whether `pip install cartagena` finds it; a test names the lines of README and docs that must follow."""
NODE: Final = "20.19"
"""The oldest Node.js that builds the pages for browsers; `web/package.json` says the same."""
_CHECKOUT: Final = "."
_PAGES: Final = "web"
"""The folder of the package `cartagena-web` in a checkout."""


class Origin(NamedTuple):
    """What an installer was given: the folder of a checkout, or a wheel."""

    path: Path
    is_editable: bool = False


def install_command(extra: str = "", origin: Origin | None = None) -> str:
    """The command that installs an extra, from the origin if it is known.

    >>> install_command("client", Origin(Path("/home/anne/cartagena")))
    "pip install '/home/anne/cartagena[client]'"
    """
    flags = "--editable " if origin and origin.is_editable else ""
    pages = _pages_for(extra, origin)
    return f"pip install {pages}{flags}{shlex.quote(_place(origin) + (f'[{extra}]' if extra else ''))}"


def pages_command(origin: Origin | None = None) -> str:
    """The command that builds the pages for browsers from a checkout and leaves other packages as they are.

    >>> pages_command()
    'pip install --force-reinstall --no-deps ./web'
    """
    if origin and origin.is_editable:
        return f"make -C {shlex.quote(str(origin.path))} web"
    # Installing a wheel without pages again would not bring any.
    place = str(origin.path) if origin and origin.path.is_dir() else _CHECKOUT
    return f"pip install --force-reinstall --no-deps {shlex.quote(f'{place}/{_PAGES}')}"


def _pages_for(extra: str, origin: Origin | None) -> str:
    """Where the pages come from, which a server needs, as long as no package index has them."""
    if "server" not in extra.split(",") or (origin is None and PUBLISHED):
        return ""
    if origin is None or origin.path.is_dir():
        place = str(origin.path) if origin else _CHECKOUT
        flags = "--editable " if origin and origin.is_editable else ""
        return f"{flags}{shlex.quote(f'{place}/{_PAGES}')} "
    return f"--find-links {shlex.quote(str(origin.path.parent))} "


def installed_from() -> Origin | None:
    """Where this installation came from; None if from an index, without an installer, or no longer there.

    Installers write it down as PEP 610 says.
    """
    # Imported here: it is needed only if something is missing, and takes longer than the whole help page.
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415

    try:
        text = distribution(NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    return _read(text) if text else None


def _read(direct_url: str) -> Origin | None:
    told = json.loads(direct_url)
    address = urlsplit(told["url"])
    path = Path(url2pathname(address.path))
    if address.scheme != "file" or not path.exists():
        return None
    return Origin(path, is_editable=told.get("dir_info", {}).get("editable", False))


def _place(origin: Origin | None) -> str:
    if origin is not None:
        return str(origin.path)
    return NAME if PUBLISHED else _CHECKOUT
