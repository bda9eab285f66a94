"""What chance decides in a game: board, first seat, deal and renewals."""

from dataclasses import replace

import pytest

from cartagena.fairness import BOARD, DEAL, FIRST_SEAT, FairnessError, KeyStream, Shuffle, renewal

SHUFFLE = Shuffle(
    game_id="table-1",
    ruleset="tortuga",
    nonces=(bytes(range(32)), None, bytes(range(32, 64))),
    secret=bytes(range(64, 96)),
)
MANY = [replace(SHUFFLE, secret=number.to_bytes(32, "big")) for number in range(600)]


def test_the_purposes_have_their_published_names() -> None:
    assert (BOARD, FIRST_SEAT, DEAL) == ("board", "first seat", "deal")
    assert (renewal(1), renewal(12)) == ("renewal 1", "renewal 12")


@pytest.mark.parametrize("number", [0, -1])
def test_renewals_count_from_one(number: int) -> None:
    with pytest.raises(FairnessError, match="the number of a renewal must be from 1"):
        renewal(number)


def test_every_draw_begins_its_stream_anew() -> None:
    stream = KeyStream(SHUFFLE.key, DEAL)
    assert SHUFFLE.order(DEAL, range(102)) == stream.order(range(102))
    assert SHUFFLE.order(DEAL, range(102)) == SHUFFLE.order(DEAL, reversed(range(102)))
    assert SHUFFLE.number(FIRST_SEAT, 3) == SHUFFLE.stream(FIRST_SEAT).number(3)


def test_deal_and_renewals_are_different_orders() -> None:
    purposes = [DEAL, *map(renewal, range(1, 20))]
    assert len({SHUFFLE.order(purpose, range(102)) for purpose in purposes}) == len(purposes)


@pytest.mark.parametrize("seat", [0, 2])
def test_the_nonce_of_any_one_person_decides_with_the_others(seat: int) -> None:
    nonces = list(SHUFFLE.nonces)
    nonces[seat] = bytes(32)
    changed = replace(SHUFFLE, nonces=tuple(nonces))
    assert changed.order(DEAL, range(102)) != SHUFFLE.order(DEAL, range(102))


def test_two_persons_who_change_chairs_get_another_shuffle() -> None:
    assert replace(SHUFFLE, nonces=SHUFFLE.nonces[::-1]).key != SHUFFLE.key


def test_a_tunnel_has_each_segment_once_and_a_direction_for_each() -> None:
    for shuffle in MANY:
        order, turned = shuffle.segments()
        assert sorted(order) == [0, 1, 2, 3, 4, 5]
        assert len(turned) == 6
        assert set(map(type, turned)) == {bool}


def test_every_segment_comes_at_every_place_either_way_round() -> None:
    seen = {
        (place, segment, way)
        for shuffle in MANY
        for place, (segment, way) in enumerate(zip(*shuffle.segments(), strict=True))
    }
    assert len(seen) == 6 * 6 * 2


def test_directions_follow_the_order_in_one_stream() -> None:
    stream = SHUFFLE.stream("board")
    assert SHUFFLE.segments() == (stream.order(range(6)), tuple(stream.number(2) == 1 for _ in range(6)))


def test_other_numbers_of_segments_and_another_purpose_are_possible() -> None:
    order, turned = SHUFFLE.segments(purpose="second board", count=3)
    assert (sorted(order), len(turned)) == ([0, 1, 2], 3)
    assert SHUFFLE.segments("second board") != SHUFFLE.segments()


def test_each_piece_of_the_islands_shows_each_sign_once() -> None:
    pieces = SHUFFLE.pieces()
    assert [sorted(piece) for piece in pieces] == [list(range(7))] * 5
    assert len(set(pieces)) > 1


def test_pieces_follow_each_other_in_one_stream() -> None:
    stream = SHUFFLE.stream("board")
    assert SHUFFLE.pieces(count=2, signs=4) == (stream.order(range(4)), stream.order(range(4)))


def test_a_board_of_nothing_is_refused() -> None:
    with pytest.raises(FairnessError, match="the number of segments must be from 1 to 256, not 0"):
        SHUFFLE.segments(count=0)
    with pytest.raises(FairnessError, match="the number of pieces must be from 1 to 256, not 0"):
        SHUFFLE.pieces(count=0)
    with pytest.raises(FairnessError, match="the number of signs must be from 1 to 256, not 257"):
        SHUFFLE.pieces(signs=257)
