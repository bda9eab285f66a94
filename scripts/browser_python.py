"""Run a module of this checkout in Python for browsers, here in Node.js.

python -m scripts.browser_python pytest tests/rules

What tests import beside the libraries of a device is fetched once, each with the hash that its list names.
"""

import hashlib
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from scripts.browser_device import LIBRARIES, unpack
from scripts.browser_pages import ROOT, WEB, NotBuilt, demand_node, install_packages

FOLDER: Final = ROOT / "build" / "browser-python"
LISTS: Final = (LIBRARIES, WEB / "device-test-libraries.txt")
_DIGITS: Final = 16


def command(*words: str) -> list[str]:
    """What starts a module with its arguments; raises NotBuilt if Node.js or a library cannot be had."""
    node, npm = demand_node()
    if not (WEB / "node_modules" / "pyodide").is_dir():
        install_packages(npm)
    return [node, str(WEB / "scripts" / "python.js"), str(libraries()), *words]


def libraries() -> Path:
    """The folder with the libraries, which is made if these lists have none yet."""
    digest = hashlib.sha256(b"\0".join(listing.read_bytes() for listing in LISTS)).hexdigest()[:_DIGITS]
    folder = FOLDER / digest
    if not folder.is_dir():
        FOLDER.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=FOLDER) as growing:
            site = Path(growing, "site")
            for listing in LISTS:
                unpack(listing, site)
            # Of two programs that do so at once the second one finds it there.
            with suppress(OSError):
                site.rename(folder)
    return folder


def main(words: list[str]) -> int:
    """Run it; the exit code is the module's, or 1 if Python for browsers is not to be had."""
    try:
        return subprocess.run(command(*words), check=False).returncode
    except NotBuilt as reason:
        print(reason, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
