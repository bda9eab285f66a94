"""Build the package and see that it is what we promise: the same bytes twice, its licences, every extra.

python -m scripts.package_check [--write] [--compiled]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
WEB: Final = Path("web")
"""The folder of the pages, which are a wheel of their own."""
PAGES: Final = WEB / "package" / "cartagena_web" / "files"
"""The built pages: not in the repository, but in that wheel."""
PAGES_WHEEL: Final = "cartagena_web-"
"""How its name begins."""


@dataclass(frozen=True, slots=True)
class Built:
    """What one build made."""

    sources: Path
    wheel: Path
    pages: Path
    """The wheel of the pages."""


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
    """Build all; our wheel from the folder itself, or from the source package as an installer would."""
    kinds = [] if through_sources else ["--sdist", "--wheel"]
    for options in ([*kinds, str(folder)], ["--wheel", str(folder / WEB)]):
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), *options]
        done = subprocess.run(
            command, env=_environment(compiled=compiled), capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
    return Built(
        sources=next(out.glob("*.tar.gz")),
        wheel=next(out.glob("cartagena-*.whl")),
        pages=next(out.glob(f"{PAGES_WHEEL}*.whl")),
    )


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


UV: Final = Path(sys.executable).parent / "uv"
GAME: Final = ("play", "--bots", "2", "--level", "random", "--seed", "7", "--ruleset")
ENVIRONMENT: Final = """
from cartagena.envs import cartagena_v0
env = cartagena_v0.env()
env.reset(seed=1)
env.step(int(env.observe(env.agent_selection)["action_mask"].nonzero()[0][0]))
"""
CLIENT: Final = "from cartagena.client import AsyncClient, Client, Player"
SERVICE: Final = """
import cartagena.server.main
from cartagena.server.pages.built import built_pages
assert "/index.html" in built_pages(), "the pages do not come with the service"
"""

TRACES: Final = "from cartagena.server.tracing.otlp import OtlpTraces"


@dataclass(frozen=True, slots=True)
class Call:
    """A program to call in an environment, and how it must end."""

    arguments: tuple[str, ...]
    exit_code: int = 0
    says: str = ""


def _python(program: str) -> Call:
    return Call(("python", "-c", program))


COMMON: Final = (
    Call(("cartagena", "--help"), says="Exit codes"),
    Call(("python", "-m", "cartagena", "--version"), says="cartagena "),
    Call(("cartagena", "rules", "R5.1", "--lang", "sv"), says="R5.1"),
)
CALLS: Final = {
    "": (
        *COMMON,
        *(Call(("cartagena", *GAME, preset)) for preset in ("tortuga", "jamaica", "nest")),
        _python("import cartagena; cartagena.new"),
        Call(("cartagena", "db", "check"), exit_code=4, says=".whl[server]'"),
        Call(("cartagena", "join", "http://localhost"), exit_code=4, says=".whl[client]'"),
    ),
    "client": (*COMMON, _python(CLIENT)),
    "envs": (*COMMON, _python(ENVIRONMENT)),
    "server": (*COMMON, _python(CLIENT), _python(SERVICE), Call(("cartagena", "serve", "--help"))),
    "traces": (*COMMON, _python(TRACES)),
}
"""What must work with each extra; the first is the base alone."""


@dataclass(frozen=True, slots=True)
class Room:
    """One environment: the extra that was asked for, and the size in bytes of every package in it."""

    extra: str
    sizes: dict[str, int]


def furnish(folder: Path, wheel: Path, extra: str) -> Room:
    """Make an environment with the wheel and an extra, and try what must work."""
    install(folder, wheel, extra)
    for call in CALLS[extra]:
        tried(folder, call)
    return Room(extra, _sizes(folder))


def install(folder: Path, wheel: Path, extra: str = "") -> None:
    """Make an environment, and install the wheel with an extra there; the wheel of pages lies beside it."""
    wanted = f"{wheel}[{extra}]" if extra else wheel
    found = ("--find-links", wheel.parent)
    for command in (
        (UV, "venv", "--quiet", "--python", sys.executable, folder),
        (UV, "pip", "install", "--quiet", *found, "--python", folder / "bin" / "python", wanted),
    ):
        subprocess.run(command, check=True)


def tried(folder: Path, call: Call) -> str:
    """What a program of an environment prints; exits if it does not end as it must."""
    # From another folder and without this checkout's settings, so that nothing is read from here.
    program, *rest = call.arguments
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(folder)}
    done = subprocess.run(
        [folder / "bin" / program, *rest],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    told = done.stdout + done.stderr
    if done.returncode != call.exit_code or call.says not in told:
        sys.exit(f"{' '.join(call.arguments)}: exit code {done.returncode}\n{told}")
    return done.stdout


def _sizes(folder: Path) -> dict[str, int]:
    site = next(folder.glob("lib/python*/site-packages"))
    found = metadata.distributions(path=[str(site)])
    return {package.name.lower().replace("_", "-"): _size(package) for package in found}


def _size(package: metadata.Distribution) -> int:
    files = [Path(str(file.locate())) for file in package.files or ()]
    return sum(file.stat().st_size for file in files if file.is_file())


PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "package.md"
BEGIN: Final = "<!-- written by `make package PACKAGE=--write` -->\n"
ROW: Final = re.compile(r"^\| `([\w.-]+)` \|", re.MULTILINE)
SECTION: Final = re.compile(r"^### (.+)$", re.MULTILINE)
BASE: Final = "cartagena"


def write(rooms: list[Room]) -> None:
    """Write the tables into the page."""
    before = PAGE.read_text(encoding="utf-8").partition(BEGIN)[0]
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(_tables(rooms)), encoding="utf-8")


def _tables(rooms: list[Room]) -> Iterator[str]:
    base = rooms[0].sizes
    for room in rooms:
        own = {name: size for name, size in room.sizes.items() if not room.extra or name not in base}
        total = sum(room.sizes.values())
        yield f"### {_title(room)}\n"
        yield f"{len(room.sizes)} packages, {_megabytes(total)} in all."
        yield (
            ""
            if not room.extra
            else f"Beside the base, {len(own)} packages, {_megabytes(sum(own.values()))}:\n"
        )
        yield "| package | size |\n|---|---:|"
        yield from (f"| `{name}` | {_megabytes(size)} |" for name, size in sorted(own.items()))
        yield ""


def _title(room: Room) -> str:
    return f"{BASE}[{room.extra}]" if room.extra else BASE


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.2f} MB"


def differences(rooms: list[Room]) -> list[str]:
    """How the page differs: packages that are new or gone; sizes may change with every release."""
    page = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2]
    titles = SECTION.split(page)[1:]
    told = {title: set(ROW.findall(rows)) for title, rows in zip(titles[::2], titles[1::2], strict=True)}
    base = set(rooms[0].sizes)
    found = {_title(room): set(room.sizes) - (base if room.extra else set()) for room in rooms}
    return [
        f"{title}: {name} is {'new' if name in found.get(title, set()) else 'gone'}"
        for title in sorted({*told, *found})
        for name in sorted(told.get(title, set()) ^ found.get(title, set()))
    ]


CREDITS: Final = ROOT / "web" / "src" / "shell" / "credits.ts"
PART: Final = re.compile(r'licence: "([^"]+)",\s+file: "/licences/([^"]+)"')
"""How the page of credits names the licence of a part and the file in which it is written."""
ICON: Final = re.compile(r'title: "([\w-]+)", author: "(\w+)"')
ICONS: Final = "game-icons.txt"
DIST: Final = ROOT / "dist"


def main() -> None:
    """Check all of it; exit with a message about the first thing that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--write", action="store_true", help="write the sizes into the page about the package"
    )
    parser.add_argument("--compiled", action="store_true", help="also compare two compiled wheels")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = built_twice(folder, compiled=False)
        if asked.compiled:
            built_twice(folder / "compiled", compiled=True)
        _step("described well (twine check)", _twine(built))
        _step("licences of all that is shipped", wrong_licences(built.pages))
        _step("every extra in a fresh environment", _furnished(folder, built.wheel, write_page=asked.write))
        for file in (built.sources, built.wheel, built.pages):
            DIST.mkdir(exist_ok=True)
            print(f"{shutil.copy(file, DIST)}: {file.stat().st_size / 1e6:.2f} MB")


