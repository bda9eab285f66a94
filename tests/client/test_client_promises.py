"""The promise of the shuffle: a player looks, keeps, and only then shows its number."""

from random import Random
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace as with_fields

from cartagena.client import BrokenPromise, Player, Pledge, tables
from cartagena.client.fairness import promise_of
from cartagena.client.sample_bot import hasty
from cartagena.fairness import commit
from cartagena.messages import Update
from cartagena.messages.views import ruleset_message, ruleset_of
from cartagena.tables import seating
from cartagena.tables.ports import Sender
from tests.client.client_service import TWO, Service, at_start, grant, look, seated

OTHER = "f" * 64


async def test_a_number_is_shown_when_the_promise_is_the_one_that_was_seen(service: Service) -> None:
    _, players, told = await at_start(service)
    for seat, player in enumerate(players):
        player.hear(told)
        wish = player.wish()
        assert wish is not None
        assert wish.path.endswith("/nonce")
        assert player.kept is not None
        assert told.table is not None
        promise = promise_of(told.table)
        assert player.kept.nonce is not None
        assert commit(player.kept.nonce) == promise.nonce_hashes[seat]
        assert (player.kept.game_id, player.kept.ruleset) == (promise.game_id, promise.ruleset)
        assert (player.kept.commitment, player.kept.nonce_hashes) == (
            promise.commitment,
            promise.nonce_hashes,
        )


async def test_it_is_not_shown_if_the_commitment_has_changed(service: Service) -> None:
    _, players, told = await at_start(service)
    assert told.table is not None
    players[1].hear(with_fields(told, table=with_fields(told.table, commitment=OTHER)))
    with pytest.raises(BrokenPromise, match="commitment"):
        players[1].wish()
    assert players[1].kept is not None
    assert players[1].kept.game_id is None, "nothing was shown"


async def test_it_is_not_shown_if_another_hash_stands_at_the_own_seat(service: Service) -> None:
    _, players, told = await at_start(service)
    assert told.table is not None
    chairs = (told.table.chairs[0], with_fields(told.table.chairs[1], nonce_hash=OTHER))
    players[1].hear(with_fields(told, table=with_fields(told.table, chairs=chairs)))
    with pytest.raises(BrokenPromise, match="another hash"):
        players[1].wish()


async def test_a_number_is_shown_for_one_game_only(service: Service) -> None:
    """Anyone who has seen it could keep drawing other games until one suits them."""
    _, players, told = await at_start(service)
    assert told.table is not None
    players[1].hear(told)
    assert players[1].wish() is not None, "asked again, as long as nobody has answered"
    assert players[1].wish() is not None
    players[1].hear(with_fields(told, table=with_fields(told.table, game=f"{told.table.id}.2", starts=2)))
    with pytest.raises(BrokenPromise, match="changed since our number was shown"):
        players[1].wish()
    chairs = (with_fields(told.table.chairs[0], nonce_hash=OTHER), told.table.chairs[1])
    players[1].hear(with_fields(told, table=with_fields(told.table, chairs=chairs)))
    with pytest.raises(BrokenPromise, match="changed since our number was shown"):
        players[1].wish()


async def test_a_promise_with_other_rules_is_not_the_one_for_which_the_number_was_shown(
    service: Service,
) -> None:
    _, players, told = await at_start(service)
    assert told.table is not None
    players[1].hear(told)
    assert players[1].wish() is not None
    before = players[1].kept
    rules = ruleset_of(told.table.ruleset).with_options(quiet_rounds=41)
    changed = with_fields(told.table, ruleset=ruleset_message(rules))
    players[1].hear(with_fields(told, table=changed))
    with pytest.raises(BrokenPromise, match="changed since our number was shown"):
        players[1].wish()
    assert players[1].kept == before


@pytest.mark.parametrize("again", ["game", "commitment"])
async def test_a_start_that_was_called_off_has_nothing_in_common_with_the_next(
    service: Service, again: str
) -> None:
    """Otherwise a start could be hidden in the record, or made with a secret that is known."""
    _, players, told = await at_start(service)
    player, table = players[1], told.table
    assert table is not None
    player.hear(told)
    assert player.wish() is not None
    empty = tuple(with_fields(chair, nonce_hash=None) for chair in table.chairs)
    player.hear(Update(seq=told.seq + 1, table=with_fields(table, stage="open", chairs=empty, called_off=1)))
    assert player.wish() is not None
    assert player.pledge is not None
    fresh = {"game": f"{table.id}.2", "commitment": OTHER}
    chairs = (table.chairs[0], with_fields(table.chairs[1], nonce_hash=player.pledge.nonce_hash))
    second = with_fields(table, chairs=chairs, **{**fresh, again: getattr(table, again)})
    player.hear(Update(seq=told.seq + 2, table=second))
    with pytest.raises(BrokenPromise, match="a start that was called off"):
        player.wish()


