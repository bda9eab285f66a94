"""The errors of the service, each with a public code and an HTTP status."""

import enum
from typing import Final

from cartagena.rules.refusals import CartagenaError


class Problem(enum.Enum):
    """A reason given by the service itself, not by the rules: its code for programs, its HTTP status."""

    UNREADABLE = ("unreadable", 400)
    UNAUTHENTICATED = ("unauthenticated", 401)
    WRONG_PROOF = ("wrong_proof", 401)
    FORBIDDEN = ("forbidden", 403)
    WRONG_ORIGIN = ("wrong_origin", 403)
    MISSING_SCOPE = ("missing_scope", 403)
    NOT_SEATED = ("not_seated", 403)
    NOT_HOST = ("not_host", 403)
    NOT_YOUR_TURN = ("not_your_turn", 403)
    KICKED = ("kicked", 403)
    BLOCKED = ("blocked", 403)
    MUTED = ("muted", 403)
    NEEDS_ACCOUNT = ("needs_account", 403)
    NEEDS_PROOF = ("needs_proof", 403)
    NO_SUCH_THING = ("no_such_thing", 404)
    NO_SUCH_TABLE = ("no_such_table", 404)
    NO_SUCH_PLAYER = ("no_such_player", 404)
    WRONG_METHOD = ("wrong_method", 405)
    STALE = ("stale", 409)
    TOO_LATE = ("too_late", 409)
    WRONG_STAGE = ("wrong_stage", 409)
    SEAT_MINDED = ("seat_minded", 409)
    KEY_REUSED = ("key_reused", 409)
    SEAT_TAKEN = ("seat_taken", 409)
    ALREADY_SEATED = ("already_seated", 409)
    NAME_TAKEN = ("name_taken", 409)
    NOT_FULL = ("not_full", 409)
    TOO_LARGE = ("too_large", 413)
    NOT_JSON = ("not_json", 415)
    REFUSED = ("refused", 422)
    UNFIT = ("unfit", 422)
    TOO_MANY = ("too_many", 429)
    NOT_WHILE_RATED = ("not_while_rated", 403)
    NO_HINTS = ("no_hints", 403)
    UNAVAILABLE = ("unavailable", 503)

    def __init__(self, code: str, status: int) -> None:
        self.code = code
        self.status = status


class ServiceError(CartagenaError):
    """The service refuses; the sentence is for logs and for people who write requests by hand."""

    def __init__(
        self,
        problem: Problem,
        sentence: str,
        *,
        retry_after: int | None = None,
        home: str | None = None,
        hangs_up: bool = False,
    ) -> None:
        super().__init__(f"{problem.code}: {sentence}")
        self.problem = problem
        self.sentence = sentence
        self.retry_after = retry_after
        self.home = home
        """The service's own address, for a client that came by another one."""
        self.hangs_up = hangs_up
        """Whether the connection ends here: who asks again over another one finds another node."""


SENT_AWAY: Final = "the host has sent you away from this table"
SILENCED: Final = "the host has muted you at this table"
UNKNOWN_TABLE: Final = "no table has this id, or the link lacks its invitation"
"""One sentence for both: without its invitation nobody may learn that a private table exists."""


class WithCurrent(CartagenaError):
    """An error that carries the current state of the table, as the JSON of the asker's own update."""

    def __init__(self, error: CartagenaError, current: bytes) -> None:
        super().__init__(str(error))
        self.error = error
        self.current = current
