"""The canonical text: no two different shuffles share one."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cartagena.fairness import ALGORITHM, FairnessError, Shuffle

lines = st.one_of(
    st.from_regex(r"[!-~]([ -~]{0,20}[!-~])?", fullmatch=True),
    st.sampled_from(
        ["-", "game", "ruleset x", "seats 2", "seat -", "secret " + "0" * 64, r"a\nruleset b", "0"]
    ),
)
numbers = st.one_of(
    st.binary(min_size=32, max_size=32), st.sampled_from([bytes(32), bytes(31) + b"\n", b"-" * 32])
)
seats = st.lists(st.none() | numbers, min_size=1, max_size=6).map(tuple)
shuffles = st.builds(Shuffle, game_id=lines, ruleset=lines, nonces=seats, secret=numbers)

SHUFFLE = Shuffle(game_id="table-1", ruleset="tortuga", nonces=(bytes(32), None), secret=bytes(range(32)))


def cut(line: str, word: str) -> str:
    assert line.startswith(f"{word} ")
    return line.removeprefix(f"{word} ")


def read_back(text: str) -> Shuffle:
    """Rebuild the shuffle from its text alone: what can be read back is never shared."""
    algorithm, game, ruleset, count, *rest, secret, end = text.split("\n")
    assert (algorithm, end) == (ALGORITHM, "")
    assert int(cut(count, "seats")) == len(rest)
    nonces = [cut(line, "seat") for line in rest]
    return Shuffle(
        game_id=cut(game, "game"),
        ruleset=cut(ruleset, "ruleset"),
        nonces=tuple(None if nonce == "-" else bytes.fromhex(nonce) for nonce in nonces),
        secret=bytes.fromhex(cut(secret, "secret")),
    )


@given(shuffles)
def test_the_text_can_be_read_back(shuffle: Shuffle) -> None:
    assert read_back(shuffle.canonical_text) == shuffle


@given(shuffles, shuffles, st.sets(st.sampled_from(["game_id", "ruleset", "nonces", "secret"])))
def test_different_shuffles_have_different_texts_and_keys(
    one: Shuffle, other: Shuffle, shared: set[str]
) -> None:
    other = replace(other, **{name: getattr(one, name) for name in shared})
    assume(one != other)
    assert one.canonical_text != other.canonical_text
    assert one.key != other.key


def test_the_text_is_written_line_by_line() -> None:
    assert SHUFFLE.canonical_text == (
        "cartagena shuffle 1\n"
        "game table-1\n"
        "ruleset tortuga\n"
        "seats 2\n"
        f"seat {'00' * 32}\n"
        "seat -\n"
        "secret 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n"
    )


def test_a_shuffle_does_not_print_its_secret() -> None:
    assert "secret" not in repr(SHUFFLE)
    assert repr(SHUFFLE.secret) not in repr(SHUFFLE)


@pytest.mark.parametrize(
    "text", ["", " ", "a\nb", "a\n", "\na", "a\r", "a\tb", " a", "a ", "é", "a\u2028b", "a\x00"]
)
@pytest.mark.parametrize(("name", "called"), [("game_id", "a game id"), ("ruleset", "a ruleset")])
def test_game_id_and_ruleset_are_one_plain_line(name: str, called: str, text: str) -> None:
    with pytest.raises(FairnessError, match=f"{called} must be one line of printable ASCII") as refusal:
        replace(SHUFFLE, **{name: text})  # type: ignore[arg-type]
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_secret_and_nonces_have_32_bytes(size: int) -> None:
    with pytest.raises(FairnessError, match=f"a secret must be exactly 32 bytes, not {size}"):
        replace(SHUFFLE, secret=bytes(size))
    with pytest.raises(FairnessError, match=f"the nonce of seat 1 must be exactly 32 bytes, not {size}"):
        replace(SHUFFLE, nonces=(None, bytes(size)))


def test_a_shuffle_has_seats() -> None:
    with pytest.raises(FairnessError, match="a game has at least one seat"):
        replace(SHUFFLE, nonces=())


def test_a_misuse_is_a_value_error() -> None:
    assert issubclass(FairnessError, ValueError)
