-- What a race wrote twice before: the line with the smaller number stays.
DELETE FROM shard.chat c USING shard.chat first
WHERE c.game_id = first.game_id AND c.key = first.key AND c.number > first.number;

-- Outside of a transaction:
-- The index is made while others go on talking; an upgrade that was cut short makes it again.
DROP INDEX CONCURRENTLY IF EXISTS shard.chat_key;
CREATE UNIQUE INDEX CONCURRENTLY chat_key ON shard.chat (game_id, key);
