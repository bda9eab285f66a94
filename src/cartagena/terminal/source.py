"""Where a table comes from: what a screen is shown, and what it may ask for."""

import enum
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias
from urllib.parse import parse_qs, urlsplit

from cartagena.messages.wishes import RefusalMessage, WishesMessage
from cartagena.rules.happenings import Moved
from cartagena.rules.hidden.view import View
from cartagena.rules.refusals import CartagenaError
from cartagena.rules.ruleset import Ruleset
from cartagena.words import Words

# The address of a table, as people copy it from a browser.

_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a service is, which table, and the invitation code if there is one."""

    service: str
    table_id: str
    invite: str | None

    @property
    def link(self) -> str:
        """The address as text, for others to copy."""
        code = "" if self.invite is None else f"?invite={self.invite}"
        return f"{self.service}/table/{self.table_id}{code}"


def is_address(text: str) -> bool:
    """Whether something leads to a service rather than to a file."""
    return text.startswith(("http://", "https://"))


def address_of(text: str) -> Address | None:
    """The table that an address leads to; None if there is none.

    >>> address_of("https://here.example/table/01a1de9f-0000-7000-8000-000000000000?invite=K7")
    Address(service='https://here.example', table_id='01a1de9f-0000-7000-8000-000000000000', invite='K7')
    """
    service, parts = service_of(text), urlsplit(text)
    found = _ID.search(parts.path)
    if service is None or found is None:
        return None
    [invite] = parse_qs(parts.query).get("invite", [None])[:1]
    return Address(service=service, table_id=found[0], invite=invite)


def service_of(text: str) -> str | None:
    """The service that an address leads to; None if there is none.

    >>> service_of("http://localhost:8000/lobby"), service_of("localhost")
    ('http://localhost:8000', None)
    """
    parts = urlsplit(text)
    return f"{parts.scheme}://{parts.netloc}" if is_address(text) and parts.netloc else None


class Role(enum.Enum):
    """What the people at this keyboard do with a table: it decides which keys there are."""

    PLAYING = "playing"
    WATCHING = "watching"
    FOLLOWING = "following"
    """They go through a record, step by step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A table as the people at this keyboard may see it.

    `view` is None before the deal. `wishes` are set when one of them is to act. `players` are the names
    by seat, `log` what happened, oldest first, its first `recalled` lines at an earlier sitting; `moves`
    are the places in it where something new begins, and `last` is the last move. `covered` is the seat
    whose hidden hand waits for its owner to come. `is_over` says that no more choices will be made,
    `winner` which seat has won then. `note` is what else people must be told. `link` leads others to a
    table that waits for them. `step` and `steps` say how far a record has been followed. `audience` is
    the seat whose log this is, where each person at this keyboard has another one.
    """

    view: View | None
    wishes: WishesMessage | None = None
    players: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    moves: tuple[int, ...] = ()
    recalled: int = 0
    last: Moved | None = None
    covered: int | None = None
    is_over: bool = False
    winner: int | None = None
    note: str = ""
    link: str = ""
    step: int = 0
    steps: int = 0
    audience: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tip:
    """What the seat to act might do, as codes in order, and the chance to win with it."""

    codes: tuple[int, ...]
    chance: float


class Declined(Exception):
    """A wish was not granted; `refusal` has the rule if one forbids it, otherwise the text says why."""

    def __init__(self, text: str = "", refusal: RefusalMessage | None = None) -> None:
        super().__init__(text)
        self.refusal = refusal


Show: TypeAlias = Callable[[Moment], None]
"""Shows a moment on a screen."""


class Source(Protocol):
    """A table, wherever it is. What it does not allow raises Declined."""

    @property
    def role(self) -> Role:
        """What the people at this keyboard do with it."""

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""

    async def run(self, show: Show) -> None:
        """Show the table now and after every change, until there are no more."""

    async def act(self, code: int) -> None:
        """Do what a code says, for the seat to act."""

    async def undo(self) -> None:
        """Take back the last choice."""

    async def tip(self) -> Tip:
        """What the seat to act might do."""

    async def uncover(self) -> None:
        """The person whose hand is covered has come."""

    def go(self, steps: int) -> None:
        """Go `steps` steps forward in a record, or back if negative."""


class ReadOnlyTable:
    """The wishes of a table that is looked at and not played at: all are declined."""

    def __init__(self, words: Words) -> None:
        self._words = words

    async def act(self, code: int) -> None:  # noqa: ARG002 - what a source is asked
        """Decline: there is no choice to make."""
        raise self._decline()

    async def undo(self) -> None:
        """Decline: there is nothing to take back."""
        raise self._decline()

    async def tip(self) -> Tip:
        """Decline: there is nobody to advise."""
        raise self._decline()

    async def uncover(self) -> None:
        """Nothing is covered."""

    def _decline(self) -> Declined:
        return Declined(self._words.say("terminal.only_watching"))


async def declined(asked: Coroutine[Any, Any, None], words: Words) -> Declined | None:
    """Wait for a request to a source; return why it was declined, or None if it was done.

    A table that can no longer be reached declines as well.
    """
    try:
        await asked
    except Declined as why:
        return why
    except CartagenaError as error:
        return Declined(words.say("terminal.lost", reason=error))
    return None
