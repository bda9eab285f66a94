"""Which function of the simulated database stands for which statement of the service.

`against_postgresql` asks a real PostgreSQL what simulations asked, and compares every answer.
"""

from typing import Final

from cartagena.server.store import log_compaction, statements, timers
from cartagena.server.store.databases import A_LATER_COMMIT
from harness.simulation import game_statements, migration_statements
from harness.simulation.rows import Answer, Asked, Run


def _hold(asked: Asked) -> Answer:
    assert asked.game is None, "nothing is folded within the minute that a simulation lasts"
    return []


READS: Final[dict[str, Run]] = {
    statements.LOAD: game_statements.load,
    statements.SEQ_OF: game_statements.seq_of,
    statements.CURSORS: game_statements.cursors,
    statements.EVENTS: game_statements.events,
    statements.CHAT: game_statements.chat,
    statements.TIMELINE_NOW: lambda asked: [{"left": asked.rows.timeline}],
    log_compaction.FOLDED_HERE: lambda asked: [] if asked.game is None else [{"events": None}],
    **migration_statements.READS,
}
"""What only asks."""

SIGHTS: Final[dict[str, Run]] = {
    statements.EVENT_BY_KEY: game_statements.event_by_key,
    statements.CHAT_BY_KEY: game_statements.chat_by_key,
    statements.FOUND: game_statements.found,
    statements.OPENED: lambda asked: [{"seq": asked.game["seq"]}] if asked.game else [],
}
"""What asks, and waits until the standby has what was found."""

WRITES: Final[dict[str, Run]] = {
    statements.COMMIT: game_statements.commit,
    statements.OPEN: game_statements.open_game,
    statements.SAY: game_statements.say,
    statements.CLAIM_WAKES: game_statements.claim_wakes,
    statements.POSTPONE_WAKE: game_statements.postpone,
    timers.PUT_BACK: game_statements.put_back,
    timers.REST: game_statements.rest,
    A_LATER_COMMIT: lambda _: [{"pg_logical_emit_message": None}],
    log_compaction.HOLD: _hold,
    **migration_statements.WRITES,
}
"""Statements that change rows, and so wait for other changes."""
