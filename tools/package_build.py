"""Build the source package and the wheel from a copy of the checkout, so that two builds can be compared."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = Path("src/cartagena/server/pages/files")
"""The built pages: not in the repository, but in the package."""


@dataclass(frozen=True, slots=True)
class Built:
    """What one build made."""

    sources: Path
    wheel: Path


def copy_checkout(target: Path) -> None:
    """Copy what the repository holds and the built pages, and no other files."""
    copy_repository(target)
    shutil.copytree(ROOT / PAGES, target / PAGES)


def copy_repository(target: Path) -> None:
    """Copy what the repository holds, including uncommitted changes."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    told = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [name for name in told.split("\0") if name and (ROOT / name).is_file()]
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name)


def build(folder: Path, out: Path, *, through_sources: bool, compiled: bool = False) -> Built:
    """Build both; the wheel from the folder itself, or from the source package as an installer would."""
    kinds = [] if through_sources else ["--sdist", "--wheel"]
    command = [sys.executable, "-m", "build", "--no-isolation", *kinds, "--outdir", str(out), str(folder)]
    done = subprocess.run(
        command, env=_environment(compiled=compiled), capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return Built(sources=next(out.glob("*.tar.gz")), wheel=next(out.glob("*.whl")))


def _environment(*, compiled: bool) -> dict[str, str]:
    return {
        **os.environ,
        "CARTAGENA_COMPILE": str(int(compiled)),
        "CARTAGENA_PAGES": "1",
        "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or _moment_of_the_last_commit(),
    }


def _moment_of_the_last_commit() -> str:
    command = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
