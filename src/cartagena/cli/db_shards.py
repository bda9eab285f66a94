"""`cartagena db shards` and `cartagena db move`: which database holds which buckets, and how they change."""

import json
from typing import Any, Final

import click

from cartagena.cli.style import JSON, CommandRefused, Flag, Task, say, words
from cartagena.tables.ids import BUCKETS

try:
    from cartagena.cli.db_run import databases_of, run
    from cartagena.server.shared.settings import Settings
    from cartagena.server.shared.settings_parsing import without_secret
    from cartagena.server.store.databases import AWAY
    from cartagena.server.store.shard_migration import MovedBucket, Progress, bring_back, move
    from cartagena.server.store.shards import ShardMap, in_ranges
except ModuleNotFoundError:
    """The group of these tasks says what is missing."""

LAST: Final = BUCKETS - 1


class BucketRange(click.types.StringParamType):
    """One bucket, or the first and the last of several: 7, 0-511."""

    name = "buckets"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The buckets. The types are click's own."""
        first, dash, last = str(value).partition("-")
        if first.isdecimal() and (last.isdecimal() or not dash):
            buckets = range(int(first), int(last or first) + 1)
            if buckets and buckets[-1] <= LAST:
                return buckets
        return self.fail(words(ctx).say("error.no_buckets", last=LAST), param, ctx)


@click.command("shards", cls=Task, words_key="command.db.shards")
@JSON
def shards_task(*, as_json: bool) -> None:
    """List the databases of games by number, each with its buckets."""
    held = run(_held)
    if as_json:
        click.echo(json.dumps([{"database": name, "buckets": buckets} for name, buckets in held], indent=2))
        return
    for number, (name, buckets) in enumerate(held):
        what = in_ranges(buckets) or words().say("db.no_buckets")
        say("db.shard", number=number, database=name, buckets=what)


async def _held(settings: "Settings") -> list[tuple[str, list[int]]]:
    """The databases in the order of their numbers, and the buckets that each of them holds now."""
    async with databases_of(settings) as databases:
        places = [databases.whereabouts.place_of(bucket) for bucket in range(BUCKETS)]
    return [
        (without_secret(dsn), [bucket for bucket in range(BUCKETS) if places[bucket] == place])
        for place, dsn in enumerate(ShardMap.parse(settings.shards).primaries)
    ]


@click.command("move", cls=Task, words_key="command.db.move")
@click.argument("buckets", type=BucketRange())
@click.option("--to", "to_shard", type=click.IntRange(min=0), metavar="N", cls=Flag)
@click.option("--back", is_flag=True, cls=Flag)
@JSON
def move_task(*, buckets: range, to_shard: int | None, back: bool, as_json: bool) -> None:
    """Bring buckets to another database while their games are played."""
    if back == (to_shard is not None):
        raise click.UsageError(words().say("error.to_or_back"))
    moved: list[MovedBucket] = []

    def progress(one: "MovedBucket") -> None:
        moved.append(one)
        if not as_json:
            say("db.moved", bucket=one.bucket, games=one.games, pause=round(1000 * one.pause))

    run(lambda settings: _moved(settings, buckets, to_shard, progress))
    if as_json:
        told = [{"bucket": one.bucket, "games": one.games, "pause": one.pause} for one in moved]
        click.echo(json.dumps(told, indent=2))
    elif not moved and not back:
        say("db.all_there")


async def _moved(settings: "Settings", buckets: range, target: int | None, progress: "Progress") -> None:
    """Move buckets to the database with the number `target`; without one give up unfinished moves."""
    async with databases_of(settings) as databases:
        try:
            if target is None:
                for bucket in buckets:
                    await bring_back(databases, bucket)
            elif target < len(databases.shards()):
                await move(databases, buckets, target, progress)
            else:
                raise CommandRefused("error.no_shard", number=target)
        except AWAY as error:
            # A timeout has no words of its own.
            raise CommandRefused("error.move_cut_short", reason=str(error) or type(error).__name__) from error
