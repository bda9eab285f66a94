"""Checking a record: that the chance in it was fair, and that the game went by its rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from cartagena.fairness.shuffle import Shuffle, commit, draw_board, draw_deal
from cartagena.fairness.verdict import OF_KEPT, Claim, Claims, Failure, Finding, Promise, Verdict, verify
from cartagena.fairness.witness import Kept, compare, start_of
from cartagena.notation.names import Cards, pieces_of
from cartagena.notation.position_text import format_ruleset
from cartagena.notation.record import Headers, Record
from cartagena.notation.replay import replay
from cartagena.notation.tokens import ReplayError
from cartagena.rules.board import SEGMENTS, Board
from cartagena.rules.ruleset import ESCAPE, SIGNS, Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of checking a record.

    `kept` are the findings about what the reader saw or did at the table, and of the record of a view,
    `hidden`, nothing else can be checked. `unchecked` are the claims about which nothing was kept. `broken`
    is the first place where the game cannot have gone as the record says. `missing` are the headers without
    which chance cannot be checked; then there is no verdict. `nonces` says how many seats took part in the
    shuffle: with none, the operator alone did. `starts` counts the starts up to this one: all before were
    called off.
    """

    hidden: bool
    kept: tuple[Finding, ...]
    unchecked: tuple[Claim, ...]
    broken: ReplayError | None
    missing: tuple[str, ...]
    verdict: Verdict | None
    nonces: int
    starts: int

    @property
    def holds(self) -> bool:
        """Whether everything was checked and found true, except claims about which nothing was kept."""
        return self.verdict is not None and not self.false

    @property
    def false(self) -> bool:
        """Whether anything was found to be false."""
        return bool(self.failed)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that was checked, in the order of the list."""
        return (*self.kept, *self._play, *(self.verdict.findings if self.verdict else ()))

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The claims that are not true."""
        return tuple(finding for finding in self.findings if not finding.holds)

    @property
    def _play(self) -> tuple[Finding, ...]:
        if self.hidden:
            return ()
        if self.broken is None:
            return (Finding(Claim.PLAY),)
        return (Finding(Claim.PLAY, Failure.PLAY_BROKEN, str(self.broken)),)


def verify_record(record: Record, kept: Kept | None = None) -> Report:
    """Check board, first seat, deal and every order of a record against its promises, and replay it.

    That is the record against itself; give what was `kept` at the table to compare that too.
    """
    hidden, kept = _is_of_view(record), kept or Kept()
    missing, compared = _missing(record.headers), compare(kept, record)
    return Report(
        hidden=hidden,
        kept=compared,
        unchecked=tuple(claim for claim in OF_KEPT if claim not in {one.claim for one in compared}),
        broken=None if hidden else _broken(record),
        missing=missing,
        verdict=None if hidden or missing else _verdict(record),
        nonces=sum(nonce is not None for nonce in record.headers.nonces or ()),
        starts=max(kept.starts, start_of(record.headers.game_id)),
    )


def headers_of_shuffle(shuffle: Shuffle, ruleset: Ruleset, names: Sequence[str]) -> Headers:
    """The headers of a game that a fair shuffle began, with all that proves it; for after the end."""
    return Headers(
        ruleset=ruleset,
        board=draw_board(shuffle, ruleset),
        names=tuple(names),
        first_seat=shuffle.first_seat(),
        deal=draw_deal(shuffle, ruleset),
        game_id=shuffle.game_id,
        commitment=commit(shuffle.secret),
        nonce_hashes=tuple(None if nonce is None else commit(nonce) for nonce in shuffle.nonces),
        nonces=shuffle.nonces,
        secret=shuffle.secret,
    )


def shuffle_of_headers(headers: Headers) -> Shuffle | None:
    """The fair shuffle that headers tell in full; None if a part of it is missing."""
    if headers.game_id is None or headers.nonces is None or headers.secret is None:
        return None
    return Shuffle(
        game_id=headers.game_id,
        ruleset=format_ruleset(headers.ruleset),
        nonces=headers.nonces,
        secret=headers.secret,
    )


def _is_of_view(record: Record) -> bool:
    orders = (record.headers.cards, *_orders(record))
    return any(None in order for order in orders) or any(step.code is None for step in record.steps)


def _broken(record: Record) -> ReplayError | None:
    try:
        replay(record)
    except ReplayError as error:
        return error
    return None


def _missing(headers: Headers) -> tuple[str, ...]:
    needed = {
        # No shuffle proves a position that somebody set up.
        "Deal": headers.deal or None,
        "Game": headers.game_id,
        "Commitment": headers.commitment,
        "Nonce hashes": headers.nonce_hashes,
        "Nonces": headers.nonces,
        "Secret": headers.secret,
    }
    return tuple(name for name, value in needed.items() if value is None)


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
        strange = Finding(Claim.BOARD, Failure.BOARD_DIFFERS, "it is not laid from the printed segments")
        return Verdict((*verdict.findings, strange))
    return verdict


def _orders(record: Record) -> tuple[Cards, ...]:
    return tuple(order for step in record.steps for order in step.orders)


def _known(cards: Cards) -> tuple[int, ...]:
    return tuple(card for card in cards if card is not None)


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
