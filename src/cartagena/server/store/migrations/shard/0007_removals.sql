-- The number of the line that this one takes away; a line that was taken away has no text any more.
ALTER TABLE shard.chat ADD COLUMN IF NOT EXISTS removes integer;

-- Outside of a transaction:
-- The index is made while others go on talking; an upgrade that was cut short makes it again.
DROP INDEX CONCURRENTLY IF EXISTS shard.chat_removes;
CREATE UNIQUE INDEX CONCURRENTLY chat_removes ON shard.chat (game_id, removes) WHERE removes IS NOT NULL;
