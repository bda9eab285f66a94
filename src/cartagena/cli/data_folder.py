"""The folder of this person's own files: guests of services, games."""

import contextlib
from pathlib import Path

from cartagena.cli.keeping import write_text


def data_file(name: str) -> Path:
    """The path of a file of this person, whether it exists or not."""
    from platformdirs import user_data_path  # noqa: PLC0415 - only who plays on a screen waits for it

    return user_data_path("cartagena", appauthor=False) / name


def keep_text(file: Path, text: str) -> bool:
    """Keep a text for its owner's eyes only; False if it cannot be kept, which does not stop the game."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(file, text)
        return True
    return False
