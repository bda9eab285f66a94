"""A folder of generated files; each is replaced in one step, so that another process reads it whole."""

import os
from collections.abc import Mapping
from pathlib import Path


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Make the folder hold these JSON files and no other; a file that is as it should be is not touched.

    Steps of one check run side by side: one may regenerate what another is reading.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        file = folder / name
        if file.is_file() and file.read_bytes() == content:
            continue
        coming = file.with_suffix(f".{os.getpid()}")
        coming.write_bytes(content)
        coming.replace(file)
    for file in folder.glob("*.json"):
        if file.name not in contents:
            file.unlink()
