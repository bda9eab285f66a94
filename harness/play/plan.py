"""The plan of many games over HTTP: rules, seats, clocks, who sits there, and how the clients behave."""

import enum
from dataclasses import dataclass
from random import Random
from typing import Final

from cartagena.messages.requests import TermsMessage
from cartagena.messages.tables import ClockSettings

RULES: Final[tuple[tuple[str, dict[str, bool | int | str]], ...]] = (
    ("tortuga", {}),
    ("jamaica", {}),
    ("nest", {}),
    ("jamaica", {"reshuffle": "turn_over"}),
    ("tortuga", {"pass_allowed": True, "row_refill": "on_demand"}),
    ("nest", {"stalemate": "most_home", "reshuffle": "turn_over"}),
)
SEATS: Final = (2, 3, 4, 5)
LEVELS: Final = ("random", "sailor", "deckhand", "sailor")
LIVE: Final = ClockSettings(kind="live", bank=900, increment=15)
SHORT: Final = ClockSettings(kind="live", bank=12, increment=60)
"""One client sleeps until its bank is empty; the increment keeps the others from losing theirs."""
BY_MAIL: Final = ClockSettings(kind="correspondence", days=3)
FEWEST_CLIENTS: Final = 2
OFTEN: Final = 0.4
"""How likely a client has each of the usual habits."""


class Habit(enum.Enum):
    """What a client does beside playing."""

    UNDO = "takes choices back"
    TALK = "talks"
    BLUNDER = "sends what is illegal, stale or not its turn"
    READ = "reads the table and its record in mid-game"
    RESIGN = "gives up late in the game"
    SLEEP = "lets its clock run out once"


USUAL: Final = (Habit.UNDO, Habit.TALK, Habit.BLUNDER, Habit.READ)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientPlan:
    """One client: its name, the address that it seems to come from, and its habits."""

    name: str
    address: str
    habits: frozenset[Habit] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """One game: its terms, the clients on its first seats, the bots on the last, and those who watch."""

    number: int
    terms: TermsMessage
    clients: tuple[ClientPlan, ...]
    bots: tuple[str, ...]
    watchers: tuple[ClientPlan, ...]


def plan(games: int, seed: int) -> list[GamePlan]:
    """The plan of `games` games; the same seed gives the same plan."""
    return [_game(number, Random(f"{seed} {number}")) for number in range(games)]


def _game(number: int, chance: Random) -> GamePlan:
    ruleset, options = RULES[number % len(RULES)]
    seats = SEATS[number // len(RULES) % len(SEATS)]
    rated = _each(number, 4, 1)
    bots = _bots(seats, chance) if _each(number, 5, 2) and not rated else ()
    watched = not _each(number, 13, 6)
    terms = TermsMessage(
        ruleset=ruleset,
        options=options,
        seats=seats,
        clock=_clock(number, rated=rated),
        listed=not _each(number, 7, 3),
        rated=rated,
        spectators=watched,
    )
    clients = _clients(number, seats - len(bots), terms, chance)
    watchers = [_client(number, 10 + place, "Watcher", chance) for place in range(number % 3)]
    return GamePlan(
        number=number, terms=terms, clients=clients, bots=bots, watchers=tuple(watchers) if watched else ()
    )


def _each(number: int, step: int, first: int) -> bool:
    """Whether this is the game `first`, or one of those that follow it at intervals of `step`."""
    return number % step == first


def _clock(number: int, *, rated: bool) -> ClockSettings | None:
    if _each(number, 25, 13):
        return SHORT
    if _each(number, 8, 5):
        return BY_MAIL
    return LIVE if rated or _each(number, 6, 4) else None


def _bots(seats: int, chance: Random) -> tuple[str, ...]:
    return tuple(chance.choice(LEVELS) for _ in range(chance.randint(0, seats - FEWEST_CLIENTS)))


def _clients(number: int, clients: int, terms: TermsMessage, chance: Random) -> tuple[ClientPlan, ...]:
    plans = [_client(number, place, "Mate", chance) for place in range(clients)]
    special = chance.randrange(clients)
    if terms.clock is SHORT:
        plans[special] = _with(plans[special], Habit.SLEEP)
    # At a table for more than two a bot plays on, which takes time.
    elif _each(number, 9, 7) and (clients == FEWEST_CLIENTS or _each(number, 27, 7)):
        plans[special] = _with(plans[special], Habit.RESIGN)
    return tuple(plans)


def _client(number: int, place: int, name: str, chance: Random) -> ClientPlan:
    return ClientPlan(
        name=f"{name} {number}-{place}",
        address=f"10.{number // 200 % 200}.{number % 200}.{place + 1}",
        habits=frozenset(habit for habit in USUAL if chance.random() < OFTEN),
    )


def _with(client: ClientPlan, habit: Habit) -> ClientPlan:
    return ClientPlan(name=client.name, address=client.address, habits=client.habits | {habit})
