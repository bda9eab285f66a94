"""Checking a record: that the chance in it was fair, and that the game went by its rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from cartagena.fairness.commitment import commit
from cartagena.fairness.opening import draw_board, draw_deal, draw_first_seat
from cartagena.fairness.shuffle import BOARD, Shuffle
from cartagena.fairness.verdict import Claims, Failure, Finding, Promise, Verdict, verify
from cartagena.notation.cards import Cards
from cartagena.notation.errors import ReplayError
from cartagena.notation.record import Headers, Record
from cartagena.notation.replay import replay
from cartagena.notation.ruleset_text import format_ruleset
from cartagena.rules.board import SEGMENTS, Board
from cartagena.rules.ruleset import ESCAPE, SIGNS, Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of checking a record.

    `unproved` says why the chance in it cannot be checked; then there is no verdict. `broken` is the
    first place where the game cannot have gone as the record says.
    """

    verdict: Verdict | None
    unproved: str
    broken: ReplayError | None

    @property
    def holds(self) -> bool:
        """Whether everything was checked and found true."""
        return self.broken is None and self.verdict is not None and self.verdict.holds

    def lines(self) -> tuple[str, ...]:
        """The findings in words, one on a line."""
        findings = self.verdict.findings if self.verdict else ()
        chance = [f"chance: not proved, {self.unproved}"] if self.unproved else [str(one) for one in findings]
        return (*chance, f"game: false, {self.broken}" if self.broken else "game: true")


def verify_record(record: Record) -> Report:
    """Check board, first seat, deal and every order of a record against its promises, and replay it."""
    broken = None
    try:
        replay(record)
    except ReplayError as error:
        broken = error
    unproved = _missing_proof(record)
    return Report(verdict=None if unproved else _verdict(record), unproved=unproved, broken=broken)


def headers_of_shuffle(shuffle: Shuffle, ruleset: Ruleset, names: Sequence[str]) -> Headers:
    """The headers of a game that a fair shuffle began, with all that proves it; for after the end."""
    return Headers(
        ruleset=ruleset,
        board=draw_board(shuffle, ruleset),
        names=tuple(names),
        first_seat=draw_first_seat(shuffle),
        deal=draw_deal(shuffle, ruleset),
        game_id=shuffle.game_id,
        commitment=commit(shuffle.secret),
        nonce_hashes=tuple(None if nonce is None else commit(nonce) for nonce in shuffle.nonces),
        nonces=shuffle.nonces,
        secret=shuffle.secret,
    )


def _missing_proof(record: Record) -> str:
    headers = record.headers
    needed = {
        "game id": headers.game_id,
        "commitment": headers.commitment,
        "nonce hashes": headers.nonce_hashes,
        "nonces": headers.nonces,
        "secret": headers.secret,
    }
    missing = [name for name, value in needed.items() if value is None]
    if missing:
        return f"the record has no {', '.join(missing)}"
    hidden = any(None in order for order in (headers.deal, *_orders(record)))
    return "some cards are unknown: this is the record of a view" if hidden else ""


def _verdict(record: Record) -> Verdict:
    headers = record.headers
    assert headers.game_id and headers.commitment and headers.nonce_hashes  # noqa: PT018 - one promise
    assert headers.secret and headers.nonces  # noqa: PT018 - one reveal
    promise = Promise(
        game_id=headers.game_id,
        ruleset=format_ruleset(headers.ruleset),
        commitment=headers.commitment,
        nonce_hashes=headers.nonce_hashes,
    )
    tunnel = headers.board.family == ESCAPE
    segments = segments_of(headers.board) if tunnel else None
    claims = Claims(
        deal=_known(headers.deal),
        renewals=tuple(map(_known, _orders(record))),
        first_seat=headers.first_seat,
        segments=segments,
        pieces=None if tunnel else pieces_of(headers.board),
    )
    verdict = verify(promise, claims, secret=headers.secret, nonces=headers.nonces)
    if tunnel and segments is None:
        strange = Finding(BOARD, Failure.DRAW_DIFFERS, "it is not laid from the printed segments")
        return Verdict((*verdict.findings, strange))
    return verdict


def _orders(record: Record) -> tuple[Cards, ...]:
    return tuple(order for step in record.steps for order in step.orders)


def _known(cards: Cards) -> tuple[int, ...]:
    return tuple(card for card in cards if card is not None)


def pieces_of(board: Board) -> tuple[tuple[int, ...], ...]:
    """The signs of each piece of a board, from the start on."""
    width = len(SIGNS[board.family])
    return tuple(board.signs[first : first + width] for first in range(0, len(board.signs), width))


def segments_of(board: Board) -> tuple[tuple[int, ...], tuple[bool, ...]] | None:
    """The printed segments of a tunnel in their order, and which are turned round; None if it has others."""
    laid: dict[tuple[int, ...], tuple[int, bool]] = {}
    for number, words in enumerate(SEGMENTS):
        signs = tuple(SIGNS[ESCAPE].index(word) for word in words)
        laid[signs] = (number, False)
        laid[signs[::-1]] = (number, True)
    found = [laid[piece] for piece in pieces_of(board) if piece in laid]
    order = tuple(number for number, _ in found)
    if sorted(order) != list(range(len(SEGMENTS))):
        return None
    return order, tuple(turned for _, turned in found)
