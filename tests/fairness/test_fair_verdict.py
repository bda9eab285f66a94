"""The verdict: every promise answered, and the reason when it was broken."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartagena.fairness import (
    Claim,
    Claims,
    Failure,
    FairnessError,
    Finding,
    Promise,
    Shuffle,
    commit,
    verify,
)

ANN, CID, SECRET, OTHER = (bytes([letter]) * 32 for letter in b"acsx")
NONCES = (ANN, None, CID)
SHUFFLE = Shuffle(game_id="table-1", ruleset="tortuga", nonces=NONCES, secret=SECRET)
PROMISE = Promise(
    game_id="table-1",
    ruleset="tortuga",
    commitment=commit(SECRET),
    nonce_hashes=(commit(ANN), None, commit(CID)),
)
DECK = sorted(list(range(6)) * 17)
CLAIMS = Claims(
    segments=SHUFFLE.segments(),
    first_seat=SHUFFLE.number("first seat", 3),
    deal=SHUFFLE.order("deal", DECK),
    renewals=(SHUFFLE.order("renewal 1", DECK[:60]), SHUFFLE.order("renewal 2", DECK[30:])),
)


def failures(
    promise: Promise = PROMISE,
    claims: Claims = CLAIMS,
    secret: bytes = SECRET,
    nonces: tuple[bytes | None, ...] = NONCES,
) -> dict[str, Failure | None]:
    verdict = verify(promise, claims, secret=secret, nonces=nonces)
    assert verdict.holds is (not verdict.failed)
    return {finding.name: finding.failure for finding in verdict.failed}


def test_an_honest_game_holds_and_every_claim_is_named() -> None:
    verdict = verify(PROMISE, CLAIMS, secret=SECRET, nonces=NONCES)
    assert verdict.holds
    assert [str(finding) for finding in verdict.findings] == [
        "secret: true",
        "seats: true",
        "nonce of seat 0: true",
        "nonce of seat 2: true",
        "board: true",
        "first seat: true",
        "deal: true",
        "renewal 1: true",
        "renewal 2: true",
    ]


def test_what_the_table_chose_is_not_claimed() -> None:
    verdict = verify(PROMISE, Claims(deal=CLAIMS.deal), secret=SECRET, nonces=NONCES)
    assert verdict.holds
    assert [finding.name for finding in verdict.findings][4:] == ["deal"]


def test_the_islands_of_the_nest_are_checked_too() -> None:
    pieces = SHUFFLE.pieces()
    assert failures(claims=Claims(deal=(), pieces=pieces)) == {}
    assert failures(claims=Claims(deal=(), pieces=pieces[::-1])) == {"board": Failure.BOARD_DIFFERS}


def test_another_secret_is_found() -> None:
    found = failures(secret=OTHER)
    assert found["secret"] is Failure.COMMITMENT_BROKEN
    assert found["deal"] is Failure.DEAL_DIFFERS


def test_a_secret_exchanged_together_with_its_orders_is_found() -> None:
    shuffle = replace(SHUFFLE, secret=OTHER)
    claims = Claims(deal=shuffle.order("deal", DECK))
    assert failures(claims=claims, secret=OTHER) == {"secret": Failure.COMMITMENT_BROKEN}


def test_a_nonce_exchanged_together_with_its_orders_is_found() -> None:
    nonces = (ANN, None, OTHER)
    claims = Claims(deal=replace(SHUFFLE, nonces=nonces).order("deal", DECK))
    assert failures(claims=claims, nonces=nonces) == {"nonce of seat 2": Failure.NONCE_DIFFERS}


def test_a_start_that_had_to_be_called_off_is_found() -> None:
    nonces = (ANN, None, None)
    claims = Claims(deal=replace(SHUFFLE, nonces=nonces).order("deal", DECK))
    assert failures(claims=claims, nonces=nonces) == {"nonce of seat 2": Failure.NONCE_MISSING}


def test_a_nonce_slipped_in_for_a_bot_is_found() -> None:
    nonces = (ANN, OTHER, CID)
    claims = Claims(deal=replace(SHUFFLE, nonces=nonces).order("deal", DECK))
    assert failures(claims=claims, nonces=nonces) == {"nonce of seat 1": Failure.NONCE_NOT_PROMISED}


@pytest.mark.parametrize("nonces", [(ANN, None), (ANN, None, CID, None)])
def test_a_seat_added_or_taken_away_is_found(nonces: tuple[bytes | None, ...]) -> None:
    claims = Claims(deal=replace(SHUFFLE, nonces=nonces).order("deal", DECK))
    assert failures(claims=claims, nonces=nonces) == {"seats": Failure.SEATS_DIFFER}


@pytest.mark.parametrize("changed", [{"game_id": "table-2"}, {"ruleset": "jamaica"}])
def test_another_game_or_other_rules_are_found_in_the_orders(changed: dict[str, str]) -> None:
    found = failures(promise=replace(PROMISE, **changed))  # type: ignore[arg-type]
    assert found["deal"] is Failure.DEAL_DIFFERS
    assert not {"secret", "seats"} & set(found)


def test_an_exchange_of_two_renewals_is_found() -> None:
    same = SHUFFLE.order("renewal 1", DECK), SHUFFLE.order("renewal 2", DECK)
    assert failures(claims=replace(CLAIMS, renewals=same)) == {}
    found = failures(claims=replace(CLAIMS, renewals=same[::-1]))
    assert found == {"renewal 1": Failure.RENEWAL_DIFFERS, "renewal 2": Failure.RENEWAL_DIFFERS}


@given(st.permutations(range(102)))
def test_any_other_deal_is_found(places: list[int]) -> None:
    deal = tuple(CLAIMS.deal[place] for place in places)
    found = failures(claims=replace(CLAIMS, deal=deal))
    assert found == ({} if deal == CLAIMS.deal else {"deal": Failure.DEAL_DIFFERS})


def test_the_reason_names_the_first_difference() -> None:
    fair = SHUFFLE.order("deal", range(4))
    said = (*fair[:2], fair[3], fair[2])
    (finding,) = verify(PROMISE, Claims(deal=said), secret=SECRET, nonces=NONCES).failed
    assert str(finding) == f"deal: false, entry 3 is {fair[3]}, the shuffle gives {fair[2]}"


def test_the_reason_for_a_seat_is_the_seat() -> None:
    fair = SHUFFLE.number("first seat", 3)
    claims = Claims(deal=(), first_seat=fair + 1)
    (finding,) = verify(PROMISE, claims, secret=SECRET, nonces=NONCES).failed
    assert str(finding) == f"first seat: false, it is {fair + 1}, the shuffle gives {fair}"


def test_the_reason_for_a_short_board_is_its_length() -> None:
    claims = Claims(deal=(), pieces=SHUFFLE.pieces()[:4])
    (finding,) = verify(PROMISE, claims, secret=SECRET, nonces=NONCES).failed
    assert finding == Finding(Claim.BOARD, Failure.BOARD_DIFFERS, "it has 4 entries, the shuffle gives 5")


@pytest.mark.parametrize(
    ("secret", "nonces", "reason"),
    [
        (OTHER, NONCES, "secret: false, it does not fit the commitment"),
        (SECRET, (ANN, None), "seats: false, 3 promised, 2 played"),
        (SECRET, (OTHER, None, CID), "nonce of seat 0: false, it does not fit its hash"),
        (SECRET, (ANN, OTHER, CID), "nonce of seat 1: false, that seat promised none"),
        (SECRET, (ANN, None, None), "nonce of seat 2: false, it was never sent; such a start is called off"),
    ],
)
def test_each_broken_promise_has_its_reason(
    secret: bytes, nonces: tuple[bytes | None, ...], reason: str
) -> None:
    verdict = verify(PROMISE, Claims(deal=()), secret=secret, nonces=nonces)
    assert [str(finding) for finding in verdict.failed] == [reason]


def test_a_game_has_one_board() -> None:
    with pytest.raises(FairnessError, match="a game has one board"):
        replace(CLAIMS, pieces=SHUFFLE.pieces())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"game_id": "a\nb"}, "a game id must be one line"),
        ({"ruleset": ""}, "a ruleset must be one line"),
        ({"commitment": "00"}, "a commitment must be 64 small hexadecimal digits"),
        ({"nonce_hashes": ()}, "a game has at least one seat"),
        ({"nonce_hashes": (None, "FF" * 32)}, "the nonce hash of seat 1 must be 64 small hexadecimal digits"),
    ],
)
def test_a_promise_that_cannot_be_kept_is_refused(changed: dict[str, object], message: str) -> None:
    with pytest.raises(FairnessError, match=message):
        replace(PROMISE, **changed)  # type: ignore[arg-type]


def test_a_revealed_secret_of_another_size_is_refused() -> None:
    with pytest.raises(FairnessError, match="a secret must be exactly 32 bytes, not 0"):
        verify(PROMISE, CLAIMS, secret=b"", nonces=NONCES)
