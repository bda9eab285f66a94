"""Fresh environments, each with the wheel and an extra: what they hold, and what must work there."""

import os
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

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
assert "/index.html" in built_pages(), "the pages are not in the wheel"
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
    """Make an environment, and install the wheel with an extra there."""
    wanted = f"{wheel}[{extra}]" if extra else wheel
    for command in (
        (UV, "venv", "--quiet", "--python", sys.executable, folder),
        (UV, "pip", "install", "--quiet", "--python", folder / "bin" / "python", wanted),
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
