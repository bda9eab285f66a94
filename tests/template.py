"""One template for all databases of a run: migrations run once, and a test's database is a copy.

The process of the run that needs it first makes it, under a name that only this run knows; the process that
began the run drops it. `tests.server.databases` makes the copies.
"""

import asyncio
import os
import secrets
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

RUN = "CARTAGENA_TEST_RUN"
"""The variable that names a file of this run: which server has the template, if one has."""


def pytest_configure(config: pytest.Config) -> None:
    """Begin a run; the processes that xdist starts inherit its name."""
    if not hasattr(config, "workerinput"):
        os.environ[RUN] = str(Path(tempfile.gettempdir(), f"cartagena_template_{secrets.token_hex(8)}"))


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the run: drop the template."""
    if hasattr(config, "workerinput"):
        return
    note = Path(os.environ.pop(RUN))
    if note.exists():
        # Most runs have no use for a database, and are spared its library.
        from harness.services import drop_database  # noqa: PLC0415

        for name in (note.name, f"{note.name}_new"):
            asyncio.run(drop_database(note.read_text(), name))
        note.unlink()


async def template_on(server: str, fill: Callable[[str], Awaitable[None]]) -> str:
    """The name of this run's template on a server; `fill` turns an empty database into one."""
    from harness.services import make_template  # noqa: PLC0415 - as above

    note = Path(os.environ[RUN])
    note.write_text(server)  # noqa: ASYNC240 - a line
    await make_template(server, note.name, fill)
    return note.name
