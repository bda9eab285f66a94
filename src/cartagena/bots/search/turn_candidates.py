"""The plans of a turn: what a seat can do with what it knows, and how each would leave the table.

A plan goes up to the end of the turn, or to where another seat must choose. It never plays a card that
is still to be drawn unseen: when the card has come, the seat plans anew. So the plans are the same in
every world that fits what the seat knows.
"""

import math
from typing import Final

from mypy_extensions import i64

from cartagena.bots.evaluation.incremental import Hidden, IncrementalFeatures
from cartagena.bots.evaluation.linear import Worth
from cartagena.bots.random_games import Dice
from cartagena.rules.codes import END_TURN, line_of
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.legality import act, foresee, legal
from cartagena.rules.outcomes import mixed, table_key
from cartagena.rules.places import bit
from cartagena.rules.position import ACT, TRIM, Bookmark, Position
from cartagena.rules.preview import Foresight
from cartagena.rules.ruleset import ACTIONS_PER_TURN, GOLD

FINE: Final = 1048576
"""How finely chance is cut when a plan is drawn by lot."""
EVEN: Final = 1e-6
"""Ranks that differ by less are equal: they are sums of the same numbers in another order."""


class Plan(Hidden):
    """The way to an outcome: one code behind those of `parent`; hidden are the cards it draws unseen."""

    def __init__(self, parent: "Plan | None", code: i64, rank: float) -> None:
        super().__init__()
        self.parent = parent
        self.code = code
        self.rank = rank
        self.complete = False
        if parent is not None:
            self.plain = parent.plain
            self.gold = parent.gold

    def codes(self) -> list[int]:
        """The codes that lead from the present to the outcome, with `end_turn` where the turn ends there."""
        codes: list[int] = [END_TURN] if self.complete else []
        step = self
        while step.parent is not None:
            codes.append(step.code)
            step = step.parent
        codes.reverse()
        return codes

    def may_use(self, position: Position, code: i64) -> bool:
        """Whether a code plays no card that the plan has drawn unseen."""
        if not (self.plain or self.gold) or not position.facts.is_play(code):
            return True
        card = line_of(code) - 1
        if card >= GOLD:
            return not self.gold & bit(card - GOLD)
        return (position.mover.hand - self.plain) >> (8 * card) & 255 != 0