async def test_a_number_that_was_shown_is_never_promised_again(service: Service) -> None:
    """Not even if the service pretends that no start was called off."""
    _, players, told = await at_start(service)
    player = players[1]
    player.hear(told)
    player.wish()
    assert told.table is not None
    assert player.pledge is not None
    shown = player.pledge.nonce
    empty = tuple(with_fields(chair, nonce_hash=None) for chair in told.table.chairs)
    player.hear(
        with_fields(told, seq=told.seq + 1, table=with_fields(told.table, stage="open", chairs=empty))
    )
    wish = player.wish()
    assert wish is not None
    assert wish.path.endswith("/promise")
    assert player.pledge.nonce != shown


async def test_a_program_that_forgot_its_number_shows_nothing(service: Service) -> None:
    visitors, _, told = await at_start(service)
    stranger = Player(told, visitors[1].me.id, hasty)
    assert stranger.wish() is None


async def test_after_a_start_that_was_called_off_everybody_promises_another_number(service: Service) -> None:
    visitors, players, told = await at_start(service)
    players[0].hear(told)
    await grant(visitors[0], players[0], "/nonce")
    first = players[0].kept
    assert first is not None
    assert players[0].wish() is None, "it has been shown"
    await call_off(service, players[0].table_id)
    for visitor, player in zip(visitors, players, strict=True):
        await look(visitor, player)
        await grant(visitor, player, "/promise")
    await look(visitors[0], players[0])
    await grant(visitors[0], players[0], "/start")
    for visitor, player in zip(visitors, players, strict=True):
        await look(visitor, player)
        await grant(visitor, player, "/nonce")
    second = players[0].kept
    assert second is not None
    assert second.nonce != first.nonce
    assert second.commitment != first.commitment
    assert second.game_id != first.game_id
    assert (first.starts, second.starts) == (1, 2)
    table = players[1].standing.table
    assert (table.stage, table.called_off) == ("running", 1)


async def test_a_promise_whose_answer_never_came_is_made_again_with_the_same_number(service: Service) -> None:
    host = await service.guest("Anne")
    opened = await host.client.send(tables.open_table(TWO))
    player = Player(opened.current, host.me.id, hasty)
    first, second = player.wish(), player.wish()
    assert first is not None
    assert second is not None
    told = await host.client.send(first)
    assert told.table is not None
    assert player.pledge is not None
    assert told.table.chairs[0].nonce_hash == player.pledge.nonce_hash


async def call_off(service: Service, table_id: str) -> None:
    """Let the deadline of a start pass, as far as PostgreSQL knows, and do what a worker does then."""
    game = UUID(table_id)
    await service.resources.databases.shard_of(game).execute(
        "UPDATE shard.games SET deadline = now() - interval '1 second' WHERE game_id = $1", game
    )
    await service.resources.tables.change(
        game,
        Sender(player=None, key=uuid4()),
        lambda table: seating.call_off(table, Random(1).randbytes(32)),
    )


async def test_the_host_waits_until_everybody_has_promised(service: Service) -> None:
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    table_id, players = await seated(visitors)
    players[0].hear((await visitors[0].client.send(tables.see(table_id))).current)
    assert players[0].standing.table.chairs[1].nonce_hash is not None
    standing = players[0].standing
    table = standing.table
    without = (table.chairs[0], with_fields(table.chairs[1], nonce_hash=None))
    players[0].hear(Update(seq=standing.seq + 1, table=with_fields(table, chairs=without)))
    assert players[0].wish() is None
    players[0].hear(Update(seq=standing.seq + 2, table=table))
    wish = players[0].wish()
    assert wish is not None
    assert wish.path.endswith("/start")


def test_a_number_is_not_printed() -> None:
    pledge = Pledge(nonce=bytes(range(32)))
    assert "nonce" not in repr(pledge)
