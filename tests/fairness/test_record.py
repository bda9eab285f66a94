"""A record with its promises: everything chance decided is drawn again and compared."""

from dataclasses import replace

import pytest

from cartagena.fairness import Claim, Failure, FairnessError, Finding, Kept, Shuffle, commit
from cartagena.fairness.record import (
    Report,
    headers_of_shuffle,
    segments_of,
    shuffle_of_headers,
    verify_record,
)
from cartagena.fairness.shuffle import draw_board, opening, shuffler
from cartagena.notation import (
    Ending,
    Record,
    Result,
    format_record,
    format_ruleset,
    parse_record,
    record_of,
    record_of_view,
    replay,
    sight_of,
)
from cartagena.notation.names import pieces_of
from cartagena.rules.board import Board
from cartagena.rules.legality import legal
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, PRESETS, TORTUGA, Ruleset
from cartagena.rules.undoable_game import UndoableGame


def shuffle_for(ruleset: Ruleset, seats: int = 3) -> Shuffle:
    """A shuffle with people on all seats but the last."""
    nonces = tuple(bytes([seat]) * 32 for seat in range(seats - 1))
    return Shuffle(
        game_id="table-1", ruleset=format_ruleset(ruleset), nonces=(*nonces, None), secret=bytes(range(32))
    )


def played(ruleset: Ruleset, actions: int = 400) -> Record:
    """A game played at random, which its players leave after `actions` actions if it is not over."""
    shuffle = shuffle_for(ruleset)
    game = UndoableGame(opening(shuffle, ruleset, 3))
    order, choices = shuffler(shuffle), shuffle.stream("choices")
    for _ in range(actions):
        codes = legal(game.position)
        if codes:
            game.act(codes[choices.number(len(codes))], order)
    headers = headers_of_shuffle(shuffle, ruleset, ("Ada", "Bob", ""))
    return record_of(game, headers, None if game.position.over else Result(Ending.ABANDONED))


@pytest.fixture(scope="module")
def record() -> Record:
    return played(JAMAICA, actions=600)


def claims(report: Report) -> set[str]:
    assert report.verdict is not None
    return {finding.name for finding in report.verdict.findings}


def failures(record: Record) -> dict[str, Failure | None]:
    verdict = verify_record(record).verdict
    assert verdict is not None
    return {finding.name: finding.failure for finding in verdict.failed}


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=list(PRESETS))
def test_a_fair_record_holds(ruleset: Ruleset) -> None:
    record = played(ruleset)
    report = verify_record(parse_record(format_record(record)))
    assert report.holds
    assert (report.hidden, report.broken, report.missing, report.nonces) == (False, None, (), 2)
    assert {"secret", "board", "first seat", "deal"} <= claims(report)


def test_every_renewal_is_checked(record: Record) -> None:
    renewals = [order for step in record.steps for order in step.orders]
    assert len(renewals) >= 2
    report = verify_record(record)
    assert report.holds
    assert {claim for claim in claims(report) if claim.startswith("renewal")} == {
        f"renewal {number}" for number in range(1, len(renewals) + 1)
    }


def test_a_renewal_in_another_order_is_found(record: Record) -> None:
    place, step = next((place, step) for place, step in enumerate(record.steps) if step.orders)
    turned = replace(step, orders=(step.orders[0][::-1],))
    stacked = replace(record, steps=(*record.steps[:place], turned))
    assert failures(stacked) == {"renewal 1": Failure.RENEWAL_DIFFERS}


def test_a_stacked_deal_is_found(record: Record) -> None:
    deal = record.headers.deal
    stacked = replace(record, headers=replace(record.headers, deal=deal[::-1]))
    assert failures(stacked) == {"deal": Failure.DEAL_DIFFERS}


def test_another_first_seat_is_found(record: Record) -> None:
    other = (record.headers.first_seat + 1) % 3
    assert failures(replace(record, headers=replace(record.headers, first_seat=other))) == {
        "first seat": Failure.FIRST_SEAT_DIFFERS
    }


@pytest.mark.parametrize("ruleset", [TORTUGA, PIRATES_NEST], ids=["tunnel", "islands"])
def test_another_board_is_found(ruleset: Ruleset) -> None:
    record = played(ruleset, actions=1)
    other = Board(ruleset.family, record.headers.board.signs[::-1])
    changed = replace(record, headers=replace(record.headers, board=other))
    assert failures(changed) == {"board": Failure.BOARD_DIFFERS}


def test_a_tunnel_of_strange_segments_is_found(record: Record) -> None:
    strange = replace(record.headers, board=Board("escape", [0, 1, 2, 3, 4, 5] * 6))
    verdict = verify_record(replace(record, headers=strange)).verdict
    assert verdict is not None
    reasons = {finding.name: finding.reason for finding in verdict.failed}
    assert reasons["board"] == "it is not laid from the printed segments"


def test_another_secret_another_nonce_and_other_rules_are_found(record: Record) -> None:
    headers = record.headers
    assert failures(replace(record, headers=replace(headers, secret=bytes(32))))["secret"]
    nonces = (bytes(32), bytes(32), None)
    assert failures(replace(record, headers=replace(headers, nonces=nonces)))["nonce of seat 1"]
    rules = replace(headers, ruleset=JAMAICA.with_options(pass_allowed=True))
    assert failures(replace(record, headers=rules))["deal"] is Failure.DEAL_DIFFERS


