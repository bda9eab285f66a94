"""Migrating the databases: from nothing, from an older revision, by many at once, by `cartagena db`."""

import asyncio
import json
import re
from pathlib import Path

import asyncpg
import pytest
from click.testing import CliRunner, Result

from cartagena.cli.db import command
from cartagena.server.store import migrate
from cartagena.server.store.migrate import (
    Done,
    MigrationError,
    SchemaPlace,
    SchemaState,
    State,
    check,
    standing_of,
    upgrade,
    upgrade_place,
)
from cartagena.server.store.migrations import (
    DIRECTORY,
    OUTSIDE,
    SHARD,
    RevisionLine,
    statements_of,
)
from tests.server.databases import empty_database, settings_for
from tests.waiting import until

FIRST = """
CREATE TABLE shard.crews (name text PRIMARY KEY);
INSERT INTO shard.crews VALUES ('red; -- not a comment');
"""
SECOND = """
-- A function's body holds semicolons; so does this comment;
ALTER TABLE shard.crews ADD COLUMN pirates integer NOT NULL DEFAULT 6;
CREATE FUNCTION shard.pirates_of(crew text) RETURNS integer LANGUAGE plpgsql AS $body$
DECLARE found integer;
BEGIN
    found := (SELECT pirates FROM shard.crews WHERE name = crew);
    RETURN found;
END
$body$;
"""
TURNED_AWAY = "SELECT xact_rollback > 0 FROM pg_stat_database WHERE datname = current_database()"
INDEX = "CREATE INDEX CONCURRENTLY crews_pirates ON shard.crews (pirates)"


def revision(folder: Path, number: int, *, sql: str) -> None:
    """Add a revision to a line of the test's own."""
    (folder / f"{number:04}_test.sql").write_text(sql, encoding="utf-8")


@pytest.fixture
def line(tmp_path: Path) -> RevisionLine:
    """A line with three revisions, the last outside of a transaction."""
    revision(tmp_path, 1, sql=FIRST)
    revision(tmp_path, 2, sql=SECOND)
    revision(tmp_path, 3, sql=f"{OUTSIDE}{INDEX};")
    return RevisionLine(schema="shard", folder=tmp_path)


def place(dsn: str, line: RevisionLine) -> SchemaPlace:
    return SchemaPlace(dsn=dsn, line=line, variable="CARTAGENA_SHARDS")


