"""Promises: a hash now, what it hides afterwards."""

import hashlib
import hmac

import pytest

from cartagena.fairness import FairnessError, check, commit, missing

SECRET = bytes(range(32))
OTHER = bytes(range(1, 33))


def test_a_commitment_is_the_hash_of_the_secret() -> None:
    assert commit(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commit(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_only_the_promised_secret_fits() -> None:
    assert check(commit(SECRET), SECRET)
    assert not check(commit(SECRET), OTHER)


def test_one_changed_bit_does_not_fit() -> None:
    for bit in range(256):
        changed = int.from_bytes(SECRET, "big") ^ (1 << bit)
        assert not check(commit(SECRET), changed.to_bytes(32, "big"))


def test_the_comparison_takes_the_same_time_whatever_it_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []

    def compare(first: str, second: str) -> bool:
        compared.append((first, second))
        return first == second

    monkeypatch.setattr(hmac, "compare_digest", compare)
    check(commit(SECRET), OTHER)
    assert compared == [(commit(SECRET), commit(OTHER))]


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64])
def test_a_secret_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(FairnessError, match=f"a secret or nonce must be exactly 32 bytes, not {size}"):
        commit(bytes(size))


@pytest.mark.parametrize("secret", ["x" * 32, bytearray(32), None])
def test_a_secret_that_is_not_bytes_is_refused(secret: object) -> None:
    with pytest.raises(FairnessError, match="must be bytes, not"):
        commit(secret)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", "00", "0" * 63, "0" * 65, "A" * 64, "g" * 64, "0" * 64 + "\n", "\u0660" * 64]
)
def test_a_commitment_that_is_no_hash_is_refused(text: str) -> None:
    with pytest.raises(FairnessError, match="a commitment must be 64 small hexadecimal digits"):
        check(text, SECRET)


def test_a_refusal_never_tells_the_secret() -> None:
    with pytest.raises(FairnessError) as refusal:
        commit(b"do not print me")
    assert "print" not in str(refusal.value)


def test_nobody_is_missing_when_every_promised_nonce_is_there() -> None:
    assert missing((commit(SECRET), None, commit(OTHER)), (SECRET, None, OTHER)) == ()


def test_seats_without_their_nonce_are_missing() -> None:
    hashes = (commit(SECRET), None, commit(OTHER), commit(OTHER))
    assert missing(hashes, (None, None, OTHER, None)) == (0, 3)


def test_a_nonce_that_does_not_fit_its_hash_is_still_missing() -> None:
    assert missing((commit(SECRET), commit(OTHER)), (SECRET, SECRET)) == (1,)


def test_a_bot_has_no_nonce() -> None:
    with pytest.raises(FairnessError, match="seat 1 promised no nonce but has one"):
        missing((commit(SECRET), None), (SECRET, OTHER))


def test_hashes_and_nonces_are_of_the_same_seats() -> None:
    with pytest.raises(FairnessError, match="2 nonce hashes but 1 nonces"):
        missing((commit(SECRET), None), (SECRET,))
