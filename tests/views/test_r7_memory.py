"""R7 Who may know what: memory."""

import pytest

from cartagena.rules.codes import END_TURN
from cartagena.rules.hidden.knowledge import UNSEEN, remember
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import apply, shuffled
from cartagena.rules.position import LOG_LAID, LOG_RENEWED
from cartagena.rules.ruleset import TORTUGA
from tests.tables import BLUE, RED, cards, nest_table, play, retreat, table, trim


@pytest.mark.rule("R7.15")
def test_a_view_keeps_what_its_seat_was_told() -> None:
    position = table(red="...1", blue="2", seats=3, hands=("BD", "HK"), stock="SPH", discard="K")
    apply(position, retreat(4))
    apply(position, play("S", 0))
    apply(position, END_TURN)
    apply(position, play("H", 0))
    laid = (LOG_LAID + cards("S")[0], LOG_LAID + 16 * BLUE + cards("H")[0])
    own = view(position, RED).memory
    assert (own.hands, own.log) == ((cards("BD"), None, None), (*cards("SP"), *laid))
    assert own.discard == cards("K")
    other = view(position, BLUE).memory
    assert (other.hands, other.log) == ((None, cards("HK"), None), (UNSEEN, UNSEEN, *laid))
    assert view(position, None).memory == other._replace(hands=(None, None, None))


@pytest.mark.rule("R7.15")
def test_with_three_seats_memory_goes_back_behind_a_renewal() -> None:
    position = table(
        red="...1", blue="2", seats=3, hands=("BD", "HK"), stock="S", discard="PP", rest="yellow"
    )
    apply(position, play("B", 0))
    apply(position, retreat(4))
    shuffled(position, cards("PBP"))
    memory = remember(position, BLUE)
    assert memory.discard == cards("PP")
    assert memory.hands == (None, cards("HK"), None)
    assert memory.log == (LOG_LAID + cards("B")[0], UNSEEN, LOG_RENEWED, UNSEEN)


@pytest.mark.rule("R7.15")
def test_a_position_laid_out_by_hand_is_remembered_from_there() -> None:
    memory = remember(table(red="...1", blue="2", hands=("BD", "HKP"), stock="SH"), RED)
    assert (memory.discard, memory.hands, memory.log) == ((), (cards("BD"), None), ())


@pytest.mark.rule("R7.15")
def test_open_hands_leave_nothing_to_remember() -> None:
    position = table(TORTUGA, red="...1", blue="2", hands=("BD", "H"), row="SPK", discard="K")
    apply(position, retreat(4))
    memory = remember(position, BLUE)
    assert (memory.discard, memory.hands, memory.log) == (cards("K"), (cards("BDPS"), cards("H")), ())


@pytest.mark.rule("R7.15")
def test_a_card_being_trimmed_was_in_its_hand() -> None:
    position = nest_table(hands=("MAP " + "cannon " * 8, "map"))
    apply(position, play("MAP", "start"))
    apply(position, trim("cannon"))
    assert remember(position, RED).hands == (cards("cannon " * 8 + "MAP"), None)


@pytest.mark.rule("R7.16")
def test_with_two_seats_a_renewal_shows_the_other_hand() -> None:
    position = table(red="...1", blue="2", hands=("BD", "HK"), stock="S", discard="PPB", rest="blue")
    held = tuple(position.crews[BLUE].cards())
    apply(position, retreat(4))
    shuffled(position, cards("BPP"))
    apply(position, play("B", 0))
    laid = LOG_LAID + cards("B")[0]
    assert view(position, RED).hands == (tuple(position.crews[RED].cards()), None)
    assert remember(position, RED).hands == (cards("BDS"), held)
    assert remember(position, RED).log == (cards("B")[0], laid)
    assert remember(position, BLUE).hands == (cards("BDS"), held)
    assert remember(position, BLUE).log == (UNSEEN, laid)
    assert remember(position, BLUE).discard == ()


@pytest.mark.rule("R7.16")
def test_a_spectator_does_not_know_whose_cards_they_are() -> None:
    position = table(red="...1", blue="2", hands=("BD", "HK"), stock="S", discard="PPB", rest="blue")
    apply(position, retreat(4))
    shuffled(position, cards("BPP"))
    memory = remember(position, None)
    assert memory.hands == (None, None)
    assert memory.log == (UNSEEN, LOG_RENEWED, UNSEEN)
    assert memory.discard == cards("BPP")
