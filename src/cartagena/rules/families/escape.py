"""Cartagena: playing a card and retreating through the tunnel."""

from mypy_extensions import i64

from cartagena.rules.choices import Choices
from cartagena.rules.codes import (
    END_TURN,
    ESCAPE_CODES,
    FIRST_DECLINE,
    FIRST_PLAY,
    codes_of,
    line_of,
    place_in,
)
from cartagena.rules.crew import Crew
from cartagena.rules.families.family import Family
from cartagena.rules.families.retreat import (
    refusal_of_retreat,
    retreat,
    sources_of_retreats,
    target_of_retreat,
)
from cartagena.rules.happenings import Moved, Played
from cartagena.rules.places import (
    HOME,
    HOME_BIT,
    above,
    bit,
    lowest,
    place_of,
)
from cartagena.rules.position import Position
from cartagena.rules.preview import NO_CARD, Foresight, enough_to_draw
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import ACTIONS_PER_TURN


def is_retreat(code: i64) -> bool:
    """Whether a code other than `end_turn` retreats, with its cards or declining them (R4.10)."""
    return code < FIRST_PLAY or code >= FIRST_DECLINE


def target_of_play(position: Position, sign: i64, start: i64) -> i64:
    """R3.3, R3.4, R3.5: the first vacant space ahead that shows the sign, else the sloop; as a set of one."""
    vacant = position.board.roads[sign].spaces & ~position.crowd.first & above(start)
    if vacant:
        return lowest(vacant)
    return HOME_BIT


def refusal_of_play(position: Position, sign: i64, start: i64) -> Refusal | None:
    """R3.1: why not this card for that pirate."""
    if start == HOME:
        return Refusal.PIRATE_IS_HOME
    if not position.mover.holds(sign):
        return Refusal.CARD_NOT_HELD
    if not position.mover.stands_on(start):
        return Refusal.NO_PIRATE_THERE
    return None


def play(position: Position, sign: i64, start: i64) -> None:
    """R3.2: the card goes to the discards, the pirate to the first vacant space of its sign or aboard."""
    target = target_of_play(position, sign, start)
    crew = position.mover
    position.lay_down(sign)
    position.lift(crew, start)
    if position.told is not None:
        position.told.append(Played(position.seat, sign))
        position.told.append(Moved(position.seat, position.seat, start, place_of(target)))
    if target == HOME_BIT:
        position.welcome_home(crew)
    else:
        position.land(crew, target)


class Escape(Family):
    """Cartagena. Nobody crosses, and a game in which nobody can act is dead."""

    def list_choices(self, position: Position, choices: Choices) -> None:
        """R2.4, R2.5: everything the seat may do now, in ascending order."""
        if position.actions_used == ACTIONS_PER_TURN:
            choices.add_line(0, bit(END_TURN))
            return
        crew = position.mover
        retreats = sources_of_retreats(position, crew)
        first_line = retreats
        if position.actions_used or position.ruleset.pass_allowed or not (retreats or crew.hand):
            first_line |= bit(END_TURN)
        choices.add_line(0, first_line)
        choices.add_plays(crew.hand, crew.walkers())
        if position.ruleset.may_decline:
            choices.add_line(FIRST_DECLINE, retreats)

    def refusal(self, position: Position, code: i64) -> Refusal | None:
        """Why the seat may not play or retreat as the code says; None if it may."""
        # No game of the family has fewer, and to look up its number would take longer than the rest.
        if code >= ESCAPE_CODES and code >= codes_of(position.ruleset):
            return Refusal.NO_SUCH_ACTION
        if position.actions_used == ACTIONS_PER_TURN:
            return Refusal.NO_ACTIONS_LEFT
        if is_retreat(code):
            return refusal_of_retreat(position, place_in(code))
        return refusal_of_play(position, line_of(code) - 1, place_in(code))

    def act(self, position: Position, code: i64) -> None:
        """Do what a legal code says."""
        position.actions_used += 1
        if is_retreat(code):
            retreat(position, place_in(code), draws=code < FIRST_PLAY)
        else:
            play(position, line_of(code) - 1, place_in(code))

    def has_action(self, position: Position, crew: Crew) -> bool:
        """Whether a crew could play or retreat if it were its turn; R3.6: any card can be played."""
        return crew.hand != 0 or sources_of_retreats(position, crew) != 0

    def opens_crossing(self, position: Position, crew: Crew) -> bool:  # noqa: ARG002 - there is no crossing
        """There is nothing to cross."""
        return False

    def may_cross_free(self, position: Position) -> bool:  # noqa: ARG002 - there is no crossing
        """There is nothing to cross."""
        return False

    def is_dead(self, position: Position) -> bool:
        """R6.7, R6.10: nobody can play or retreat."""
        for crew in position.crews:
            if self.has_action(position, crew):
                return False
        return True

    def walkers(self, crew: Crew, dock: i64) -> i64:  # noqa: ARG002 - the sloop does not move
        """The places on which pirates of the crew stand."""
        return crew.walkers()

    def target_of_play(self, position: Position, crew: Crew, sign: i64, start: i64) -> i64:  # noqa: ARG002 - it goes as far with any crew
        """Where a card takes a pirate, of any crew alike."""
        return target_of_play(position, sign, start)

    def target_of(self, position: Position, code: i64) -> i64:
        """Where the pirate that a legal code moves goes, as a set of one; 0 if the code moves none."""
        if code == END_TURN:
            return 0
        start = place_in(code)
        if is_retreat(code):
            return target_of_retreat(position, start)
        return target_of_play(position, line_of(code) - 1, start)

    def foresee(self, position: Position, code: i64, foresight: Foresight) -> bool:
        """Foresee a play, or a retreat whose cards lie ready."""
        target = self.target_of(position, code)
        foresight.crew = position.seat
        foresight.start = place_in(code)
        foresight.target = place_of(target)
        if not is_retreat(code):
            foresight.card = line_of(code) - 1
            foresight.draws = 0
            return True
        foresight.card = NO_CARD
        foresight.draws = 0
        if code < FIRST_PLAY:
            foresight.draws = position.crowd.count(target)
        return enough_to_draw(position, foresight.draws)
