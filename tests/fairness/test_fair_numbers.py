"""Fair numbers and fair orders: every outcome as likely as the others."""

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartagena.fairness import FairnessError, KeyStream

KEY = bytes(range(32))
keys = st.binary(min_size=32, max_size=32)

# A fair draw exceeds these once in a thousand keys. The keys are fixed, so the tests never waver.
LIMIT = {1: 10.83, 2: 13.82, 5: 20.52, 23: 49.73, 101: 149.4}


def chi_square(outcomes: Iterable[Hashable], cells: int) -> float:
    counts = Counter(outcomes)
    assert len(counts) <= cells
    expected = counts.total() / cells
    never = cells - len(counts)
    return sum((count - expected) ** 2 for count in counts.values()) / expected + never * expected


def streams(count: int) -> Iterator[KeyStream]:
    return (KeyStream(number.to_bytes(32, "big"), "deal") for number in range(count))


@pytest.mark.parametrize("below", [2, 3, 6, 102])
def test_small_ranges_are_fair(below: int) -> None:
    stream = KeyStream(KEY, "deal")
    drawn = [stream.number(below) for _ in range(200 * below)]
    assert chi_square(drawn, below) < LIMIT[below - 1]


def thirds(number: Callable[[int], int]) -> float:
    """Chi-square of the thirds of 3 * 2**30: a bare remainder would give the first third twice as often."""
    return chi_square((number(3 * 2**30) >> 30 for _ in range(3000)), 3)


def test_there_is_no_modulo_bias() -> None:
    assert thirds(KeyStream(KEY, "deal").number) < LIMIT[2]


def test_the_test_of_modulo_bias_finds_a_bare_remainder() -> None:
    word = KeyStream(KEY, "deal").number
    assert thirds(lambda below: word(2**32) % below) > LIMIT[2]


def test_the_first_unfair_word_is_dropped_and_the_last_fair_one_is_kept() -> None:
    stream = KeyStream(KEY, "deal")
    words = [stream.number(2**32) for _ in range(20)]
    word = next(word for word in words if word > 2**31)
    fair = [other for other in words if other < word]
    again, anew = KeyStream(KEY, "deal"), KeyStream(KEY, "deal")
    assert [again.number(word) for _ in fair] == fair
    assert word in [anew.number(word + 1) for _ in fair]


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    orders = [stream.order(range(4)) for stream in streams(12_000)]
    assert chi_square(orders, 24) < LIMIT[23]


def test_the_test_of_orders_finds_a_careless_shuffle() -> None:
    def careless(stream: KeyStream) -> tuple[int, ...]:
        cards = [0, 1, 2, 3]
        for place in range(4):
            other = stream.number(4)
            cards[place], cards[other] = cards[other], cards[place]
        return tuple(cards)

    assert chi_square(map(careless, streams(12_000)), 24) > LIMIT[23]


def test_orders_of_one_stream_after_the_other_are_fair_too() -> None:
    stream = KeyStream(KEY, "board")
    assert chi_square((stream.order(range(4)) for _ in range(12_000)), 24) < LIMIT[23]


def test_cards_that_look_alike_share_their_chances() -> None:
    orders = [stream.order([7, 7, 3, 3]) for stream in streams(6_000)]
    assert chi_square(orders, 6) < LIMIT[5]


@given(keys, st.integers(1, 2**32))
def test_a_number_is_below_its_range(key: bytes, below: int) -> None:
    assert 0 <= KeyStream(key, "deal").number(below) < below


@given(keys, st.lists(st.integers(0, 15), max_size=40), st.randoms(use_true_random=False))
def test_an_order_keeps_the_cards_and_forgets_how_they_came(
    key: bytes, cards: list[int], chance: Random
) -> None:
    order = KeyStream(key, "deal").order(cards)
    assert sorted(order) == sorted(cards)
    chance.shuffle(cards)
    assert KeyStream(key, "deal").order(iter(cards)) == order


def test_a_stream_goes_on_and_every_purpose_and_key_has_its_own() -> None:
    purposes = ["board", "first seat", "deal", "renewal 1", "renewal 10", "renewal 11", "renewal 1 1"]
    every = [KeyStream(key, purpose) for key in (KEY, bytes(32)) for purpose in purposes]
    words = [stream.number(2**32) for stream in every for _ in range(100)]
    assert len(set(words)) == len(words)


def test_the_same_key_gives_the_same_numbers() -> None:
    first, second = KeyStream(KEY, "deal"), KeyStream(KEY, "deal")
    for below in itertools.islice(itertools.cycle([1, 6, 2**31 + 1]), 60):
        assert first.number(below) == second.number(below)


@pytest.mark.parametrize("below", [0, -1, 2**32 + 1])
def test_an_impossible_range_is_refused(below: int) -> None:
    with pytest.raises(FairnessError, match=f"the size of a range must be from 1 to 4294967296, not {below}"):
        KeyStream(KEY, "deal").number(below)


@pytest.mark.parametrize("purpose", ["", "deal\n0", " deal", "deal ", "dé", "deal\r", "\x7f"])
def test_a_purpose_is_one_plain_line(purpose: str) -> None:
    with pytest.raises(FairnessError, match="a purpose must be one line of printable ASCII"):
        KeyStream(KEY, purpose)


def test_a_key_has_32_bytes() -> None:
    with pytest.raises(FairnessError, match="a key must be exactly 32 bytes, not 16"):
        KeyStream(bytes(16), "deal")
