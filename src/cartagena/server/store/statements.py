"""The statements of a shard. Every one of them finds its rows by game id."""

from typing import Final

from cartagena.server.store import clocks

LATER: Final = "pg_logical_emit_message(true, 'cartagena', 'confirm')"
"""Turns a statement that only reads into a commit: a standby that has confirmed it has all that was read."""

TIMELINE: Final = "left(pg_walfile_name(pg_current_wal_lsn()), 8)"
"""The timeline that a primary writes; a standby that takes its place begins a new one."""

TIMELINE_NOW: Final = f"SELECT {TIMELINE}"

COMMIT: Final = f"""
WITH wish AS MATERIALIZED (
    SELECT *
    FROM unnest(
        $1::uuid[], $2::int[], $3::smallint[], $4::smallint[], $5::smallint[], $6::bytea[], $7::bytea[],
        $8::uuid[], $9::uuid[], $10::smallint[], $11::smallint[], $12::smallint[], $13::int[], $14::bytea[],
        $15::bytea[], $16::bytea[], $17::bool[], $18::bool[], $19::bool[], $20::smallint[], $21::smallint[],
        $22::bigint[], $23::bigint[], $24::bigint[], $25::bigint[], $26::bigint[], $27::text[], $28::int[]
    ) AS w (
        game_id, seq, kind, seat, code, orders, detail,
        key, player, guard, stage, to_act, turn_seq, snapshot,
        sheet, secret, settle, clocked, news, seats, refill,
        bank, increment, reset, due_in, wake_in, timeline, last_line
    )
),
-- Rows are locked in the order of their ids, so that two nodes with the same games never wait for each other.
held AS MATERIALIZED (
    SELECT w.*, g.banks AS left_before,
        {clocks.CHARGED_SEAT} AS charge,
        {clocks.ELAPSED} AS elapsed
    FROM shard.games g JOIN wish w USING (game_id)
    WHERE g.seq = w.seq
        -- What was read before a failover may have been lost with it, and another event have its number.
        AND w.timeline = {TIMELINE}
        -- A line that was said meanwhile would be shown to strangers.
        AND (w.last_line IS NULL OR g.chat = w.last_line)
        AND {clocks.IN_TIME}
    ORDER BY g.game_id
    FOR UPDATE OF g
),
timed AS MATERIALIZED (
    SELECT h.*,
        {clocks.BANKS} AS banks
    FROM held h
),
ruled AS MATERIALIZED (
    SELECT t.*,
        {clocks.DEADLINE} AS deadline
    FROM timed t
),
moved AS (
    UPDATE shard.games g
    SET seq = r.seq + 1,
        stage = r.stage,
        to_act = r.to_act,
        turn_seq = r.turn_seq,
        snapshot = coalesce(r.snapshot, g.snapshot),
        banks = r.banks,
        clock_since = CASE WHEN NOT r.settle THEN g.clock_since WHEN r.clocked THEN now() END,
        deadline = CASE WHEN NOT r.settle THEN g.deadline ELSE r.deadline END,
        wake_at = CASE
            WHEN NOT r.settle THEN g.wake_at
            WHEN r.wake_in IS NOT NULL THEN now() + r.wake_in * interval '1 millisecond'
            ELSE r.deadline
        END,
        wake_tries = 0,
        news_at = CASE WHEN r.news THEN now() ELSE g.news_at END
    FROM ruled r
    WHERE g.game_id = r.game_id
    RETURNING g.game_id, g.banks, g.deadline, g.clock_since IS NOT NULL AS ticking
),
logged AS (
    INSERT INTO shard.events (game_id, seq, kind, seat, code, orders, detail, key, player)
    SELECT game_id, seq + 1, kind, seat, code, orders, detail, key, player FROM held
),
rewritten AS (
    UPDATE shard.tables t
    SET sheet = h.sheet, secret = coalesce(h.secret, t.secret)
    FROM held h
    WHERE t.game_id = h.game_id AND h.sheet IS NOT NULL
)
SELECT game_id, banks, deadline, ticking, now() AS at FROM moved
"""  # noqa: S608  # our own words
"""Any number of changes, at most one per game, each guarded by its seq and by its clock."""

OPEN: Final = """
WITH game AS (
    INSERT INTO shard.games (game_id, seq, stage, to_act, turn_seq, banks, news_at, rules_version)
    VALUES ($1, 0, $2, -1, 0, $3, now(), $4)
    ON CONFLICT DO NOTHING
    RETURNING game_id
), logged AS (
    INSERT INTO shard.events (game_id, seq, kind, seat, detail, key, player)
    SELECT game_id, 0, $5, 0, $6, $7, $8 FROM game
)
INSERT INTO shard.tables (game_id, sheet, secret) SELECT game_id, $9, $10 FROM game
RETURNING game_id
"""
"""A new table; an existing one stays as it is, so that a repeated request does no harm."""

LOAD: Final = f"""
SELECT g.seq, g.chat, g.turn_seq, g.snapshot, g.banks, g.to_act, g.deadline,
    g.clock_since IS NOT NULL AS ticking, g.rules_version, t.sheet, t.secret, t.created_at, now() AS at,
    {TIMELINE} AS timeline,
    ARRAY(
        SELECT (e.seq, e.kind, e.code, e.orders)
        FROM shard.events e
        WHERE e.game_id = g.game_id AND e.seq > g.turn_seq AND g.snapshot IS NOT NULL
            AND e.kind <> ALL ($2::smallint[])
        ORDER BY e.seq
    ) AS turn
FROM shard.games g JOIN shard.tables t USING (game_id)
WHERE g.game_id = $1
"""  # noqa: S608  # our own words
"""A table with the events of its running turn; players cannot make many, except those beside the game."""

