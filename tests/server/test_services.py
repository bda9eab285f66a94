"""`make services`: finds what runs, starts what does not, and stops only its own."""

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from harness.servers import CannotStart, OwnNats, OwnPostgres, free_port, program
from harness.services import Service, main, provide, services, shown
from tests.server.databases import nats_address, postgres_address


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that PostgreSQL may enter although it does not run as root; pytest's own are closed to it."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    main(["--stop", "--folder", str(folder)])
    shutil.rmtree(folder)


def away(service: Service) -> Service:
    """Return `service` on a machine where nothing listens at the usual place."""
    scheme = service.usual.partition("://")[0]
    return replace(service, usual=f"{scheme}://127.0.0.1:{free_port()}/postgres")


async def greeting(address: str) -> object:
    connection = await asyncpg.connect(address)
    try:
        await connection.execute("CREATE DATABASE proof")
        return await connection.fetchval("SELECT current_user")
    finally:
        await connection.close()


def test_what_runs_is_found_and_nothing_is_started(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    postgres, nats = services(folder)
    environment = {
        postgres.variable: asyncio.run(postgres_address()),
        nats.variable: asyncio.run(nats_address()),
    }
    for service in (postgres, nats):
        assert provide(service, environment) == environment[service.variable]
        assert f"{service.name}: found at {shown(environment[service.variable])}\n" in capsys.readouterr().out
    assert list(folder.iterdir()) == []


@pytest.mark.processes
def test_what_does_not_run_is_started_once_and_stopped_again(folder: Path) -> None:
    postgres, nats = (away(service) for service in services(folder))
    first = provide(postgres, {}), provide(nats, {})
    assert (provide(postgres, {}), provide(nats, {})) == first
    assert (postgres.address({}), nats.address({})) == first
    assert asyncio.run(greeting(first[0])) == "cartagena"
    assert (postgres.own.stop(), nats.own.stop()) == (True, True)
    assert (postgres.own.stop(), nats.own.stop()) == (False, False)
    for service, address in zip((postgres, nats), first, strict=True):
        assert asyncio.run(service.own.trouble_at(address)) is not None
        assert service.address({}) == service.usual
    again = provide(postgres, {})
    with pytest.raises(asyncpg.DuplicateDatabaseError):
        # It is the same cluster: what was in it is still there.
        asyncio.run(greeting(again))


@pytest.mark.processes
def test_an_own_postgresql_lets_nobody_in_without_its_password(folder: Path) -> None:
    own = OwnPostgres(folder / "postgres")
    address = own.start()
    password = address.partition("cartagena:")[2].partition("@")[0]
    assert asyncio.run(own.trouble_at(address)) is None
    assert password not in shown(address)
    assert "password" in str(asyncio.run(own.trouble_at(address.replace(password, "guessed"))))
    assert (folder / "postgres" / "address").stat().st_mode & 0o077 == 0
    own.stop()


def test_a_server_that_the_environment_names_is_not_replaced_by_another(folder: Path) -> None:
    for service in services(folder):
        usual = away(service).usual
        with pytest.raises(CannotStart, match=f"{service.variable} names a server that will not do"):
            provide(service, {service.variable: usual})
    assert list(folder.iterdir()) == []


@pytest.mark.processes
def test_an_own_server_that_died_is_started_anew(folder: Path) -> None:
    nats = away(services(folder)[1])
    provide(nats, {})
    assert isinstance(nats.own, OwnNats)
    note = (folder / "nats" / "address").read_text(encoding="utf-8")
    nats.own.stop()
    (folder / "nats" / "address").write_text(note, encoding="utf-8")
    assert asyncio.run(nats.own.trouble_at(provide(nats, {}))) is None
    assert nats.own.stop()


def test_a_process_that_took_over_the_number_is_left_alone(folder: Path) -> None:
    own = OwnNats(folder / "nats")
    own.folder.mkdir()
    with subprocess.Popen([program("sleep"), "60"]) as other:  # noqa: S603  # our own arguments
        (own.folder / "pid").write_text(f"{other.pid}\n", encoding="utf-8")
        assert own.stop() is False
        assert other.poll() is None
        other.kill()


def test_something_else_at_the_address_is_no_nats_server() -> None:
    async def trouble() -> str | None:
        async def other(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 mail\r\n")
            writer.close()

        async with await asyncio.start_server(other, "127.0.0.1") as server:
            port = server.sockets[0].getsockname()[1]
            return await OwnNats(Path()).trouble_at(f"nats://127.0.0.1:{port}")

    assert asyncio.run(trouble()) == "what answers there is no NATS server"


def test_a_program_that_is_missing_is_named() -> None:
    with pytest.raises(CannotStart, match="no-such-program is not there; install PostgreSQL 15 or newer"):
        program("no-such-program")
