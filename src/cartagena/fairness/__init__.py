"""The published shuffle: nobody at the table, not even the server, chooses the order of the cards."""

from cartagena.fairness.checks import SIZE, FairnessError
from cartagena.fairness.commitment import check, commit, missing
from cartagena.fairness.findings import Claim, Failure, Finding
from cartagena.fairness.kept import Kept
from cartagena.fairness.shown import Moves, Shown
from cartagena.fairness.shuffle import ALGORITHM, BOARD, DEAL, FIRST_SEAT, Shuffle, renewal
from cartagena.fairness.stream import Stream
from cartagena.fairness.verdict import Claims, Promise, Verdict, verify

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
    "Moves",
    "Promise",
    "Shown",
    "Shuffle",
    "Stream",
    "Verdict",
    "check",
    "commit",
    "missing",
    "renewal",
    "verify",
]
