"""Which function of the simulated database stands for which statement of the service.

`against_postgresql` asks a real PostgreSQL what simulations asked, and compares every answer.
"""

from typing import Final

from cartagena.server.store import log_compaction, statements, timers
from cartagena.server.store.replication import A_LATER_COMMIT
from tools.simulation import changes, moves, questions
from tools.simulation.rows import Answer, Asked, Run


def _hold(asked: Asked) -> Answer:
    assert asked.game is None, "nothing is folded within the minute that a simulation lasts"
    return []


READS: Final[dict[str, Run]] = {
    statements.LOAD: questions.load,
    statements.SEQ_OF: questions.seq_of,
    statements.CURSORS: questions.cursors,
    statements.EVENTS: questions.events,
    statements.CHAT: questions.chat,
    statements.TIMELINE_NOW: lambda asked: [{"left": asked.rows.timeline}],
    log_compaction.FOLDED_HERE: lambda asked: [] if asked.game is None else [{"events": None}],
    **moves.READS,
}
"""What only asks."""

SIGHTS: Final[dict[str, Run]] = {
    statements.EVENT_BY_KEY: questions.event_by_key,
    statements.CHAT_BY_KEY: questions.chat_by_key,
    statements.FOUND: questions.found,
    statements.OPENED: lambda asked: [{"seq": asked.game["seq"]}] if asked.game else [],
}
"""What asks, and waits until the standby has what was found."""

WRITES: Final[dict[str, Run]] = {
    statements.COMMIT: changes.commit,
    statements.OPEN: changes.open_game,
    statements.SAY: changes.say,
    statements.CLAIM_WAKES: changes.claim_wakes,
    statements.POSTPONE_WAKE: changes.postpone,
    timers.PUT_BACK: changes.put_back,
    timers.REST: changes.rest,
    A_LATER_COMMIT: lambda _: [{"pg_logical_emit_message": None}],
    log_compaction.HOLD: _hold,
    **moves.WRITES,
}
"""Statements that change rows, and so wait for other changes."""
