-- For him who takes along what he said, or is to be forgotten: a spectator is in no list of the table.
CREATE INDEX chat_player ON shard.chat (player);
