"""The encoding once more, slowly and from a view alone; and the encoder of any table."""

from collections import Counter
from collections.abc import Sequence

from cartagena.envs.encoding import Encoder
from cartagena.envs.observation import KINDS, fields_of, size_of
from cartagena.rules.hidden.view import View
from cartagena.rules.places import HOME, PLACES, SLOOP, START
from cartagena.rules.position import DEAD, QUIET, WON, Position
from cartagena.rules.ruleset import DECKS, NEST, SIGNS

Told = dict[str, list[int] | list[list[int]]]

TOLD_OTHERWISE = {
    "seat",  # the first crew is the viewer's
    "stock",  # as stock_order, where it can be known at all
    "turn",  # as quiet_turns
    "last_progress",  # as quiet_turns
    "legal",  # as the mask
}
NOT_TOLD = {
    "ruleset",  # a table keeps its rules
    "renewals",  # how often the stock was renewed is history
    "owed",  # chance answers within a step
    "memory",  # what lay open earlier is for the learner to remember
}


def encoder_of(position: Position) -> Encoder:
    """The encoder of the table at which a position lies."""
    fields = fields_of(position.ruleset, position.seats)
    first = {field.name: field.first for field in fields}
    return Encoder(first, size_of(fields), position.ruleset.family)


def encoded(position: Position, seat: int) -> bytes:
    """What the encoder writes for a seat."""
    return bytes(encoder_of(position).encode(position, seat))


def parts(position: Position, written: bytes) -> Told:
    """What was written, field by field; the mask is the last one."""
    fields = fields_of(position.ruleset, position.seats)
    told: Told = {}
    for field in fields:
        flat = list(written[field.first : field.first + field.size])
        width = field.shape[-1]
        rows = [flat[number : number + width] for number in range(0, len(flat), width)]
        told[field.name] = rows if len(field.shape) == 2 else flat
    told["action_mask"] = list(written[size_of(fields) :])
    return told


def told_by(sight: View, codes: int) -> Told:
    """Every field as docs/environment.md describes it, for a view of a seat."""
    assert sight.seat is not None
    crews = [(sight.seat + number) % sight.seats for number in range(sight.seats)]
    family = sight.ruleset.family
    kinds = KINDS[family]
    told: Told = {
        "seat": one_of(sight.seats, sight.seat),
        "signs": [sign_at(sight, place) for place in range(PLACES)],
        "pirates": [[sight.pirates[crew].count(place) for place in range(PLACES)] for crew in crews],
        "most_home": [sight.most_home[crew] for crew in crews],
        "hands": [counts(kinds, sight.hands[crew] or ()) for crew in crews],
        "hand_sizes": [sight.hand_sizes[crew] for crew in crews],
        "stock_size": [sight.stock_size],
        "discard": counts(kinds, sight.discard),
        "turn_seat": one_of(sight.seats, crews.index(sight.turn_seat)),
        "to_act": one_of(sight.seats, crews.index(sight.to_act) if sight.to_act >= 0 else None),
        "actions_used": [sight.actions_used],
        "quiet_turns": [sight.quiet_turns % 256, sight.quiet_turns // 256],
        "ending": [int(sight.ending == ending) for ending in (WON, DEAD, QUIET)],
        "winner": one_of(sight.seats, None if sight.winner is None else crews.index(sight.winner)),
        "action_mask": [int(code in sight.legal) for code in range(codes)],
    }
    if sight.ruleset.row_length:
        told["row"] = in_order(sight.ruleset.row_length, kinds, sight.row)
    return told | (nest_told(sight, crews, kinds) if family == NEST else {}) | orders_told(sight, kinds)


def nest_told(sight: View, crews: list[int], kinds: int) -> Told:
    """What only the Nest has."""
    choices = Counter(owner for owner, _ in sight.trimmed)
    return {
        "dock": [sight.dock],
        "crossing_open": [int(sight.crossing_open)],
        "surplus": [sight.surplus[crew] for crew in crews],
        "trimmed": counts(kinds, [card for _, card in sight.trimmed if card is not None]),
        "trimmed_sizes": [choices[crew] for crew in crews],
    }


def orders_told(sight: View, kinds: int) -> Told:
    """What is only known where the discard is turned over."""
    if sight.ruleset.reshuffle != "turn_over":
        return {}
    deck = len(DECKS[sight.ruleset.family])
    laid = [*sight.discard, *(kinds if card is None else card for _, card in sight.trimmed)]
    return {
        "stock_order": in_order(deck, kinds, sight.stock or ()),
        "discard_order": in_order(deck, kinds + 1, laid),
    }


def sign_at(sight: View, place: int) -> list[int]:
    """The sign of a place, if it shows one."""
    family = sight.ruleset.family
    bare = place in {START, HOME} or (family == NEST and place == SLOOP)
    return one_of(len(SIGNS[family]), None if bare else sight.board.sign_at(place))


def one_of(width: int, chosen: int | None) -> list[int]:
    """Zeros, with a one at the chosen place."""
    return [int(number == chosen) for number in range(width)]


def counts(kinds: int, cards: Sequence[int]) -> list[int]:
    """How many cards there are of each kind."""
    return [cards.count(kind) for kind in range(kinds)]


def in_order(length: int, kinds: int, cards: Sequence[int]) -> list[list[int]]:
    """Cards one after the other, and nothing behind them."""
    return [one_of(kinds, card) for card in cards] + [[0] * kinds for _ in range(length - len(cards))]
