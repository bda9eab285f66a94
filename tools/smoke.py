"""Install each wheel into a fresh environment and start what it brings: `make smoke`.

Usage: python -m tools.smoke dist/*.whl
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

UV: Final = Path(sys.executable).parent / "uv"
PAGE: Final = "cartagena/server/pages/files/index.html"


def smoke(wheel: Path, folder: Path) -> str:
    """What the program of a freshly installed wheel says of itself; raises when anything does not work."""
    if PAGE not in zipfile.ZipFile(wheel).namelist():
        raise FileNotFoundError(
            f"{wheel.name} has no pages for the browser: build them with `make web` first"
        )
    venv = folder / wheel.stem
    _run(UV, "venv", "--quiet", "--python", sys.executable, venv)
    _run(UV, "pip", "install", "--quiet", "--python", venv / "bin" / "python", wheel)
    program = venv / "bin" / "cartagena"
    _run(program, "--help", cwd=folder)
    _run(program, "new", cwd=folder)
    return _run(program, "--version", cwd=folder).strip()


def _run(*command: object, cwd: Path | None = None) -> str:
    """What a command prints; from a folder where nothing is read from the checkout."""
    return subprocess.run(
        [str(word) for word in command], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def main(names: list[str]) -> int:
    """Try every wheel; an exception tells what failed."""
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
