"""The test vectors, reached twice: by the package and by a second program, made from docs/fairness.md."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartagena.fairness import ALGORITHM, FIRST_SEAT, Shuffle, commit, missing

# Any: the vectors are plain JSON, and reading them without our own types is the point.
Vector = dict[str, Any]
Draw = Callable[[int], int]

FILE = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="ascii"))
VECTORS: list[Vector] = FILE["vectors"]
each_vector = pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])


# The second program: HMAC spelled out, words cut from large numbers, cards taken out of a pool.


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    padded = key + bytes(64 - len(key))
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + message)
    return sha256(bytes(byte ^ 0x5C for byte in padded) + inner)


def text_of(vector: Vector) -> str:
    lines: list[str] = ["cartagena shuffle 1"]
    lines.append("game " + vector["game_id"])
    lines.append("ruleset " + vector["ruleset"])
    lines.append("seats " + str(len(vector["nonces"])))
    lines.extend("seat " + (nonce or "-") for nonce in vector["nonces"])
    lines.append("secret " + vector["secret"])
    return "\n".join(lines) + "\n"


def block_of(vector: Vector, purpose: str, counter: int) -> bytes:
    return hmac_sha256(sha256(text_of(vector).encode()), (purpose + "\n" + str(counter)).encode())


def numbers_of(vector: Vector, purpose: str) -> Draw:
    words: list[int] = []
    blocks = 0

    def number(below: int) -> int:
        nonlocal blocks
        if not words:
            block = int(block_of(vector, purpose, blocks).hex(), 16)
            blocks += 1
            words.extend(block >> shift & 0xFFFFFFFF for shift in range(224, -1, -32))
        rounds, rest = divmod(words.pop(0), below)
        return rest if rounds < 2**32 // below else number(below)

    return number


def order_of(number: Draw, cards: list[int]) -> list[int]:
    pool = sorted(cards)
    order: list[int] = []
    while len(pool) > 1:
        taken = number(len(pool))
        last = pool.pop()
        order.insert(0, last if taken == len(pool) else pool[taken])
        if taken < len(pool):
            pool[taken] = last
    return pool + order


def packaged(vector: Vector) -> Shuffle:
    return Shuffle(
        game_id=vector["game_id"],
        ruleset=vector["ruleset"],
        nonces=tuple(nonce and bytes.fromhex(nonce) for nonce in vector["nonces"]),
        secret=bytes.fromhex(vector["secret"]),
    )


def test_the_vectors_are_of_this_algorithm() -> None:
    assert FILE["algorithm"] == ALGORITHM
    assert len(VECTORS) == 4


@each_vector
def test_text_and_key(vector: Vector) -> None:
    shuffle = packaged(vector)
    assert shuffle.canonical_text == text_of(vector) == vector["canonical_text"]
    assert shuffle.key.hex() == sha256(text_of(vector).encode()).hex() == vector["key"]


@each_vector
def test_hashes(vector: Vector) -> None:
    shuffle = packaged(vector)
    assert commit(shuffle.secret) == sha256(bytes.fromhex(vector["secret"])).hex() == vector["commitment"]
    assert missing(vector["nonce_hashes"], shuffle.nonces) == ()


@each_vector
def test_blocks(vector: Vector) -> None:
    for case in vector["blocks"]:
        assert block_of(vector, case["purpose"], case["counter"]).hex() == case["block"]


@each_vector
def test_numbers(vector: Vector) -> None:
    for case in vector["numbers"]:
        ours, theirs = packaged(vector).stream(case["purpose"]), numbers_of(vector, case["purpose"])
        assert [ours.number(case["below"]) for _ in range(10)] == case["first_ten"]
        assert [theirs(case["below"]) for _ in range(10)] == case["first_ten"]


@each_vector
def test_orders(vector: Vector) -> None:
    for case in vector["orders"]:
        assert list(packaged(vector).order(case["purpose"], case["cards"])) == case["order"]
        assert order_of(numbers_of(vector, case["purpose"]), case["cards"]) == case["order"]


@each_vector
def test_segments(vector: Vector) -> None:
    number = numbers_of(vector, "board")
    expected = vector["segments"]
    assert order_of(number, list(range(6))) == expected["order"]
    assert [number(2) == 1 for _ in range(6)] == expected["turned"]
    assert packaged(vector).segments() == (tuple(expected["order"]), tuple(expected["turned"]))


@each_vector
def test_pieces(vector: Vector) -> None:
    number = numbers_of(vector, "board")
    assert [order_of(number, list(range(7))) for _ in range(5)] == vector["pieces"]
    assert [list(piece) for piece in packaged(vector).pieces()] == vector["pieces"]


@each_vector
def test_first_seat(vector: Vector) -> None:
    seats = len(vector["nonces"])
    assert packaged(vector).number(FIRST_SEAT, seats) == vector["first_seat"]
    assert numbers_of(vector, "first seat")(seats) == vector["first_seat"]


@each_vector
def test_the_vectors_find_a_program_that_drops_no_words(vector: Vector) -> None:
    (case,) = [case for case in vector["numbers"] if case["below"] == 2**31 + 1]
    word = numbers_of(vector, case["purpose"])
    assert [word(2**32) % case["below"] for _ in range(10)] != case["first_ten"]
