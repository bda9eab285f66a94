"""What can go wrong between a client and a service.

ClientError
    Unreachable      the service does not answer, however often it is asked
    Misunderstood    an answer that the service would not give
    Refused          the service or the rules say no: a code, a rule, where the table really is
        Stale        another player was quicker, or the clock ran out
    StreamEnded      the service ended a stream for good
    BrokenPromise    the shuffle is not the one that was promised
"""

from typing import Final

from cartagena.fairness import Finding
from cartagena.messages.tables import ProblemMessage
from cartagena.messages.updates import Update
from cartagena.rules.refusals import CartagenaError

STALE_CODES: Final = frozenset({"stale", "too_late"})
"""The codes of a choice that came after something else."""


class ClientError(CartagenaError):
    """The root of everything that can go wrong on the way to a service and back."""


class Unreachable(ClientError):
    """The service did not answer, however often it was asked."""


class Misunderstood(ClientError):
    """An answer that no service of this version gives; something in between may have answered."""


class Refused(ClientError):
    """The service, or the rules, refuse.

    `code` is for programs and `rule` the sentence of the rulebook, if one says so. `current` is the table
    as it really is, seen from the seat that asked; it comes with a choice that was refused.
    """

    def __init__(self, status: int, problem: ProblemMessage, current: Update | None = None) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.status = status
        self.code = problem.code
        self.rule = problem.rule
        self.retry_after = problem.retry_after
        self.current = current


class Stale(Refused):
    """The choice was made of a table that has moved on; `current` says to where."""


class StreamEnded(ClientError):
    """The service ended a stream for good; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(f"the stream was ended: {code}")
        self.code = code


class BrokenPromise(ClientError):
    """The shuffle is not what was promised before the game; `findings` say how it differs."""

    def __init__(self, message: str, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(message)
        self.findings = findings


def refusal_of(status: int, problem: ProblemMessage, current: Update | None) -> Refused:
    """Return the error for a refusal."""
    kind = Stale if problem.code in STALE_CODES else Refused
    return kind(status, problem, current)
