"""The build of `cartagena-web`: the pages by Node.js, from the checkout around this folder.

CARTAGENA_PAGES=1 demands pages of these sources, 0 builds none. Unset or ``auto`` builds them if it can
and says so if it cannot; an editable install then leaves them to `make web`.
"""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.errors import OptionError

PAGES = Path("package/cartagena_web/files/index.html")
"""There if the pages are built."""

CHECKOUT = Path("..").resolve()
BUILDERS = ("browser_device", "browser_pages")
"""Missing where only built pages were copied to, as in the build of the image."""


class BuildPyWithPages(build_py):
    """Build the pages, then copy them; an editable install reads them where they are built."""

    def run(self) -> None:
        """Build pages as CARTAGENA_PAGES wishes; say so if they are missing."""
        wish = os.environ.get("CARTAGENA_PAGES") or "auto"
        if wish not in {"0", "1", "auto"}:
            raise OptionError(f"CARTAGENA_PAGES is {wish!r}; it may be 0, 1 or auto")
        if wish == "1" and not build_pages():
            raise OptionError("CARTAGENA_PAGES is 1, but the pages for browsers cannot be built, see above")
        if wish == "auto" and not self.editable_mode and not build_pages():
            tell_what_is_missing()
        super().run()


def build_pages() -> bool:
    """Whether the pages are there and built from these sources, if need be after building them now."""
    if not all((CHECKOUT / "scripts" / f"{name}.py").exists() for name in BUILDERS):
        return PAGES.exists()
    # Installers put what the build requires on this path, too.
    paths = ["src", *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    commands = [[sys.executable, "-m", f"scripts.{name}"] for name in BUILDERS]
    return all(
        subprocess.run(command, cwd=CHECKOUT, env=environment, check=False).returncode == 0  # noqa: S603 - our own
        for command in commands
    )


def tell_what_is_missing() -> None:
    """Say which pages the service will have, and what to type for others."""
    install = runpy.run_path(str(CHECKOUT / "src" / "cartagena" / "install.py"))
    kept, again = "older" if PAGES.exists() else "no", install["pages_command"]()
    print(f"cartagena: the service will have {kept} pages for browsers. To change that,")
    print(f"cartagena: install Node.js {install['NODE']} or newer, then {again}")


class WheelFromNothing(bdist_wheel):
    """A wheel of this build alone: setuptools would also pack what an earlier one left in its folders."""

    def run(self) -> None:
        """Empty the folders, then build."""
        for folder in (self.get_finalized_command("build").build_lib, self.bdist_dir):
            shutil.rmtree(str(folder), ignore_errors=True)
        super().run()


if __name__ == "__main__":
    setup(cmdclass={"bdist_wheel": WheelFromNothing, "build_py": BuildPyWithPages})