async def ask(dsn: str, query: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def test_an_empty_database_gets_both_schemas_and_a_second_time_nothing_happens() -> None:
    async with empty_database() as dsn:
        settings, done = settings_for(dsn), list[Done]()
        assert {standing.state for standing in await check(settings)} == {State.BEHIND}
        await upgrade(settings, done.append)
        assert [step.revision for step in done] == [
            *DIRECTORY.after(None, "head"),
            *SHARD.after(None, "head"),
        ]
        assert {standing.state for standing in await check(settings)} == {State.CURRENT}
        assert await ask(dsn, "SELECT version_num FROM shard.alembic_version") == SHARD.head()
        assert await ask(dsn, "SELECT version_num FROM directory.alembic_version") == DIRECTORY.head()
        assert await ask(dsn, "SELECT to_regclass('public.alembic_version')") is None
        again = list[Done]()
        await upgrade(settings, again.append)
        assert again == []


async def test_what_is_in_an_older_database_is_still_there_after_the_upgrade(line: RevisionLine) -> None:
    async with empty_database() as dsn:
        await upgrade_place(place(dsn, line), lambda _: None, to="shard_0001")
        standing = await standing_of(place(dsn, line))
        assert (standing.state, standing.found, standing.wanted) == (State.BEHIND, "shard_0001", "shard_0003")
        done = list[Done]()
        await upgrade_place(place(dsn, line), done.append)
        assert [step.revision for step in done] == ["shard_0002", "shard_0003"]
        assert await ask(dsn, "SELECT shard.pirates_of('red; -- not a comment')") == 6
        assert await ask(
            dsn, "SELECT indisvalid FROM pg_index WHERE indexrelid = 'shard.crews_pirates'::regclass"
        )
        assert (await standing_of(place(dsn, line))).state is State.CURRENT


async def test_six_upgrades_at_once_make_every_revision_once(line: RevisionLine) -> None:
    async with empty_database() as dsn:
        done = list[Done]()
        await asyncio.gather(*(upgrade_place(place(dsn, line), done.append) for _ in range(6)))
        assert [step.revision for step in done] == ["shard_0001", "shard_0002", "shard_0003"]


async def test_an_upgrade_waits_for_a_table_without_making_others_wait(
    line: RevisionLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "LOCK_TIMEOUT", "50ms")
    async with empty_database() as dsn:
        await upgrade_place(place(dsn, line), lambda _: None, to="shard_0001")
        reader = await asyncpg.connect(dsn)
        async with reader.transaction():
            await reader.execute("SELECT count(*) FROM shard.crews")
            upgrading = asyncio.create_task(upgrade_place(place(dsn, line), lambda _: None))
            await until(lambda: ask(dsn, TURNED_AWAY), what="an upgrade that gave up waiting for the table")
            assert await ask(dsn, "SELECT count(*) FROM shard.crews") == 1
        await upgrading
        await reader.close()
        assert (await standing_of(place(dsn, line))).state is State.CURRENT


async def test_lines_of_chat_that_were_written_twice_are_left_once() -> None:
    async with empty_database() as dsn:
        shard = place(dsn, SHARD)
        await upgrade_place(shard, lambda _: None, to="shard_0005")
        await ask(
            dsn,
            "INSERT INTO shard.chat (game_id, number, name, text, key) "
            "SELECT g, number, 'Anne', 'ahoy', k FROM gen_random_uuid() g, gen_random_uuid() k, "
            "generate_series(1, 3) number",
        )
        await upgrade_place(shard, lambda _: None)
        assert await ask(dsn, "SELECT array_agg(number) FROM shard.chat") == [1]


async def test_a_revision_that_fails_leaves_nothing_behind_and_can_be_mended(line: RevisionLine) -> None:
    async with empty_database() as dsn:
        revision(line.folder, 2, sql="CREATE TABLE shard.half ();\nALTER TABLE shard.nowhere ADD x text;\n")
        with pytest.raises(MigrationError, match=r'"shard.nowhere" does not exist \(at `ALTER TABLE'):
            await upgrade_place(place(dsn, line), lambda _: None)
        assert await ask(dsn, "SELECT to_regclass('shard.half')") is None
        assert await ask(dsn, "SELECT version_num FROM shard.alembic_version") == "shard_0001"
        revision(line.folder, 2, sql=SECOND)
        await upgrade_place(place(dsn, line), lambda _: None)
        assert (await standing_of(place(dsn, line))).state is State.CURRENT


async def test_a_database_of_a_newer_program_is_neither_used_nor_touched(line: RevisionLine) -> None:
    async with empty_database() as dsn:
        await upgrade_place(place(dsn, line), lambda _: None)
        (line.folder / "0003_test.sql").unlink()
        assert (await standing_of(place(dsn, line))).state is State.AHEAD
        with pytest.raises(MigrationError, match="shard_0003, which this program does not know"):
            await upgrade_place(place(dsn, line), lambda _: None)


async def test_the_directory_and_each_database_of_games_is_upgraded() -> None:
    async with empty_database() as directory, empty_database() as one, empty_database() as two:
        settings = settings_for(directory, shards=f"0-511={one},512-1023={two}")
        await upgrade(settings, lambda _: None)
        found = [
            (standing.database.rpartition("/")[2], standing.schema) for standing in await check(settings)
        ]
        names = [dsn.rpartition("/")[2] for dsn in (directory, one, two)]
        assert found == [(names[0], "directory"), (names[1], "shard"), (names[2], "shard")]
        assert await ask(directory, "SELECT to_regnamespace('shard')") is None


@pytest.mark.parametrize("line", [SHARD, DIRECTORY], ids=lambda line: line.schema)
def test_every_revision_is_a_numbered_file_after_the_one_before(line: RevisionLine) -> None:
    numbers = [f"{number:04}" for number in range(1, len(line.after(None, "head")) + 1)]
    assert line.after(None, "head") == [f"{line.schema}_{number}" for number in numbers]
    assert sorted(path.name[:4] for path in line.folder.iterdir()) == numbers


@pytest.mark.parametrize("line", [SHARD, DIRECTORY], ids=lambda line: line.schema)
def test_the_sql_of_a_line_names_its_own_schema_everywhere(line: RevisionLine) -> None:
    made = re.compile(r"\b(?:TABLE|INTO|FUNCTION|ON|REFERENCES|UPDATE) (?:ONLY )?(\w+)\.", re.IGNORECASE)
    named = [schema for path in line.folder.glob("*.sql") for schema in made.findall(path.read_text("utf-8"))]
    assert set(named) == {line.schema}


def test_statements_are_parted_where_postgresql_would_part_them() -> None:
    sql = """
    SELECT 'it''s; fine', E'a\\'; b', "odd;name" ; /* a; comment */ ; -- another; one
    DO $$ BEGIN PERFORM 1; END $$;
    DO $a$ BEGIN PERFORM '$$;'; END $a$;
    SELECT $1;SELECT 5
    """
    assert list(statements_of(sql)) == [
        """SELECT 'it''s; fine', E'a\\'; b', "odd;name\"""",
        "DO $$ BEGIN PERFORM 1; END $$",
        "DO $a$ BEGIN PERFORM '$$;'; END $a$",
        "SELECT $1",
        "SELECT 5",
    ]


def run(dsn: str, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, env={"CARTAGENA_DIRECTORY": dsn, "CARTAGENA_SHARDS": ""})


async def test_the_command_line_checks_upgrades_and_checks_again() -> None:
    async with empty_database() as dsn:

        async def told(*arguments: str) -> Result:
            return await asyncio.to_thread(run, dsn, *arguments)

        before = await told("check")
        assert (before.exit_code, before.output.count("BEHIND, at nothing")) == (1, 2)
        assert "run `cartagena db upgrade`" in before.output
        made = await told("upgrade")
        assert made.exit_code == 0, made.output
        assert f"{SHARD.head()} is made." in made.output
        assert (await told("upgrade")).output == "Every database is up to date already.\n"
        after = json.loads((await told("check", "--json")).output)
        assert [(entry["schema"], entry["state"]) for entry in after] == [
            ("directory", "current"),
            ("shard", "current"),
        ]


def test_the_command_line_says_what_is_wrong_with_a_setting() -> None:
    result = run("localhost", "check")
    assert result.exit_code == 1
    assert "for example CARTAGENA_DIRECTORY=postgresql:///cartagena" in result.output


@pytest.mark.parametrize(
    ("state", "found", "words"),
    [
        (State.CURRENT, "shard_0002", "shard in db is at shard_0002"),
        (State.BEHIND, None, "shard in db is at nothing, not at shard_0002: run `cartagena db upgrade`"),
        (State.AHEAD, "x", "shard in db is at x, which this program does not know: install a newer one"),
    ],
)
def test_a_standing_says_what_to_do(state: State, found: str | None, words: str) -> None:
    standing = SchemaState(database="db", schema="shard", found=found, wanted="shard_0002", state=state)
    assert str(standing) == words
