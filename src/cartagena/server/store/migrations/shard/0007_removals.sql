-- The number of the line that this one takes away; a line that was taken away has no text any more.
ALTER TABLE shard.chat ADD COLUMN IF NOT EXISTS removes integer;