class Survey:
    """Looks for the best plans of the seat to act.

    `width` is how many plans are kept and `margin` how far below the best one may rank. `beam` says how
    many unfinished plans are followed after each action, the best first; 0 follows all of them, and then
    no outcome that can be planned is overlooked.
    """

    def __init__(self, worth: Worth, *, width: i64, margin: float, beam: i64, selfish: bool = False) -> None:
        self.worth = worth
        self.width = width
        self.margin = margin
        self.beam = beam
        self.selfish = selfish
        self.foresight = Foresight()
        self.bookmarks: list[Bookmark] = []
        self.plans: list[Plan] = []
        self.floor = 0.0
        self.been: set[int] = set()
        self.ended: set[int] = set()
        self.unfinished: list[Plan] = []
        self.seat: i64 = 0
        self.barriers: i64 = 0

    def look(self, position: Position) -> list[Plan]:
        """The best plans, best first; the position is itself again afterwards."""
        self.plans = []
        self.floor = -1e300
        self.been = set()
        self.ended = set()
        self.bookmarks = []
        self.seat = position.to_act
        self.barriers = position.barriers
        self.go_on(position, Plan(None, END_TURN, 0.0), 0)
        while self.unfinished:
            self.follow_best(position)
        return self.plans

    # Going through the choices.

    def go_on(self, position: Position, plan: Plan, depth: i64) -> None:
        """Try every choice from where a plan has led."""
        if depth == len(self.bookmarks):
            self.bookmarks.append(Bookmark(position))
        bookmark = self.bookmarks[depth]
        bookmark.set(position)
        standing = self.standing(position, plan)
        last = position.actions_used == ACTIONS_PER_TURN - 1
        for code in legal(position):
            if code == END_TURN:
                self.offer(position, plan, standing.rank, True)  # noqa: FBT003
            elif plan.may_use(position, code):
                if last or self.beam:
                    rank = self.foreseen(position, plan, code, standing)
                    if not last:
                        self.unfinished.append(Plan(plan, code, rank))
                        continue
                    if rank <= self.floor:
                        continue
                self.arrive(position, self.step(position, plan, code), depth)
                bookmark.restore(position)

    def standing(self, position: Position, plan: Plan) -> IncrementalFeatures:
        """How the table stands where a plan has led."""
        return IncrementalFeatures(self.worth, position, self.seat, plan, selfish=self.selfish)

    def step(self, position: Position, plan: Plan, code: i64) -> Plan:
        """Make one more choice; a new stock lies in any order, since the plan will not use its cards."""
        mover = position.mover
        hand, gold = mover.hand, mover.gold
        draws = not position.facts.is_play(code)
        act(position, code)
        while position.order_due:
            take_order(position, cards_due(position))
        step = Plan(plan, code, 0.0)
        if draws and position.barriers != self.barriers and position.phase != TRIM:
            step.plain += mover.hand - hand
            step.gold |= mover.gold & ~gold
        return step

    def arrive(self, position: Position, plan: Plan, depth: i64) -> None:
        """Stop where the turn or the game is over or another seat must choose; otherwise go on."""
        turn_goes_on = position.phase == ACT and position.seat == self.seat
        if not turn_goes_on or position.actions_used == ACTIONS_PER_TURN:
            self.offer(position, plan, self.standing(position, plan).rank, turn_goes_on)
        elif self.is_new(position):
            self.go_on(position, plan, depth + 1)

    def foreseen(self, position: Position, plan: Plan, code: i64, standing: IncrementalFeatures) -> float:
        """How the table will stand after one more choice, made and taken back where it must be."""
        if foresee(position, code, self.foresight):
            return standing.after(self.foresight)
        bookmark = Bookmark(position)
        rank = self.standing(position, self.step(position, plan, code)).rank
        bookmark.restore(position)
        return rank

    def is_new(self, position: Position) -> bool:
        """Whether no other plan has led here."""
        key = mixed(table_key(position), 2 * position.actions_used + position.crossing_open)
        if key in self.been:
            return False
        self.been.add(key)
        return True

    def follow_best(self, position: Position) -> None:
        """Go on from the best of the unfinished plans, and forget the others."""
        layer = self.unfinished
        self.unfinished = []
        layer.sort(key=rank_of, reverse=True)
        followed: i64 = 0
        for plan in layer:
            if followed == self.beam:
                break
            here = Plan(None, END_TURN, 0.0)
            for code in plan.codes():
                here = self.step(position, here, code)
            plans_before = len(self.been)
            self.arrive(position, here, 0)
            followed += len(self.been) - plans_before
            self.bookmarks[0].restore(position)

    # Keeping the best.

    def offer(self, position: Position, plan: Plan, rank: float, complete: bool) -> None:  # noqa: FBT001
        """Keep a plan if it is among the best and leads where no other did."""
        if rank <= self.floor:
            return
        # The key of a table holds the hand of the seat whose turn it is; a trim may be another seat's.
        crew = position.crews[self.seat]
        key = mixed(mixed(table_key(position), crew.hand), crew.gold)
        if key in self.ended:
            return
        self.ended.add(key)
        kept = Plan(plan.parent, plan.code, rank)
        kept.complete = complete
        number: i64 = len(self.plans)
        while number > 0 and self.plans[number - 1].rank < rank:
            number -= 1
        self.plans.insert(number, kept)
        self.raise_floor()

    def raise_floor(self) -> None:
        """Drop the plans beyond `width` and those too far below the best."""
        plans = self.plans
        self.floor = plans[0].rank - self.margin
        while len(plans) > self.width or plans[len(plans) - 1].rank <= self.floor:
            plans.pop()
        if len(plans) == self.width:
            self.floor = plans[len(plans) - 1].rank


def rank_of(plan: Plan) -> float:
    """How a plan ranks."""
    return plan.rank


def pick(plans: list[Plan], temperature: float, dice: Dice) -> Plan:
    """One of the plans, the better the likelier; at temperature 0 one of the best."""
    best = plans[0].rank
    shares: list[float] = []
    total = 0.0
    for plan in plans:
        below = best - plan.rank
        share = math.exp(-below / temperature) if temperature else float(below < EVEN)
        total += share
        shares.append(share)
    left = total * float(dice.below(FINE)) / float(FINE)
    for number in range(len(shares)):
        left -= shares[number]
        if left < 0:
            return plans[number]
    return plans[0]
