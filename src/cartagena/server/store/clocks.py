"""How much thinking time a seat has left, as parts of the statement that commits an action.

PostgreSQL's clock alone decides, so that nodes whose clocks differ agree. The function `shard.charged` of the
migrations takes what a seat used from its bank and adds the increment, or gives it the days of a turn again.
"""

from typing import Final

CHARGED_SEAT: Final = "CASE WHEN w.settle AND g.clock_since IS NOT NULL THEN g.to_act END"
"""The seat whose clock has been running, if the action stops it."""

ELAPSED: Final = "greatest(now() - g.clock_since, interval '0')"
"""Since then. After a failover the clock of the new primary may be behind: that gives nobody time."""

IN_TIME: Final = """CASE w.guard
            WHEN 1 THEN g.deadline IS NULL OR now() <= g.deadline
            WHEN 2 THEN now() > g.deadline
            ELSE true
        END"""
"""Whether the action still counts (1), or its deadline has really passed (2)."""

BANKS: Final = """CASE
            WHEN h.charge IS NULL AND h.refill IS NULL THEN h.left_before
            ELSE shard.charged(
                h.left_before, h.charge, h.elapsed, h.increment, h.reset, h.refill, h.bank, h.seats
            )
        END"""
"""What each seat has left after the action."""

DEADLINE: Final = """CASE
            WHEN t.due_in IS NOT NULL THEN now() + t.due_in * interval '1 millisecond'
            WHEN t.clocked THEN now() + t.banks[t.to_act + 1] * interval '1 millisecond'
        END"""
"""When the seat that acts next runs out of time."""
