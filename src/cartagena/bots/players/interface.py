"""The player interface: what every bot is given, and what it gives back."""

from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from cartagena.rules.hidden.view import View
from cartagena.rules.legality import advance
from cartagena.rules.position import Position
from cartagena.rules.refusals import CartagenaError


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How long a choice may take.

    A level is a number of simulations, so that it plays the same on every machine; a server that cannot
    wait names the seconds after which the bot must choose with what it has found so far.
    """

    seconds: float | None = None


UNHURRIED: Final = Budget()
"""No hurry: every bot thinks as long as its level does."""


class Bot(Protocol):
    """A player that is a program. Each seat of each game gets its own bot.

    It may keep what it planned for the rest of its turn. It must not count on that: after an undo or a
    restart it is asked about a view it has never seen. If it has a method `close`, that is called when it is
    needed no more. If it has a method `ahead`, that says after a choice which codes it will choose next if
    nothing else happens; then it need not be asked for them.
    """

    def choose(self, view: View, chance: Random, budget: Budget) -> int:
        """The code of one of `view.legal`; the viewer is the seat to act."""


class BotGaveUp(CartagenaError):
    """A bot cannot go on with its game. The `reason` tells no card; the `detail` may."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.reason} {self.detail}" if self.detail else self.reason


def planned_by(bot: object) -> tuple[int, ...]:
    """What a bot will choose next, as far as it has planned that; most bots have no method `ahead`."""
    ahead = getattr(bot, "ahead", None)
    return tuple(ahead()) if callable(ahead) else ()


def close(bot: object) -> None:
    """Tell a bot that its game is over; most have nothing to close, and no method `close`."""
    end = getattr(bot, "close", None)
    if callable(end):
        end()


# A bot that plans whole turns and keeps to its plan until it learns something.


class Planner:
    """Thinks once for all the choices of a turn that reveal nothing."""

    def __init__(self) -> None:
        self._world: Position | None = None
        self._codes: list[int] = []

    def plan(self, view: View, chance: Random, budget: Budget) -> tuple[Position, list[int]]:
        """A world that fits the view, and the codes to choose in it, at least one."""
        raise NotImplementedError

    def choose(self, view: View, chance: Random, budget: Budget) -> int:
        """The next code of the plan; makes a new plan if there is none or the table looks different."""
        if not self._codes or self._world is None or not looks_like(self._world, view):
            self._world, self._codes = self.plan(view, chance, budget)
        code = self._codes.pop(0)
        barriers = self._world.barriers
        advance(self._world, code)
        if self._world.barriers != barriers:
            self._codes = []
        return code

    def ahead(self) -> tuple[int, ...]:
        """What it chooses next if nothing else happens, as far as that reveals nothing before."""
        if self._world is None or not self._codes:
            return ()
        world, codes = self._world.copy(), list[int]()
        barriers = world.barriers
        for code in self._codes:
            codes.append(code)
            advance(world, code)
            if world.barriers != barriers:
                break
        return tuple(codes)


def looks_like(world: Position, view: View) -> bool:
    """Whether a world, after the choices of a plan, is still what the seat sees."""
    return (
        world.turn == view.turn
        and world.actions_used == view.actions_used
        and world.to_act == view.to_act == view.seat
        and world.dock == view.dock
        and world.stock_size == view.stock_size
        and world.row() == view.row
        and tuple(world.crews[view.seat].cards()) == view.hands[view.seat]
        and tuple(tuple(crew.places()) for crew in world.crews) == view.pirates
        and world.board == view.board
    )
