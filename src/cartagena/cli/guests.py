"""The guests that this person was at services, so that they can come back to their seats.

The file holds tokens: it is for its owner's eyes only, and nothing of it is ever printed.
"""

import contextlib
import json
from typing import Final

from cartagena.cli.data_folder import data_file, keep_text

FILE: Final = "guests.json"


def token_of(service: str, name: str | None) -> str | None:
    """The token of the guest of this name at a service, or of the last one; None if none is known."""
    kept = _kept().get(service, {})
    return kept.get(name) if name is not None else next(reversed(kept.values()), None)


def keep_guest(service: str, name: str, token: str) -> None:
    """Remember a guest as the last one at a service."""
    kept = _kept()
    others = {other: text for other, text in kept.get(service, {}).items() if other != name}
    keep_text(data_file(FILE), json.dumps({**kept, service: {**others, name: token}}, indent=1))


def _kept() -> dict[str, dict[str, str]]:
    """The tokens by service and name; empty if the file is missing or broken."""
    with contextlib.suppress(OSError, ValueError):
        kept = json.loads(data_file(FILE).read_text(encoding="utf-8"))
        if isinstance(kept, dict) and all(isinstance(names, dict) for names in kept.values()):
            return kept
    return {}
