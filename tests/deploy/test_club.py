"""The compose file of a club, read by docker-compose: what is in .env reaches the service, and no more."""

import asyncio
import base64
import hashlib
import hmac
import os
import re
import secrets
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from cartagena.server.shared.club_settings import Club
from cartagena.server.shared.settings import Settings
from cartagena.server.store.migrate import State, check, upgrade
from tests.deploy.running import DEPLOY
from tests.server.databases import settings_for
from tests.server.roles import Roles, command, owned_database, two_roles

COMPOSE = DEPLOY / "club" / "compose.yaml"
ROLES = DEPLOY / "club" / "roles"
EXAMPLE = DEPLOY / "club" / ".env.example"
VARIABLE = re.compile(r"\$\{(\w+)")
SERVICE = re.compile(r"^  (\w+):\n((?:    .*\n)+)", re.MULTILINE)
RESOLVED = re.compile(r"^ +(CARTAGENA_\w+): (.*)$", re.MULTILINE)
MADE_UP = secrets.token_hex(8)
FILLED_IN = {"SITE": "play.example.org", "POSTGRES_PASSWORD": MADE_UP}


def services(folder: Path, **filled_in: str) -> dict[str, str]:
    """What compose reads of each service, with the example filled in like this."""
    program = shutil.which("docker-compose")
    if program is None:
        pytest.skip("docker-compose is not installed on this machine")
    wanted = FILLED_IN | filled_in
    kept = [
        line for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if line.split("=")[0] not in wanted
    ]
    file = folder / "env"
    file.write_text("\n".join([*kept, *(f"{name}={value}" for name, value in wanted.items())]))
    command = [program, "--file", str(COMPOSE), "--env-file", str(file), "config"]
    # Variables that are set here would override the file.
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    return dict(SERVICE.findall(told.stdout))


def settings(folder: Path, service: str = "web", **filled_in: str) -> Settings:
    """The settings that a service would read."""
    text = services(folder, **filled_in)[service]
    return Settings.read({name: value.strip("'\"") for name, value in RESOLVED.findall(text)})


async def make_roles(dsn: str, roles: Roles, password: str) -> tuple[int, str]:
    """Run the script of the compose file as the owner; return its exit code and what it wrote."""
    place = urlsplit(roles.as_owner(dsn))
    environment = {
        "PATH": os.environ["PATH"],
        "PGHOST": place.hostname or "",
        "PGPORT": str(place.port or 5432),
        "PGUSER": roles.owner,
        "PGPASSWORD": roles.password,
        "PGDATABASE": place.path.removeprefix("/"),
        "NODE_ROLE": roles.node,
        "POSTGRES_PASSWORD": password,
    }
    started = await asyncio.create_subprocess_exec(
        str(ROLES), env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    told, _ = await started.communicate()
    return await started.wait(), told.decode()


async def rows(dsn: str, query: str) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetch(query)
    finally:
        await connection.close()


def fits(password: str, kept: str) -> bool:
    """Whether PostgreSQL would accept a password: SCRAM-SHA-256$rounds:salt$stored:server."""
    _, how, keys = kept.split("$")
    rounds, salt = how.split(":")
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(salt), int(rounds))
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    return base64.b64decode(keys.partition(":")[0]) == stored


def test_the_example_tells_of_every_variable_of_the_compose_file() -> None:
    used = set(VARIABLE.findall(COMPOSE.read_text(encoding="utf-8")))
    told = set(re.findall(r"^(\w+)=", EXAMPLE.read_text(encoding="utf-8"), re.MULTILINE))
    assert told - {"COMPOSE_PROJECT_NAME"} == used


def test_the_example_with_a_name_and_a_password_is_a_whole_service(tmp_path: Path) -> None:
    read = settings(tmp_path)
    assert (read.url, read.club, read.vapid) == ("https://play.example.org", None, None)
    assert f"//cartagena_node:{MADE_UP}@db/" in read.directory


def test_the_service_cannot_come_in_as_the_owner_of_the_tables(tmp_path: Path) -> None:
    read = services(tmp_path)
    assert "socket" not in read["web"]
    assert MADE_UP not in read["upgrade"]
    assert "--grant\n    - cartagena_node\n" in read["upgrade"]
    owner = urlsplit(settings(tmp_path, "upgrade").directory)
    assert (owner.username, owner.password, owner.query) == ("cartagena", None, "host=/var/run/postgresql")


async def test_the_roles_are_made_once_and_the_password_as_often_as_it_changes() -> None:
    async with two_roles() as roles, owned_database(roles) as dsn:
        # As the image makes it: the owner is the superuser, and has the password.
        await command(dsn, f"ALTER ROLE {roles.owner} SUPERUSER")
        await command(dsn, f"DROP ROLE {roles.node}")
        for password in (MADE_UP, roles.password):
            code, told = await make_roles(dsn, roles, password)
            assert (code, told) == (0, "")
            known = await rows(dsn, "SELECT rolname, rolpassword FROM pg_authid")
            hashes = {row["rolname"]: row["rolpassword"] for row in known}
            assert hashes[roles.owner] is None
            assert fits(password, hashes[roles.node])
        await upgrade(settings_for(dsn), lambda _: None, grant_to=roles.node)
        read = await check(settings_for(roles.as_node(dsn)))
        assert {(one.state, one.may_alter) for one in read} == {(State.CURRENT, False)}


async def test_without_a_password_no_role_is_made() -> None:
    async with two_roles() as roles, owned_database(roles) as dsn:
        code, told = await make_roles(dsn, roles, "")
        assert code != 0
        assert "POSTGRES_PASSWORD" in told


def test_a_club_sets_its_limits_and_who_may_be_told(tmp_path: Path) -> None:
    usual = settings(tmp_path)
    assert (usual.pace, usual.origins, usual.private_notices) == (1, (), False)
    read = settings(tmp_path, PACE="20", ORIGINS="https://club.example.org", PRIVATE_NOTICES="yes")
    assert (read.pace, read.origins, read.private_notices) == (20, ("https://club.example.org",), True)


def test_a_club_signs_in_by_its_own_provider(tmp_path: Path) -> None:
    read = settings(
        tmp_path,
        OIDC_ISSUER="https://id.example.org/realms/club",
        OIDC_CLIENT_ID="cartagena",
        OIDC_CLIENT_SECRET=MADE_UP,
        OIDC_NAME="Harbour Club",
    )
    assert read.club == Club(
        issuer="https://id.example.org/realms/club",
        client_id="cartagena",
        client_secret=MADE_UP,
        name="Harbour Club",
    )