SEQ_OF: Final = f"""
SELECT seq, chat, {TIMELINE} AS timeline FROM shard.games WHERE game_id = $1
"""  # noqa: S608  # our own words

OPENED: Final = f"SELECT seq, {LATER} FROM shard.games WHERE game_id = $1"  # noqa: S608  # our own words

CURSORS: Final = "SELECT game_id, seq, chat FROM shard.games WHERE game_id = ANY($1::uuid[])"

# A game that is here has a row in each answer below, an empty one if there is nothing to tell. No row at all
# means that its bucket has left, which must not be taken for "nothing happened".
EVENTS: Final = """
SELECT e.seq, e.kind, e.seat, e.code, e.orders, e.detail, e.key, e.player, e.at
FROM shard.games g LEFT JOIN shard.events e
    ON e.game_id = g.game_id AND e.seq > $2 AND (e.seq > $3 OR e.kind <> ALL ($4::smallint[]))
WHERE g.game_id = $1
ORDER BY e.seq
"""
"""The events after one number; events of the kinds beside the game only after another number."""

EVENT_BY_KEY: Final = f"""
SELECT e.seq, e.player, CASE WHEN e.seq IS NOT NULL THEN {LATER} END
FROM shard.games g LEFT JOIN shard.events e ON e.game_id = g.game_id AND e.key = $2
WHERE g.game_id = $1
"""  # noqa: S608  # our own words

CHAT: Final = """
SELECT c.number, c.player, c.seat, c.name, c.text, c.at, c.removes
FROM shard.games g LEFT JOIN shard.chat c ON c.game_id = g.game_id AND c.number > $2
WHERE g.game_id = $1
ORDER BY c.number
"""

LINE: Final = """
SELECT c.number, c.player, c.seat, c.name, c.text, c.at, c.removes
FROM shard.games g LEFT JOIN shard.chat c ON c.game_id = g.game_id AND c.number = $2
WHERE g.game_id = $1
"""

CHAT_BY_KEY: Final = f"""
SELECT c.number, c.player, CASE WHEN c.number IS NOT NULL THEN {LATER} END
FROM shard.games g LEFT JOIN shard.chat c ON c.game_id = g.game_id AND c.key = $2
WHERE g.game_id = $1
"""  # noqa: S608  # our own words

FOUND: Final = f"""
SELECT g.banks, g.deadline, g.clock_since IS NOT NULL AS ticking, now() AS at, {LATER}
FROM shard.events e JOIN shard.games g USING (game_id)
WHERE e.game_id = $1 AND e.seq = $2 AND e.key = $3
"""  # noqa: S608  # our own words
"""Whether a change is in the log after all, and the clocks."""

CLAIM_WAKES: Final = """
UPDATE shard.games g
SET wake_at = now() + $2 * interval '1 millisecond', wake_tries = g.wake_tries + 1
FROM (
    SELECT game_id
    FROM shard.games
    WHERE wake_at <= now()
    ORDER BY wake_at
    LIMIT $1
    FOR UPDATE SKIP LOCKED
) due
WHERE g.game_id = due.game_id
RETURNING g.game_id, g.seq, g.wake_tries
"""
"""A claimed game is due again after the lease, so that a worker which dies loses nothing."""

POSTPONE_WAKE: Final = """
UPDATE shard.games SET wake_at = now() + $3 * interval '1 millisecond' WHERE game_id = $1 AND seq = $2
"""

CLAIM_NEWS: Final = """
UPDATE shard.games g
SET news_at = now() + $2 * interval '1 millisecond'
FROM (
    SELECT game_id
    FROM shard.games
    WHERE news_at <= now()
    ORDER BY news_at
    LIMIT $1
    FOR UPDATE SKIP LOCKED
) due
WHERE g.game_id = due.game_id
RETURNING g.game_id, g.seq
"""

NEWS_TOLD: Final = "UPDATE shard.games SET news_at = NULL WHERE game_id = $1 AND seq = $2"

SAY: Final = """
WITH game AS (
    UPDATE shard.games SET chat = chat + 1
    WHERE game_id = $1 AND NOT EXISTS (SELECT FROM shard.chat WHERE game_id = $1 AND key = $6)
    RETURNING game_id, seq, chat
), line AS (
    INSERT INTO shard.chat (game_id, number, player, seat, name, text, key)
    SELECT game_id, chat, $2, $3, $4, $5, $6 FROM game
)
SELECT seq, chat, now() AS at FROM game
"""

REMOVE: Final = """
WITH game AS (
    UPDATE shard.games SET chat = chat + 1
    WHERE game_id = $1
        AND EXISTS (SELECT FROM shard.chat WHERE game_id = $1 AND number = $6 AND removes IS NULL)
        AND NOT EXISTS (SELECT FROM shard.chat WHERE game_id = $1 AND (key = $5 OR removes = $6))
    RETURNING game_id, seq, chat
), erased AS (
    UPDATE shard.chat c SET text = '' FROM game WHERE c.game_id = game.game_id AND c.number = $6
), line AS (
    INSERT INTO shard.chat (game_id, number, player, seat, name, text, key, removes)
    SELECT game_id, chat, $2, $3, $4, '', $5, $6 FROM game
)
SELECT seq, chat, now() AS at FROM game
"""
"""Adds a line that removes another one, whose words are erased at the same moment."""
