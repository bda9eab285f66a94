"""Records as text: headers, one line for each turn, the result."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from cartagena.notation.action_text import format_action
from cartagena.notation.cards import format_board, format_cards
from cartagena.notation.names import COLOURS, UNKNOWN
from cartagena.notation.record import Ending, Headers, Record, Result, Step
from cartagena.notation.ruleset_text import format_ruleset

FIRST_LINE: Final = "Cartagena record 1"
NO_NONCE: Final = "-"
"""Stands for the nonce of a seat that brings none, as a bot does."""


def format_record(record: Record) -> str:
    """The text of a record, ready for `parse_record`; several texts with a blank line between make a file."""
    family = record.headers.ruleset.family
    lines = [FIRST_LINE, *_header_lines(record.headers)]
    for turn, steps in groupby(record.steps, key=lambda step: step.turn):
        lines.append(_turn_line(family, turn, list(steps)))
    lines.append(f"Result: {format_result(record.result)}")
    return "\n".join(lines) + "\n"


def format_result(result: Result) -> str:
    """A result in words: `running`, `red wins`, `dead`, `dead, red wins`, `quiet`."""
    if result.winner is None:
        return result.ending.value
    wins = f"{COLOURS[result.winner]} wins"
    return wins if result.ending is Ending.WON else f"{result.ending.value}, {wins}"


def _header_lines(headers: Headers) -> Iterator[str]:
    yield f"Rules: {headers.rules_version}"
    if headers.game_id is not None:
        yield f"Game: {headers.game_id}"
    if headers.date is not None:
        yield f"Date: {headers.date.isoformat()}"
    yield f"Ruleset: {format_ruleset(headers.ruleset)}"
    for colour, name in zip(COLOURS, headers.names, strict=False):
        yield f"Seat: {colour} {name}".rstrip()
    yield f"Board: {format_board(headers.board)}"
    yield f"First: {COLOURS[headers.first_seat]}"
    yield f"Deal: {format_cards(headers.ruleset.family, headers.deal)}"
    yield from _promise_lines(headers)


def _promise_lines(headers: Headers) -> Iterator[str]:
    if headers.commitment is not None:
        yield f"Commitment: {headers.commitment}"
    if headers.nonce_hashes is not None:
        yield f"Nonce hashes: {' '.join(text or NO_NONCE for text in headers.nonce_hashes)}"
    if headers.nonces is not None:
        nonces = [NO_NONCE if nonce is None else nonce.hex() for nonce in headers.nonces]
        yield f"Nonces: {' '.join(nonces)}"
    if headers.secret is not None:
        yield f"Secret: {headers.secret.hex()}"


def _turn_line(family: str, turn: int, steps: list[Step]) -> str:
    seat = steps[0].seat
    actions = [
        format_step(family, step)
        if step.seat == seat
        else f"{COLOURS[step.seat]} {format_step(family, step)}"
        for step in steps
    ]
    return f"{turn} {COLOURS[seat]}: {'; '.join(actions)}"


def format_step(family: str, step: Step) -> str:
    """An action with the orders of cards it called for."""
    action = f"trim {UNKNOWN}" if step.code is None else format_action(family, step.code)
    return " ".join([action, *(f"[order: {format_cards(family, order)}]" for order in step.orders)])
