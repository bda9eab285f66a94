"""A short run of schemathesis on the whole service; `python -m harness.contract.requests` is the long run."""

import asyncio
import re
import sys

import pytest

from tests.server.databases import postgres_address


async def asked(*arguments: str) -> tuple[int | None, str]:
    """How a run ended, and what it said."""
    await postgres_address()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "harness.contract.requests", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return process.returncode, said.decode()


@pytest.mark.long  # CI asks more of them by `make contract`
async def test_made_up_requests_get_documented_answers_and_none_of_5xx() -> None:
    ended, said = await asked("--requests", "120", "--seed", "1697")
    assert ended == 0, said
    assert said.endswith("\n0 findings\n"), said
    told = re.search(r"(\d+) requests in", said)
    assert told is not None
    assert int(told[1]) >= 120
    assert not re.search(r"\b5\d\d: ", said), said


@pytest.mark.long  # what `make contract` looks for does not change with the service
async def test_an_answer_that_the_document_does_not_know_would_be_found() -> None:
    ended, said = await asked("--requests", "30", "--seed", "1697", "--route", "show_table", "--plant", "404")
    assert ended == 1, said
    assert "Undocumented status code: Received: 404" in said