def _step(promise: str, wrong: Iterator[str]) -> None:
    began = time.monotonic()
    faults = list(wrong)
    print(f"{'FAILED' if faults else 'ok':6} {promise} ({time.monotonic() - began:.0f} s)", flush=True)
    if faults:
        sys.exit("\n".join(faults))


def built_twice(folder: Path, *, compiled: bool) -> Built:
    """Build in two folders, once through the source package, which shows that it is complete."""
    one, other = folder / "one", folder / "elsewhere" / "another"
    copy_checkout(one)
    shutil.copytree(one, other)
    began = time.monotonic()
    first = build(one, folder / "first", through_sources=True, compiled=compiled)
    second = build(other, folder / "second", through_sources=False, compiled=compiled)
    print(f"built twice in {time.monotonic() - began:.0f} s", flush=True)
    kind = "compiled wheel" if compiled else "pure wheel"
    _step(
        f"two builds of the sources, byte by byte (beside the {kind})",
        _other_bytes(first.sources, second.sources),
    )
    _step(f"two builds of the {kind}, byte by byte", _other_bytes(first.wheel, second.wheel))
    _step("two builds of the wheel of the pages, byte by byte", _other_bytes(first.pages, second.pages))
    return first


def _other_bytes(one: Path, other: Path) -> Iterator[str]:
    if one.read_bytes() == other.read_bytes():
        return
    yield f"{one.name} is not the same twice"
    if one.suffix == ".whl":
        with zipfile.ZipFile(one) as first, zipfile.ZipFile(other) as second:
            sums = {entry.filename: entry.CRC for entry in second.infolist()}
            yield from (entry.filename for entry in first.infolist() if sums.get(entry.filename) != entry.CRC)


