"""An operator who knows every number looks for the deal that suits a friend: the honest seat must see it.

The operator cannot change the secret or a number, for their hashes were shown. What is left is the rest of
what enters the key, and not to ask the honest seat at all.
"""

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace as with_fields

from cartagena.client import BrokenPromise, Player, Pledge, tables
from cartagena.client.promise import check_record
from cartagena.client.sample_bot import hasty
from cartagena.fairness import Failure, Shuffle, commit
from cartagena.fairness.opening import opening
from cartagena.fairness.record import headers_of_shuffle, verify_record
from cartagena.messages import Update
from cartagena.messages.tables import ChairMessage, TableMessage
from cartagena.messages.views import ruleset_message
from cartagena.notation import Ending, Record, Result, format_ruleset
from cartagena.rules.ruleset import JAMAICA, Ruleset

SECRET, HONEST, FRIEND = (bytes([letter]) * 32 for letter in b"shf")
TABLE = UUID(int=7)
ANNE, BART = uuid4(), uuid4()
GAME = f"{TABLE}.1"
TRIES = 40
"""So many rounds without progress are tried, each with every other option that changes nothing."""


def shuffle_of(rules: Ruleset, honest: bytes | None = HONEST) -> Shuffle:
    return Shuffle(game_id=GAME, ruleset=format_ruleset(rules), nonces=(honest, FRIEND), secret=SECRET)


def recorded(rules: Ruleset, honest: bytes | None = HONEST) -> Record:
    """The record of a game that was given up after the deal."""
    headers = headers_of_shuffle(shuffle_of(rules, honest), rules, ("Anne", "Bart"))
    return Record(headers=headers, steps=(), result=Result(Ending.RESIGNED, 1))


def alike() -> Iterator[Ruleset]:
    """Rulesets that play like the promised one: Jamaica has no row, and few games stand still for long."""
    for quiet in range(40, 40 + TRIES):
        for refill in ("immediate", "on_demand"):
            for short in ("top_up", "short"):
                yield JAMAICA.with_options(quiet_rounds=quiet, row_refill=refill, short_row=short)


def gain(rules: Ruleset) -> int:
    """How many more kinds of cards the friend holds than the honest seat."""
    honest, friend = (len(set(crew.cards())) for crew in opening(shuffle_of(rules), rules, 2).crews)
    return friend - honest


def table_of(stage: str, rules: Ruleset = JAMAICA) -> TableMessage:
    """What the operator shows to the honest seat."""
    chairs = tuple(
        ChairMessage(seat=seat, kind="person", name=name, player=str(player), nonce_hash=commit(nonce))
        for seat, (name, player, nonce) in enumerate([("Anne", ANNE, HONEST), ("Bart", BART, FRIEND)])
    )
    return TableMessage(
        id=str(TABLE),
        stage=stage,  # type: ignore[arg-type]
        ruleset=ruleset_message(rules),
        chairs=chairs,
        clock=None,
        listed=True,
        rated=False,
        spectators=True,
        commitment=commit(SECRET),
        game=GAME if stage != "open" else f"{TABLE}.0",
        starts=int(stage != "open"),
        called_off=0,
        ending=None,
        winner=None,
        rematch=None,
        rules_version=1,
        created=0,
    )


def seated() -> Player:
    """The honest client, which has promised its number."""
    return Player(Update(seq=1, table=table_of("open")), ANNE, hasty, pledge=Pledge(nonce=HONEST))


def shown() -> Player:
    """The honest client, which has looked at the start and shown its number."""
    player = seated()
    player.hear(Update(seq=2, table=table_of("starting")))
    wish = player.wish()
    assert wish == tables.show_nonce(str(TABLE), HONEST, key=wish.body.key)  # type: ignore[union-attr]
    return player


def test_the_honest_deal_is_accepted() -> None:
    report = shown().check(recorded(JAMAICA))
    assert (report.holds, report.unchecked, report.starts) == (True, (), 1)


def test_a_deal_chosen_among_rulesets_that_play_alike_is_found() -> None:
    best = max(alike(), key=gain)
    assert gain(best) > gain(JAMAICA), "there is something to gain"
    stacked = recorded(best)
    # The record is true in itself: who kept nothing, or the commitment alone, finds nothing.
    assert verify_record(stacked).holds
    with pytest.raises(BrokenPromise) as broken:
        shown().check(stacked)
    assert [finding.failure for finding in broken.value.findings] == [Failure.RULESET_DIFFERS]


def test_the_rules_cannot_be_exchanged_before_the_number_is_asked_for_again() -> None:
    """The first answer is lost on purpose, so that the number is known and the client shows it once more."""
    player = shown()
    best = max(alike(), key=gain)
    player.hear(Update(seq=3, table=table_of("starting", best)))
    with pytest.raises(BrokenPromise, match="changed since our number was shown"):
        player.wish()
    with pytest.raises(BrokenPromise, match="ruleset: false"):
        player.check(recorded(best))


@pytest.mark.parametrize("shows_hash", [True, False])
def test_a_number_that_was_never_asked_for_is_missed(*, shows_hash: bool) -> None:
    """The friend alone brings a number; the honest client is told that the game has begun."""
    player, table = seated(), table_of("running")
    if not shows_hash:
        chairs = tuple(with_fields(chair, nonce_hash=None) for chair in table.chairs)
        table = with_fields(table, chairs=chairs)
    player.hear(Update(seq=2, table=table))
    left_out = recorded(JAMAICA, honest=None)
    assert check_record(left_out, None).holds
    with pytest.raises(BrokenPromise) as broken:
        player.check(left_out)
    assert [finding.failure for finding in broken.value.findings] == [Failure.NONCE_LEFT_OUT]
