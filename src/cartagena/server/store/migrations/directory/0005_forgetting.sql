-- Since when the tables no longer know the name of somebody who left for good.
ALTER TABLE directory.players ADD COLUMN forgotten_at timestamptz;

CREATE INDEX players_to_forget ON directory.players (deleted_at)
    WHERE deleted_at IS NOT NULL AND forgotten_at IS NULL;