def _twine(built: Built) -> Iterator[str]:
    command = [sys.executable, "-m", "twine", "check", "--strict"]
    command += [str(file) for file in (built.sources, built.wheel, built.pages)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        yield done.stdout + done.stderr


def wrong_licences(wheel: Path) -> Iterator[str]:
    """Third-party parts that the wheel contains without naming their licence or including its text."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        about = message_from_bytes(packed.read(next(name for name in names if name.endswith("/METADATA"))))
        texts = {Path(name).name: packed.read(name).decode() for name in names if "/licenses/" in name}
    yield from missing_licences(about, texts, CREDITS.read_text(encoding="utf-8"))


def missing_licences(about: Message, texts: dict[str, str], credits_page: str) -> Iterator[str]:
    """What the page of credits names and the package lacks."""
    named = set(str(about["License-Expression"]).split(" AND "))
    for licences, file in PART.findall(credits_page):
        unnamed = [licence for licence in licences.split(", ") if licence.replace(" ", "-") not in named]
        yield from (f"{licence} of {file} is not in the licence expression" for licence in unnamed)
    needed = ["apache-2.0.txt", "NOTICE", ICONS, *(file for _, file in PART.findall(credits_page))]
    yield from (f"{file} is not among the licence files" for file in needed if not texts.get(file))
    for title, author in ICON.findall(credits_page):
        if f"{author.lower()}/{title}.html" not in texts.get(ICONS, ""):
            yield f"{ICONS} does not name {title} by {author}"


def _furnished(folder: Path, wheel: Path, *, write_page: bool) -> Iterator[str]:
    with ThreadPoolExecutor(max_workers=2) as pool:
        rooms = list(pool.map(lambda extra: furnish(folder / f"room-{extra}", wheel, extra), CALLS))
    for room in rooms:
        total = sum(room.sizes.values()) / 1e6
        print(f"       {room.extra or 'base'}: {len(room.sizes)} packages, {total:.1f} MB")
    if write_page:
        write(rooms)
    yield from differences(rooms)


if __name__ == "__main__":
    main()
