"""Two roles: the owner upgrades and grants, a node reads and writes rows and can change nothing else."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio
from click.testing import CliRunner, Result

from cartagena.cli.db import command as db
from cartagena.server.resources import NotReady, opened_resources
from cartagena.server.store.migrate import (
    MigrationError,
    SchemaPlace,
    State,
    check,
    places_of,
    standing_of,
    upgrade,
    upgrade_place,
)
from cartagena.server.store.migrations import RevisionLine
from tests.server.databases import settings_for
from tests.server.roles import Roles, command, owned_database, two_roles

REFUSED = (
    "CREATE TABLE shard.mine (id integer)",
    "CREATE TABLE directory.mine (id integer)",
    "CREATE TABLE public.mine (id integer)",
    "CREATE SCHEMA mine",
    "CREATE FUNCTION shard.mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    "CREATE OR REPLACE FUNCTION shard.departure_lock() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    "CREATE INDEX mine ON shard.events (at)",
    "CREATE TRIGGER mine BEFORE INSERT ON shard.games FOR EACH ROW EXECUTE FUNCTION shard.only_at_home()",
    "ALTER TABLE shard.games ADD COLUMN mine integer",
    "ALTER TABLE shard.games DISABLE TRIGGER only_at_home",
    "ALTER TABLE directory.players OWNER TO current_user",
    "ALTER FUNCTION shard.only_at_home() RESET ALL",
    "SET session_replication_role = replica",
    "DROP TABLE shard.events",
    "DROP TRIGGER only_at_home ON shard.games",
    "DROP SCHEMA directory CASCADE",
    "TRUNCATE shard.events",
    "TRUNCATE directory.jobs",
    "UPDATE shard.alembic_version SET version_num = 'shard_0001'",
    "DELETE FROM directory.alembic_version",
    "UPDATE shard.identity SET id = DEFAULT",
    "CREATE ROLE mine",
    "COPY shard.events TO PROGRAM 'true'",
)


@pytest_asyncio.fixture
async def roles() -> AsyncIterator[Roles]:
    async with two_roles() as roles:
        yield roles


@pytest_asyncio.fixture
async def dsn(roles: Roles) -> AsyncIterator[str]:
    async with owned_database(roles) as dsn:
        yield dsn


def run(dsn: str, *arguments: str) -> Result:
    return CliRunner().invoke(db, arguments, env={"CARTAGENA_DIRECTORY": dsn, "CARTAGENA_SHARDS": ""})


async def granted(dsn: str, roles: Roles) -> None:
    await upgrade(settings_for(roles.as_owner(dsn)), lambda _: None, grant_to=roles.node)


async def states(dsn: str) -> set[State]:
    return {standing.state for standing in await check(settings_for(dsn))}


async def test_a_node_changes_nothing_but_rows(dsn: str, roles: Roles) -> None:
    await granted(dsn, roles)
    connection = await asyncpg.connect(roles.as_node(dsn))
    try:
        for statement in REFUSED:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(statement)
        await connection.execute("INSERT INTO shard.departures (bucket, shard) VALUES (7, gen_random_uuid())")
        await connection.execute("UPDATE shard.departures SET arrived = true")
        assert await connection.fetchval("SELECT count(*) FROM shard.departures") == 1
        await connection.execute("DELETE FROM shard.departures")
    finally:
        await connection.close()


async def test_a_node_starts_on_what_was_granted_and_upgrades_nothing(dsn: str, roles: Roles) -> None:
    settings = settings_for(roles.as_node(dsn))
    as_owner = f"as the owner of its tables run `cartagena db upgrade --grant {roles.node}`"
    with pytest.raises(MigrationError, match=as_owner):
        await upgrade(settings, lambda _: None)
    await upgrade(settings_for(roles.as_owner(dsn)), lambda _: None)
    with pytest.raises(NotReady, match=f"closed to the role {roles.node} .*--grant {roles.node}`"):
        async with opened_resources(settings, program="test"):
            pass
    with pytest.raises(MigrationError, match=as_owner):
        await upgrade(settings, lambda _: None)
    await granted(dsn, roles)
    await upgrade(settings, lambda _: pytest.fail("there is nothing to do"))
    async with opened_resources(settings, program="test"):
        pass
    assert {standing.may_alter for standing in await check(settings)} == {False}
    assert {standing.may_alter for standing in await check(settings_for(roles.as_owner(dsn)))} == {True}


async def test_tables_of_later_revisions_are_granted_as_soon_as_they_are_there(
    dsn: str, roles: Roles, tmp_path: Path
) -> None:
    for number in (1, 2):
        sql = f"CREATE TABLE shard.crews_{number} (id bigserial);"
        (tmp_path / f"{number:04}_test.sql").write_text(sql, encoding="utf-8")
    line = RevisionLine(schema="shard", folder=tmp_path)
    owner = SchemaPlace(dsn=roles.as_owner(dsn), line=line, variable="CARTAGENA_SHARDS")
    node = SchemaPlace(dsn=roles.as_node(dsn), line=line, variable="CARTAGENA_SHARDS")
    await upgrade_place(owner, lambda _: None, to="shard_0001", grant_to=roles.node)
    assert (await standing_of(node)).state is State.BEHIND
    await upgrade_place(owner, lambda _: None)
    assert (await standing_of(node)).state is State.CURRENT
    await command(node.dsn, "INSERT INTO shard.crews_2 DEFAULT VALUES")


async def test_what_is_taken_away_or_too_much_is_set_right_by_the_next_grant(dsn: str, roles: Roles) -> None:
    await granted(dsn, roles)
    node = places_of(settings_for(roles.as_node(dsn)))[1]
    await command(dsn, f"REVOKE DELETE ON shard.events FROM {roles.node}")
    await command(dsn, f"GRANT TRUNCATE ON shard.games TO {roles.node}")
    standing = await standing_of(node)
    assert (standing.state, standing.missing, standing.may_alter) == (State.CLOSED, ("shard.events",), True)
    await granted(dsn, roles)
    standing = await standing_of(node)
    assert (standing.state, standing.missing, standing.may_alter) == (State.CURRENT, (), False)


async def test_a_role_that_could_change_more_than_rows_is_refused(dsn: str, roles: Roles) -> None:
    owner = settings_for(roles.as_owner(dsn))
    for role, trouble in (
        (roles.owner, "database cartagena_test"),
        ("nobody at all", "no role nobody at all"),
    ):
        with pytest.raises(MigrationError, match=trouble):
            await upgrade(owner, lambda _: None, grant_to=role)
    for give, take, trouble in (
        (f"GRANT {roles.owner} TO {roles.node}", f"REVOKE {roles.owner} FROM {roles.node}", "database"),
        (f"ALTER ROLE {roles.node} CREATEROLE", f"ALTER ROLE {roles.node} NOCREATEROLE", "CREATEROLE"),
        ("GRANT CREATE ON SCHEMA public TO PUBLIC", "REVOKE CREATE ON SCHEMA public FROM PUBLIC", "public"),
        (
            f"ALTER TABLE directory.players OWNER TO {roles.node}",
            f"ALTER TABLE directory.players OWNER TO {roles.owner}",
            "directory.players",
        ),
    ):
        await command(dsn, give)
        with pytest.raises(MigrationError, match=trouble):
            await granted(dsn, roles)
        await command(dsn, take)
    assert State.CURRENT not in await states(roles.as_node(dsn))
    await granted(dsn, roles)
    assert await states(roles.as_node(dsn)) == {State.CURRENT}


async def test_only_the_owner_grants(dsn: str, roles: Roles) -> None:
    await granted(dsn, roles)
    with pytest.raises(MigrationError, match="only the owner"):
        await upgrade(settings_for(roles.as_node(dsn)), lambda _: None, grant_to=roles.node)
    assert await states(roles.as_node(dsn)) == {State.CURRENT}


async def test_the_commands_say_who_may_what(dsn: str, roles: Roles) -> None:
    owner, node = roles.as_owner(dsn), roles.as_node(dsn)
    assert (await asyncio.to_thread(run, owner, "upgrade")).exit_code == 0
    told = await asyncio.to_thread(run, node, "check")
    assert told.exit_code == 1
    assert f"cartagena db upgrade --grant {roles.node}" in told.output
    told = await asyncio.to_thread(run, owner, "upgrade", "--grant", roles.node)
    assert told.output.splitlines()[-1].startswith(f"The role {roles.node} may read and write rows")
    told = await asyncio.to_thread(run, node, "check", "--json")
    assert told.exit_code == 0
    assert {(entry["role"], entry["may_alter"]) for entry in json.loads(told.output)} == {(roles.node, False)}
    assert json.loads((await asyncio.to_thread(run, node, "upgrade", "--json")).output) == []
