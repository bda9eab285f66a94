"""No request, no table and no record makes a service, or anything but the command line, start a program."""

import json
from pathlib import Path
from uuid import UUID

import pytest

from cartagena.bots.players.registry import BotError, make, names
from cartagena.cli.table_flags import known_names
from cartagena.local import Device
from cartagena.messages.updates import encode
from cartagena.messages.views import view_message
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.seating import bot_chair
from cartagena.tables.thinking import BotChoice, choose
from tests.cli.scripts import run
from tests.engine_protocol.engines import broken, first_view, named


def noted(folder: Path) -> tuple[str, Path]:
    """The name of an engine that leaves a note when it is started, and the note."""
    note = folder / "note"
    return named(broken("noted", note)), note


def test_the_registry_starts_no_program_and_says_who_does(tmp_path: Path) -> None:
    name, note = noted(tmp_path)
    with pytest.raises(BotError, match=r"only for the person whose machine this is; name it to"):
        make(name)
    assert not note.exists()
    assert not [known for known in names() if known.startswith("engine")]


def test_a_worker_that_is_asked_for_an_engine_starts_none(tmp_path: Path) -> None:
    # What a process of the service runs, even if a name came past all that is below.
    name, note = noted(tmp_path)
    assert choose(name, "a game", encode(view_message(first_view())), 1, 1.0) == BotChoice(None, "BotError")
    assert not note.exists()


def test_a_table_has_no_chair_for_an_engine(tmp_path: Path) -> None:
    name, note = noted(tmp_path)
    with pytest.raises(ServiceError) as caught:
        bot_chair(name)
    assert caught.value.problem is Problem.UNFIT
    assert not note.exists()


async def test_requests_that_name_an_engine_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A level in a request is short.
    note = tmp_path / "note"
    script = tmp_path / "engine"
    script.write_text(f"#!/bin/sh\ntouch {note}\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    name = "engine:./engine"

    async def keep(_: str) -> None:
        """Nothing is kept."""

    device, keys = Device(keep), iter(range(100))

    async def ask(path: str, **body: object) -> tuple[int, dict[str, object]]:
        key = str(UUID(int=next(keys), version=4))
        answer = await device.answer("POST", path, json.dumps({"key": key, **body}).encode())
        told: dict[str, object] = json.loads(answer.body)
        return answer.status, told

    terms = {"ruleset": "tortuga", "seats": 3}
    status, told = await ask("/api/tables", terms=terms, bots=[name])
    assert (status, told["error"]["code"]) == (422, "unfit")  # type: ignore[index]
    _, table = await ask("/api/tables", terms=terms, bots=["random"])
    status, told = await ask(f"/api/tables/{table['id']}/bots", seat=1, level=name)
    assert (status, told["error"]["code"]) == (422, "unfit")  # type: ignore[index]
    assert not note.exists()
    await device.close()


def test_a_device_that_is_told_no_more_starts_no_engine_from_a_record() -> None:
    with pytest.raises(BotError, match=r"no bot 'engine:./my_engine'"):
        known_names(("", "bot:engine:./my_engine"))


def test_a_record_that_names_an_engine_goes_on_only_if_that_is_named_again(tmp_path: Path) -> None:
    name, note = noted(tmp_path)
    kept = tmp_path / "game"
    flags = ("--ruleset", "jamaica", "--seed", "3", "--plain")
    assert run("play", "--level", name, "--save", str(kept), *flags, typed=["", "quit"]).exit_code == 0
    assert f"bot:{name}" in kept.read_text(encoding="utf-8")
    note.unlink(missing_ok=True)
    again = run("play", "--resume", str(kept), "--plain", typed=["", "quit"])
    assert (again.exit_code, "Choose other bots with --level" in again.output) == (1, True), again.output
    assert not note.exists()
