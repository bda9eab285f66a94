-- What a race wrote twice before: the line with the smaller number stays.
DELETE FROM shard.chat c USING shard.chat first
WHERE c.game_id = first.game_id AND c.key = first.key AND c.number > first.number;