def test_a_game_that_cannot_have_been_is_found(record: Record) -> None:
    report = verify_record(replace(record, result=Result(Ending.QUIET)))
    assert not report.holds
    assert report.verdict is not None
    assert report.verdict.holds
    assert report.broken is not None
    assert report.broken.reason.startswith("the record says 'quiet'")


def test_without_its_promises_nothing_is_proved(record: Record) -> None:
    bare = replace(record, headers=replace(record.headers, secret=None, commitment=None))
    report = verify_record(bare)
    assert (report.holds, report.false, report.verdict, report.broken) == (False, False, None, None)
    assert report.missing == ("Commitment", "Secret")


def test_a_kept_commitment_is_compared(record: Record) -> None:
    own, other = record.headers.commitment, commit(bytes(32))
    right, wrong = (verify_record(record, Kept(commitment=text)) for text in (own, other))
    assert right.holds
    assert right.kept == (Finding(Claim.COMMITMENT),)
    assert (wrong.holds, wrong.false, wrong.broken) == (False, True, None)
    differs = Failure.COMMITMENT_DIFFERS
    assert wrong.kept == (Finding(Claim.COMMITMENT, differs, f"the record has {own}"),)
    bare = replace(record, headers=replace(record.headers, commitment=None))
    found = verify_record(bare, Kept(commitment=own)).kept
    assert found == (Finding(Claim.COMMITMENT, differs, "the record has none"),)
    with pytest.raises(FairnessError, match="64 small hexadecimal digits"):
        Kept(commitment="promise")


def test_it_is_counted_how_many_seats_took_part(record: Record) -> None:
    alone = replace(shuffle_for(JAMAICA), nonces=(None, None, None))
    headers = headers_of_shuffle(alone, JAMAICA, ("", "", ""))
    report = verify_record(Record(headers=headers, steps=(), result=Result(Ending.RUNNING)))
    assert (report.holds, report.nonces) == (True, 0)
    assert verify_record(record).nonces == 2


def test_a_view_proves_nothing(record: Record) -> None:
    running = replace(record, result=Result(Ending.RUNNING))
    seen = record_of_view(running, 0)
    promised = replace(seen.headers, secret=running.headers.secret, nonces=running.headers.nonces)
    report = verify_record(replace(seen, headers=promised))
    assert (report.hidden, report.holds, report.false) == (True, False, False)
    assert (report.verdict, report.broken) == (None, None)


def test_a_trim_that_lies_face_down_makes_a_record_that_of_a_view() -> None:
    record = played(PIRATES_NEST, actions=10)
    *steps, last = record.steps
    assert not verify_record(record).hidden
    assert verify_record(replace(record, steps=(*steps, replace(last, code=None)))).hidden


def test_an_opening_is_drawn_for_the_promised_game_only() -> None:
    shuffle = shuffle_for(TORTUGA)
    assert opening(shuffle, TORTUGA, 3).seat == shuffle.number("first seat", 3)
    with pytest.raises(FairnessError, match="other rules"):
        opening(shuffle, JAMAICA, 3)
    with pytest.raises(FairnessError, match="for 3 seats, not 4"):
        opening(shuffle, TORTUGA, 4)


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=list(PRESETS))
def test_headers_and_opening_tell_of_the_same_table(ruleset: Ruleset) -> None:
    shuffle = shuffle_for(ruleset)
    headers = headers_of_shuffle(shuffle, ruleset, ("", "", ""))
    assert headers.commitment == commit(shuffle.secret)
    record = Record(headers=headers, steps=(), result=Result(Ending.RUNNING))
    assert sight_of(replay(record).position) == sight_of(opening(shuffle, ruleset, 3))


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=list(PRESETS))
def test_headers_give_their_shuffle_again(ruleset: Ruleset) -> None:
    shuffle = shuffle_for(ruleset)
    headers = headers_of_shuffle(shuffle, ruleset, ("", "", ""))
    assert shuffle_of_headers(headers) == shuffle
    for hidden in ("game_id", "nonces", "secret"):
        part: dict[str, None] = {hidden: None}
        assert shuffle_of_headers(replace(headers, **part)) is None  # type: ignore[arg-type]


def test_renewals_go_on_where_they_stopped() -> None:
    shuffle = shuffle_for(JAMAICA)
    first = shuffler(shuffle)
    cards = list(range(6)) * 5
    orders = [first(cards), first(cards), first(cards)]
    assert orders[0] != orders[1]
    assert shuffler(shuffle, done=2)(cards) == orders[2]


def test_a_board_tells_of_which_pieces_it_is_laid() -> None:
    shuffle = shuffle_for(JAMAICA)
    assert segments_of(draw_board(shuffle, JAMAICA)) == shuffle.segments()
    nest = shuffle_for(PIRATES_NEST)
    assert pieces_of(draw_board(nest, PIRATES_NEST)) == nest.pieces()
