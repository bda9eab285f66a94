"""The tutorial of the first server and the ten lines of the README, typed in on a real service."""

import asyncio
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.contract.service import serving
from tests.server.databases import migrated_database

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/tutorials/first-server.md"
BLOCK = re.compile(r"^```(bash|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ADDRESS = "localhost:8000"
NEEDED = ("bash", "curl", "jq")
HAPPENED = r'^data: .*"happened":\[{"happening":'


@pytest.fixture(autouse=True)
def _has_what_it_needs() -> None:
    missing = [program for program in NEEDED if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed on this machine")


def test_ten_lines_of_the_readme_bring_two_people_to_one_table(tmp_path: Path) -> None:
    blocks = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    [typed] = [text for kind, text in blocks if kind == "bash"]
    serve, *lines = typed.splitlines()
    assert serve.endswith("cartagena serve")
    assert len(lines) < 10
    *before, listen, act = lines
    # A person types the next line only after the listener has heard how the table stands.
    listen = listen.replace("/stream &", f"/stream > heard & {waiting('^data:')}")
    told = asyncio.run(
        type_in("\n".join([*before, listen, act, waiting(HAPPENED), "cat heard", "pkill -P $!"]), tmp_path)
    )
    assert '{"seat":1,"name":"Bart"}' in told
    assert re.search(r'^\[{"happening":', told, re.MULTILINE), "who acted is answered"
    assert re.search(HAPPENED, told, re.MULTILINE), "the other one has heard it"


def waiting(pattern: str) -> str:
    """The line of a script that waits until the listener has heard something."""
    return f"until grep -qs '{pattern}' heard; do sleep 0.1; done"


def test_what_is_typed_prints_what_stands_below(tmp_path: Path) -> None:
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    typed = "".join(text for kind, text in blocks if kind == "bash")
    printed = "".join(text for kind, text in blocks if kind == "text")
    assert ADDRESS in typed
    assert asyncio.run(type_in(typed, tmp_path)) == printed


async def type_in(script: str, folder: Path) -> str:
    """Type a script against a service of its own."""
    async with migrated_database() as dsn:
        with serving(dsn) as service:
            own = script.replace(ADDRESS, service.url.removeprefix("http://"))
            return await asyncio.to_thread(run, own, folder)


def run(script: str, folder: Path) -> str:
    command = ["bash", "-c", script]
    done = subprocess.run(  # noqa: S603 - the page is our own
        command, cwd=folder, env=os.environ, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout
