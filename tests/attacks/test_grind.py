"""An operator who knows every number looks for the deal that suits a friend: the honest seat must see it.

The operator cannot change the secret or a number, because their hashes were shown. They can still change
the rest of the key's input, not ask the honest seat at all, or show one game and write down another.
"""

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace as with_fields

from cartagena.client import BrokenPromise, Player, Pledge, tables
from cartagena.client.fairness import check_record
from cartagena.client.sample_bot import hasty
from cartagena.fairness import Claim, Failure, Shuffle, commit
from cartagena.fairness.record import headers_of_shuffle, verify_record
from cartagena.fairness.shuffle import opening, shuffler
from cartagena.messages import Update
from cartagena.messages.tables import ChairMessage, NewsMessage, TableMessage
from cartagena.messages.updates import update_for
from cartagena.messages.views import ruleset_message
from cartagena.notation import Ending, Record, Result, format_ruleset, record_of
from cartagena.rules.legality import legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, Ruleset
from cartagena.rules.undoable_game import UndoableGame

SECRET, HONEST, FRIEND = (bytes([letter]) * 32 for letter in b"shf")
TABLE = UUID(int=7)
ANNE, BART = uuid4(), uuid4()
GAME = f"{TABLE}.1"
TRIES = 40
"""How many values of `quiet_rounds` are tried, each with every other option that changes nothing."""


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


def at_table(position: Position, seat: int = 0) -> Player:
    """The honest client, which has shown its number and is then shown these cards on this seat."""
    player, table = shown(), table_of("running")
    chairs = table.chairs if seat == 0 else tuple(with_fields(c, seat=1 - c.seat) for c in table.chairs[::-1])
    player.hear(update_for(seat, 3, (), position, table=with_fields(table, chairs=chairs)))
    return player


def failures(player: Player, record: Record) -> list[Failure | None]:
    """What a client finds in a record that is consistent and as promised."""
    assert shown().check(record).holds, "who kept the promise alone finds nothing"
    with pytest.raises(BrokenPromise) as broken:
        player.check(record)
    return [finding.failure for finding in broken.value.findings]


def test_the_honest_deal_is_accepted() -> None:
    report = at_table(opening(shuffle_of(JAMAICA), JAMAICA, 2)).check(recorded(JAMAICA))
    assert (report.holds, report.unchecked, report.starts) == (True, (), 1)
    assert shown().check(recorded(JAMAICA)).unchecked == (Claim.SHOWN_DEAL, Claim.OWN_MOVES)


def test_a_deal_chosen_among_rulesets_that_play_alike_is_found() -> None:
    best = max(alike(), key=gain)
    assert gain(best) > gain(JAMAICA), "there is something to gain"
    stacked = recorded(best)
    # The record is consistent: a client that kept nothing, or only the commitment, finds nothing.
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


# --- One game is shown, another one is written down ------------------------------------------------


def stacked(honest: Position) -> Position:
    """The honest deal, but with our first card exchanged for another from the stock."""
    other = honest.copy()
    mine = other.crews[0]
    given = next(card for card in other.stock() if not mine.holds(card))
    mine.give(mine.cards()[0])
    mine.take(given)
    return other


def test_a_hand_that_is_not_the_recorded_one_is_found() -> None:
    honest = opening(shuffle_of(JAMAICA), JAMAICA, 2)
    assert failures(at_table(stacked(honest)), recorded(JAMAICA)) == [Failure.SHOWN_HAND_DIFFERS]


def test_a_game_of_another_secret_is_found() -> None:
    """The record is honest; the game that was played was chosen among many."""
    tries = (replace(shuffle_of(JAMAICA), secret=bytes([number]) * 32) for number in range(TRIES))
    others = [opening(shuffle, JAMAICA, 2) for shuffle in tries]
    best = max(others, key=lambda other: len(set(other.crews[1].cards())) - len(set(other.crews[0].cards())))
    assert failures(at_table(best), recorded(JAMAICA)) == [Failure.SHOWN_BOARD_DIFFERS]


def test_a_seat_that_is_chosen_after_the_deal_is_found() -> None:
    """Every hand is fair, but the operator decides who gets which."""
    player = at_table(opening(shuffle_of(JAMAICA), JAMAICA, 2), seat=1)
    assert failures(player, recorded(JAMAICA)) == [Failure.SHOWN_SEAT_DIFFERS]


class Operator:
    """Deals the honest cards to one client and plays for the friend."""

    def __init__(self) -> None:
        self.order = shuffler(shuffle_of(JAMAICA))
        self.game = UndoableGame(opening(shuffle_of(JAMAICA), JAMAICA, 2))
        self.player = at_table(self.game.position)
        self.seq = 3
        while self.game.position.to_act != 0:
            self.player.hear(self.act(legal(self.game.position)[0]))

    def act(self, code: int) -> Update:
        """What the client is told about a choice."""
        told = self.game.act(code, self.order)
        self.seq += 1
        return update_for(0, self.seq, told, self.game.position)

    def undo(self) -> Update:
        """What the client is told when the last choice is taken back."""
        self.game.undo()
        self.seq += 1
        return update_for(0, self.seq, (), self.game.position, news=NewsMessage(kind="undone", seat=0))

    def grant(self, code: int) -> None:
        """Let the client choose `code`, and answer it."""
        self.player.choose = lambda _: code
        wish = self.player.wish()
        assert wish is not None
        self.player.answered(wish, self.act(code))

    @property
    def record(self) -> Record:
        """The record of the game as it was played."""
        headers = headers_of_shuffle(shuffle_of(JAMAICA), JAMAICA, ("Anne", "Bart"))
        return record_of(self.game, headers, Result(Ending.RESIGNED, 1))


def test_a_choice_that_is_not_ours_is_found() -> None:
    live, written = Operator(), Operator()
    first, second = legal(live.game.position)[:2]
    live.grant(first)
    written.act(second)
    assert live.player.check(live.record).unchecked == ()
    assert failures(live.player, written.record) == [Failure.OWN_MOVES_DIFFER]


def test_a_choice_that_was_taken_back_is_not_missed() -> None:
    live = Operator()
    turn, (first, second) = live.game.position.turn, legal(live.game.position)[-2:]
    live.grant(second)
    undone = live.undo()
    # The stream repeats what the answer has already told.
    for _ in range(2):
        live.player.hear(undone)
    assert live.player.check(live.record).unchecked == ()
    live.grant(first)
    assert live.player.check(live.record).unchecked == ()
    kept = live.player.kept
    assert kept is not None
    assert kept.moves == ((turn, first),)


def test_what_may_have_been_taken_back_while_we_were_away_is_not_counted_on() -> None:
    live = Operator()
    live.grant(legal(live.game.position)[-1])
    live.undo()
    away = update_for(0, live.seq + 1, (), live.game.position, table=table_of("running"))
    live.player.hear(away)
    assert live.player.check(live.record).unchecked == ()


def test_answers_that_come_late_keep_the_order_of_the_choices() -> None:
    """The stream was faster: the second choice is answered before the first."""
    live = Operator()
    wishes, told = [], []
    for _ in range(2):
        live.player.choose = lambda _: legal(live.game.position)[-1]
        wishes.append(live.player.wish())
        told.append(live.act(legal(live.game.position)[-1]))
        live.player.hear(told[-1])
    for wish, update in zip(wishes[::-1], told[::-1], strict=True):
        assert wish is not None
        live.player.answered(wish, update)
    assert live.player.check(live.record).unchecked == ()
