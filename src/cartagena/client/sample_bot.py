"""A bot that plays over HTTP: `python -m cartagena.client.sample_bot http://localhost:8000`.

It comes in as a guest, opens a table and fills it with bots of the service, or sits down where it is told
to; it plays to the end, and checks that the shuffle was the promised one. It thinks for itself, in the few
lines of `hasty` and `worth`, unless it is given a mind: `--mind captain`, an installed bot, a module of
your own, or an engine.
"""

import argparse
import importlib
import random
import secrets
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from cartagena.client import tables
from cartagena.client.fairness import Pledge
from cartagena.client.player import Choose, Player
from cartagena.client.table_state import TableState
from cartagena.messages.requests import TermsMessage
from cartagena.messages.updates import Update
from cartagena.messages.wishes import LegalMessage
from cartagena.rules.actions import Kind
from cartagena.rules.hidden.view import View
from cartagena.rules.refusals import CartagenaError
from cartagena.words.libraries import no_library

if TYPE_CHECKING:
    from cartagena.client.synchronous import Client

CARD_WORTH: Final = 3
"""How many spaces a card is worth, up to the number of cards that can be put to use."""
ENOUGH_CARDS: Final = 7
REGISTRY: Final = "cartagena.engine_protocol"
"""Knows every bot by its name, and engines too: here the person at the command line names them."""


# --- Thinking --------------------------------------------------------------------------------------


def hasty(standing: TableState) -> int:
    """The choice that brings the crew furthest now; a card counts for some spaces. It holds no rule.

    All it reads is the wish table, in which the service says what each choice would do.
    """
    assert standing.wishes is not None, "who is to act is told what he can do"
    assert standing.view is not None, "the wishes come with a view"
    held = standing.view.hand_sizes[standing.view.seat or 0]
    return max(standing.wishes.legal, key=lambda choice: worth(choice, held)).code


def worth(choice: LegalMessage, held: int) -> float:
    """What a choice is worth in spaces to a player who holds `held` cards."""
    if choice.wins:
        return 1000
    way = (choice.target or 0) - (choice.start or 0)
    cards = CARD_WORTH * min(choice.gains, max(0, ENOUGH_CARDS - held))
    match choice.kind:
        case Kind.PLAY:
            return way - (CARD_WORTH if held <= ENOUGH_CARDS else 0)
        case Kind.RETREAT:
            return way + cards
        case Kind.PUSH:
            return cards + 0.5
        case Kind.DECLINE:
            return way
        case Kind.SAIL | Kind.CAPTAIN_SAIL:
            return 2
        case _:
            return 0


class Mind(Protocol):
    """A bot of the library, or one like it. The budget sets no limit: there is no hurry."""

    def choose(self, view: View, chance: random.Random, budget: object) -> int:
        """The code of one of `view.legal`."""


def mind_named(name: str, chance: random.Random) -> Choose:
    """Return another mind: a level or an installed bot by its name, `module:maker` or `engine:COMMAND`.

    Raises BotError if there is none.
    """
    # The client itself knows no bots: they are loaded only if one is asked for.
    make: Callable[[str], Mind] = importlib.import_module(REGISTRY).make
    mind = make(name)
    return lambda standing: mind.choose(standing.sight, chance, _NO_HURRY)


class _NoHurry:
    seconds = None


_NO_HURRY: Final = _NoHurry()


# --- Playing ---------------------------------------------------------------------------------------


def sit_down(client: "Client", wish: argparse.Namespace, pledge: Pledge) -> Update:
    """Take a seat at the table that is named, else at a new one; returns the update of that table."""
    if wish.table is not None:
        seat = tables.sit(wish.table, nonce_hash=pledge.nonce_hash, invite=wish.invite)
        return client.send(seat)
    terms = TermsMessage(ruleset=wish.ruleset, seats=wish.seats)
    bots = [wish.fill] * (wish.seats - 1) if wish.fill else []
    return client.send(tables.open_table(terms, bots=bots, nonce_hash=pledge.nonce_hash)).current


def play(client: "Client", wish: argparse.Namespace) -> str:
    """Play one game; returns a sentence about how it went."""
    me = client.become_guest(wish.name)
    pledge = Pledge.draw(secrets.token_bytes)
    choose = hasty if wish.mind is None else mind_named(wish.mind, random.Random())
    player = Player(sit_down(client, wish, pledge), me.id, choose, pledge=pledge, invite=wish.invite)
    _say(f"{me.name} sits at table {player.table_id}")
    end = client.play(player).table
    player.check(client.send(tables.record(end.id, invite=wish.invite)))
    winner = "nobody" if end.winner is None else end.chairs[end.winner].name
    return f"{end.ending}: {winner} has won; the shuffle was as promised"


def arguments(words: list[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="sample_bot", description="A bot that plays one game over HTTP.")
    parser.add_argument("url", help="where the service is, such as http://localhost:8000")
    parser.add_argument("--name", help="what it is called (default: a name that is given)")
    parser.add_argument("--table", help="the id of a table to sit down at (default: a new one)")
    parser.add_argument("--invite", help="the invitation code of a private table")
    parser.add_argument("--ruleset", default="tortuga", help="of a new table: tortuga, jamaica or nest")
    parser.add_argument("--seats", type=int, default=2, help="of a new table (default 2)")
    parser.add_argument("--fill", default="sailor", help="the level on the other seats; '' waits for people")
    parser.add_argument(
        "--mind",
        metavar="NAME",
        help="what thinks: a level such as captain, an installed bot, module:Class, or engine:COMMAND",
    )
    wish = parser.parse_args(words)
    if not wish.url.startswith(("http://", "https://")):
        parser.error(f"the address {wish.url} has no beginning: write http:// before it")
    return wish


class Waits:
    """Waits between two tries, and says at the first one why nothing happens."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._has_told = False

    def __call__(self, seconds: float) -> None:
        """Wait."""
        if not self._has_told:
            _say(f"{self._url} does not answer; asking again for a while")
        self._has_told = True
        time.sleep(seconds)


def main(words: list[str] | None = None) -> int:
    """Play one game; returns 1 if that was not possible."""
    wish = arguments(words)
    try:
        # Said in a sentence and without a trace: an install of the rules alone has no library for HTTP.
        from cartagena.client.synchronous import Client  # noqa: PLC0415
    except ModuleNotFoundError as error:
        _say(str(no_library("error.no_client", "client", error)))
        return 1
    with Client(wish.url, sleep=Waits(wish.url)) as client:
        try:
            _say(play(client, wish))
        except CartagenaError as error:
            _say(f"{type(error).__name__}: {error}")
            return 1
    return 0


def _say(sentence: str) -> None:
    print(sentence, flush=True)  # noqa: T201 - a program at the command line


if __name__ == "__main__":
    sys.exit(main())
