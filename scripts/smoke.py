"""Install each wheel into a fresh environment and start what it brings: `make smoke`.

Usage: python -m scripts.smoke dist/*.whl
"""

import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from scripts.package_check import PAGES_WHEEL, Call, install, tried

PAGE: Final = "cartagena_web/files/index.html"
PARTS: Final = "cartagena_web/files/engine/parts.json"


def smoke(wheel: Path, folder: Path) -> str:
    """What the program of a freshly installed wheel prints about itself, or what a wheel of pages holds."""
    if wheel.name.startswith(PAGES_WHEEL):
        names = zipfile.ZipFile(wheel).namelist()
        if not {PAGE, PARTS} <= set(names):
            sys.exit(f"{wheel.name} has no pages for the browser: build them with `make web` first")
        return f"{len(names)} files"
    room = folder / wheel.stem
    install(room, wheel)
    for argument in ("--help", "new"):
        tried(room, Call(("cartagena", argument)))
    return tried(room, Call(("cartagena", "--version"))).strip()


def main(names: list[str]) -> int:
    """Try every wheel; stop at the first thing that does not work."""
    if not names:
        print("no wheel to try: run `make wheel` first", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            wheel = Path(name).resolve()
            print(f"{wheel.name}: {smoke(wheel, Path(folder))}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
