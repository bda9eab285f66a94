"""Records on the wire: a running game's record shows what its reader may know, and nothing else."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from cartagena.notation import NotationError, Record, ReplayError, format_record, parse_record, record_of_view
from cartagena.notation.names import Cards
from cartagena.notation.record import Ending
from cartagena.notation.replay import begin, replay_step
from harness.play.truth import Moment, Truth

SWAPS: Final = 6
"""How many exchanges are tried for one twin of a record."""


def leaks_of_record(text: str, truth: Truth, seat: int | None, chance: Random) -> Iterator[str]:
    """What a record sent to a client gives away of hidden cards; after the end it may say everything."""
    try:
        record = parse_record(text)
    except NotationError as error:
        yield f"no record: {error}"
        return
    if format_record(record) != text:
        yield "more than a record"
    if record.result.ending is not Ending.RUNNING:
        if record != truth.record:
            yield "not the record of this game"
    elif not any(_is_shown(record, truth, moment, seat, chance) for moment in truth.moments.values()):
        yield f"a record of the running game that seat {seat} cannot know"


def _is_shown(record: Record, truth: Truth, moment: Moment, seat: int | None, chance: Random) -> bool:
    """Whether the seat may read this record at a moment: unknown cards that lie otherwise change nothing."""
    if len(moment.events) != len(record.steps):
        return False
    whole = truth.record_at(moment)
    shown = record_of_view(whole, seat)
    return shown == record == record_of_view(_twin(whole, shown, chance), seat)


def _twin(whole: Record, shown: Record, chance: Random) -> Record:
    """Exchange cards that the record does not show, as long as the game could have gone that way."""
    twin = whole
    for _ in range(SWAPS):
        changed = _with_cards_swapped(twin, shown, chance)
        if _can_be(changed):
            twin = changed
    return twin


def _with_cards_swapped(whole: Record, shown: Record, chance: Random) -> Record:
    orders = [step for step, told in enumerate(whole.steps) if told.orders]
    place = chance.choice([None, *orders])
    if place is None:
        deal = _swapped(whole.headers.deal, shown.headers.deal, chance)
        return replace(whole, headers=replace(whole.headers, deal=deal))
    step, seen = whole.steps[place], shown.steps[place]
    pairs = zip(step.orders, seen.orders, strict=True)
    changed = replace(step, orders=tuple(_swapped(order, known, chance) for order, known in pairs))
    return replace(whole, steps=(*whole.steps[:place], changed, *whole.steps[place + 1 :]))


def _swapped(cards: Cards, shown: Cards, chance: Random) -> Cards:
    hidden = [place for place, card in enumerate(shown) if card is None]
    changed = list(cards)
    if len(hidden) > 1:
        one, other = chance.sample(hidden, 2)
        changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def _can_be(record: Record) -> bool:
    try:
        game = begin(record.headers)
        for step in record.steps:
            replay_step(game, step)
    except ReplayError:
        return False
    return True
