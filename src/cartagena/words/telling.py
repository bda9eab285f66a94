"""Happenings told as sentences."""

from typing import assert_never

from cartagena.rules.happenings import (
    Dead,
    Drew,
    Happening,
    Moved,
    Passed,
    Played,
    Quiet,
    Renewed,
    RowLaid,
    Sailed,
    TrimDue,
    Trimmed,
    TrimShown,
    TurnEnded,
    Won,
)
from cartagena.rules.ruleset import NEST
from cartagena.words.naming import Names


def tell(names: Names, happening: Happening) -> str:
    """One sentence for what happened; what the audience may not know stays out of it."""
    match happening:
        case Played() | Moved() | Sailed() | Passed():
            return _tell_choice(names, happening)
        case Drew() | RowLaid() | Renewed():
            return _tell_cards(names, happening)
        case TrimDue() | Trimmed() | TrimShown():
            return _tell_trim(names, happening)
        case TurnEnded() | Won() | Dead() | Quiet():
            return _tell_end(names, happening)
        case _:
            assert_never(happening)


def _tell_choice(names: Names, happening: Played | Moved | Sailed | Passed) -> str:
    say, seat = names.words.say, names.crew(happening.seat)
    match happening:
        case Played(card=card):
            return say("happening.played", seat=seat, card=names.card_with_article(card))
        case Moved():
            return _tell_move(names, happening)
        case Sailed(dock=dock, free=free):
            key = "happening.sailed.free" if free else "happening.sailed"
            return say(key, seat=seat, to=names.to_dock(dock))
        case Passed(forced=forced):
            return say("happening.passed.forced" if forced else "happening.passed", seat=seat)
        case _:
            assert_never(happening)


def _tell_move(names: Names, moved: Moved) -> str:
    key = "happening.moved"
    if moved.seat != moved.crew:
        key = "happening.moved.pushed"
    elif moved.target < moved.start:
        key = "happening.moved.back"
    return names.words.say(
        key,
        seat=names.crew(moved.seat),
        crew=names.crew(moved.crew),
        start=names.from_place(moved.start),
        target=names.to_place(moved.target),
    )


def _tell_cards(names: Names, happening: Drew | RowLaid | Renewed) -> str:
    say = names.words.say
    match happening:
        case Drew(seat=seat, card=card, from_row=from_row):
            if card is None:
                return say("happening.drew.unknown", seat=names.crew(seat))
            key = "happening.drew.from_row" if from_row else "happening.drew"
            return say(key, seat=names.crew(seat), card=names.card_with_article(card))
        case RowLaid(cards=cards):
            return say("happening.row_laid", cards=names.cards(cards))
        case Renewed(size=size, order=order):
            if order is None:
                return names.words.count("happening.renewed", size)
            return say("happening.renewed.turned_over", cards=names.cards(order))
        case _:
            assert_never(happening)


def _tell_trim(names: Names, happening: TrimDue | Trimmed | TrimShown) -> str:
    words = names.words
    match happening:
        case TrimDue(surplus=surplus):
            debts = [
                words.count("happening.trim_due.debt", owed, seat=names.crew(seat))
                for seat, owed in enumerate(surplus)
                if owed
            ]
            return words.say("happening.trim_due", debts=", ".join(debts))
        case Trimmed(seat=seat, card=card):
            if card is None:
                return words.say("happening.trimmed.unknown", seat=names.crew(seat))
            return words.say("happening.trimmed", seat=names.crew(seat), card=names.card_with_article(card))
        case TrimShown(cards=cards):
            shown = [
                words.say("happening.trim_shown.card", seat=names.crew(seat), card=names.card(card))
                for seat, card in cards
            ]
            return words.say("happening.trim_shown", cards=", ".join(shown))
        case _:
            assert_never(happening)


def _tell_end(names: Names, happening: TurnEnded | Won | Dead | Quiet) -> str:
    words = names.words
    match happening:
        case TurnEnded(seat=seat, next_seat=following):
            return words.say("happening.turn_ended", seat=names.crew(seat), next_seat=names.crew(following))
        case Won(seat=seat):
            key = "happening.won.nest" if names.ruleset.family == NEST else "happening.won"
            return words.say(key, seat=names.crew(seat))
        case Dead(winner=winner):
            if winner is None:
                return words.say("happening.dead")
            return words.say("happening.dead.winner", winner=names.crew(winner))
        case Quiet(rounds=rounds):
            return words.count("happening.quiet", rounds)
        case _:
            assert_never(happening)
