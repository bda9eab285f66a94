"""The published shuffle: nobody at the table, not even the server, chooses the order of the cards."""

from cartagena.fairness.shuffle import (
    ALGORITHM,
    BOARD,
    DEAL,
    FIRST_SEAT,
    SIZE,
    FairnessError,
    KeyStream,
    Shuffle,
    check,
    commit,
    missing,
    renewal,
)
from cartagena.fairness.verdict import Claim, Claims, Failure, Finding, Promise, Verdict, verify
from cartagena.fairness.witness import Kept, Moves, Shown

__all__ = [
    "ALGORITHM",
    "BOARD",
    "DEAL",
    "FIRST_SEAT",
    "SIZE",
    "Claim",
    "Claims",
    "Failure",
    "FairnessError",
    "Finding",
    "Kept",
    "KeyStream",
    "Moves",
    "Promise",
    "Shown",
    "Shuffle",
    "Verdict",
    "check",
    "commit",
    "missing",
    "renewal",
    "verify",
]
