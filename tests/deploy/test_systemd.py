"""Every command line of the units, run for real with the environment that the units give it."""

import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from harness.servers import free_port
from tests.deploy.running import BIN, DEPLOY, STOP_SECONDS, environment_of, run, running
from tests.server.databases import migrated_database, nats_address
from tests.server.roles import owned_database, two_roles
from tests.waiting import PATIENCE

UNITS = DEPLOY / "systemd"
PREFIX = "/opt/cartagena/bin"


def entries(file: Path) -> Iterator[tuple[str, str]]:
    """The settings of a unit file, in order; a name may come twice."""
    for line in file.read_text(encoding="utf-8").splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith(("#", ";")):
            yield name, value


def command_of(unit: str, instance: str = "") -> list[str]:
    [line] = [value for name, value in entries(UNITS / unit) if name == "ExecStart"]
    return shlex.split(line.replace("%i", instance).replace(PREFIX, str(BIN)))


def user_of(file: str) -> str:
    return dict(entries(UNITS / file))["User"]


def environment_file(dsn: str, **others: str) -> dict[str, str]:
    """The example as an operator would fill it in."""
    told = dict(entries(UNITS / "environment.example"))
    assert all(name.startswith("CARTAGENA_") for name in told)
    return (
        environment_of(dsn, **{name: value for name, value in told.items() if name != "CARTAGENA_DIRECTORY"})
        | others
    )


@pytest.mark.processes
async def test_an_upgrade_then_the_whole_service_in_one_process(tmp_path: Path) -> None:
    async with two_roles() as roles, owned_database(roles) as dsn:
        port = free_port()
        upgrade = command_of("cartagena-upgrade.service")
        assert upgrade[-2:] == ["--grant", user_of("cartagena-.service.d/common.conf")]
        code, told = await run([*upgrade[:-1], roles.node], environment_file(roles.as_owner(dsn)), tmp_path)
        assert code == 0, told
        environment = environment_file(roles.as_node(dsn), CARTAGENA_PORT=str(port))
        async with running(command_of("cartagena-club.service"), environment, tmp_path) as service:
            await service.ready(port)
            assert await service.ended() in (0, -signal.SIGTERM), service.log.read_text()


@pytest.mark.processes
async def test_a_web_node_and_a_worker_on_their_ports(tmp_path: Path) -> None:
    async with migrated_database() as dsn:
        port, metrics = free_port(), free_port()
        environment = environment_file(dsn, CARTAGENA_NATS=await nats_address())
        web = command_of("cartagena-web@.service", str(port))
        worker = command_of("cartagena-worker@.service", str(metrics))
        (tmp_path / "web").mkdir()
        async with (
            running(web, environment, tmp_path / "web") as node,
            running(worker, environment, tmp_path) as busy,
        ):
            await busy.said("worker_started")
            await node.ready(port)
            async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
                assert (
                    "cartagena_wakes_in_flight"
                    in (await client.get(f"http://127.0.0.1:{metrics}/metrics")).text
                )
            assert await busy.ended() == 0
            assert await node.ended() in (0, -signal.SIGTERM), node.log.read_text()


def test_the_owner_of_the_tables_is_another_user_than_the_nodes() -> None:
    assert user_of("cartagena-upgrade.service.d/owner.conf") != user_of("cartagena-.service.d/common.conf")
    # systemd reads such files in the order of their names, wherever they are, and the last one counts.
    names = [file.name for file in UNITS.glob("*.service.d/*.conf")]
    assert max(names) == "owner.conf"


@pytest.mark.parametrize("unit", sorted(file.name for file in UNITS.glob("*.service")))
def test_units_agree_with_what_is_tested(unit: str) -> None:
    told = dict(entries(UNITS / unit))
    assert told["ExecStart"].startswith(f"{PREFIX}/cartagena ")
    if told.get("Type") != "oneshot":
        assert float(told["TimeoutStopSec"]) == STOP_SECONDS
        assert told["Restart"] == "always"
