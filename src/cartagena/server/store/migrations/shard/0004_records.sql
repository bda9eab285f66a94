-- The log of a game that has been over for a while, folded into one row.
CREATE TABLE shard.records (
    game_id uuid PRIMARY KEY,
    last    integer NOT NULL,                  -- the number of the last event in it
    events  bytea NOT NULL                     -- all of them up to that one, packed
);
-- They are packed already.
ALTER TABLE shard.records ALTER COLUMN events SET STORAGE EXTERNAL;

-- Games that ended before there was any folding, over the days to come.
UPDATE shard.games SET wake_at = now() + (1 + 6 * random()) * interval '1 day' WHERE stage = 3 AND wake_at IS NULL;
