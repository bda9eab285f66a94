"""After the end: the record is compared with what a player was promised, was shown and chose."""

from dataclasses import replace
from random import Random

import pytest
from msgspec.structs import replace as with_fields

from cartagena.client import BrokenPromise, Player, Pledge, tables
from cartagena.client.fairness import check_record
from cartagena.client.sample_bot import hasty
from cartagena.fairness.verdict import OF_KEPT
from cartagena.notation import Record
from cartagena.rules.ruleset import TORTUGA
from tests.client.client_service import TWO, Service, at_start, grant, look, seated

OTHER = "f" * 64


async def finished(service: Service) -> tuple[Player, Record]:
    """A game that one side gave up, and its record."""
    visitors, players, told = await at_start(service)
    for visitor, player in zip(visitors, players, strict=True):
        player.hear(told)
        wish = player.wish()
        assert wish is not None
        await visitor.client.send(wish)
    await visitors[1].client.send(tables.resign(players[0].table_id))
    return players[0], await visitors[0].client.send(tables.record(players[0].table_id))


async def test_a_record_is_compared_with_what_was_kept(service: Service) -> None:
    player, record = await finished(service)
    player.check(record)
    check_record(record, None)
    headers = record.headers
    assert headers.nonces is not None
    assert headers.nonce_hashes is not None
    pledge = Pledge.draw(Random(9).randbytes)
    others = {
        "game": replace(headers, game_id="another"),
        "ruleset": replace(headers, ruleset=TORTUGA),
        "commitment": replace(headers, commitment=OTHER),
        "nonce hashes": replace(headers, nonce_hashes=(headers.nonce_hashes[0], pledge.nonce_hash)),
        "own nonce": replace(headers, nonces=(pledge.nonce, headers.nonces[1])),
    }
    for name, forged in others.items():
        with pytest.raises(BrokenPromise, match=f"{name}: false"):
            player.check(replace(record, headers=forged))


async def test_what_was_shown_and_chosen_is_compared(service: Service) -> None:
    """Every hand of the deal is open here, and a row lies on the table."""
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    table_id, players = await seated(visitors, with_fields(TWO, ruleset="tortuga"))
    told = await visitors[0].client.send(tables.start(table_id))
    for visitor, player in zip(visitors, players, strict=True):
        player.hear(told)
        await grant(visitor, player, "/nonce")
        await look(visitor, player)
    await look(visitors[0], players[0])
    seat = next(seat for seat, player in enumerate(players) if player.is_asked)
    visitor, player = visitors[seat], players[seat]
    player.choose = lambda standing: standing.sight.legal[-1]
    for _ in range(3):
        await grant(visitor, player, "/actions")
    await visitors[1 - seat].client.send(tables.resign(table_id))
    record = await visitor.client.send(tables.record(table_id))
    assert player.check(record).unchecked == ()
    kept = player.kept
    assert kept is not None
    assert kept.shown is not None
    assert (len(kept.shown.row), [len(hand or ()) for hand in kept.shown.hands]) == (12, [6, 6])
    assert kept.moves == tuple((step.turn, step.code) for step in record.steps)
    deal = record.headers.deal
    forged = {
        "shown deal": replace(record, headers=replace(record.headers, deal=deal[::-1])),
        "own moves": replace(record, steps=record.steps[:-1]),
    }
    for name, other in forged.items():
        with pytest.raises(BrokenPromise, match=f"{name}: false"):
            player.check(other)


async def test_a_record_that_is_fair_in_itself_but_another_game_is_found_out(service: Service) -> None:
    player, _ = await finished(service)
    _, another = await finished(service)
    check_record(another, None)
    with pytest.raises(BrokenPromise, match="game: false"):
        player.check(another)


async def test_who_promised_nothing_is_told_what_was_not_checked(service: Service) -> None:
    visitors, _, told = await at_start(service)
    _, record = await finished(service)
    stranger = Player(told, visitors[1].me.id, hasty)
    assert stranger.kept is None
    assert stranger.check(record).unchecked == OF_KEPT


async def test_a_stacked_deal_is_found_out_even_by_who_kept_nothing(service: Service) -> None:
    _, record = await finished(service)
    deal = record.headers.deal
    swap = next(place for place in range(1, len(deal)) if deal[place] != deal[0])
    stacked = (deal[swap], *deal[1:swap], deal[0], *deal[swap + 1 :])
    with pytest.raises(BrokenPromise, match="deal: false"):
        check_record(replace(record, headers=replace(record.headers, deal=stacked)), None)


async def test_a_record_without_its_proof_proves_nothing(service: Service) -> None:
    player, record = await finished(service)
    with pytest.raises(BrokenPromise, match="does not tell all"):
        player.check(replace(record, headers=replace(record.headers, secret=None)))
