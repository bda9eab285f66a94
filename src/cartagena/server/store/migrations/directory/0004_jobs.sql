-- Hints that were asked for, each for one player and one moment of a table; an hour later they are gone.
CREATE TABLE directory.hints (
    hint_id   uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    game_id   uuid NOT NULL,
    seq       integer NOT NULL,
    seat      smallint NOT NULL,
    player_id uuid NOT NULL,
    asked_at  timestamptz NOT NULL DEFAULT now(),
    found     bytea,                           -- the hint, once there is one
    failed    boolean NOT NULL DEFAULT false,
    UNIQUE (game_id, seq, player_id)
);

CREATE INDEX hints_age ON directory.hints (asked_at);

-- Analyses of games that are over: one for each, kept for good.
CREATE TABLE directory.analyses (
    game_id  uuid PRIMARY KEY,
    asked_at timestamptz NOT NULL DEFAULT now(),
    found_at timestamptz,
    found    bytea,
    failed   boolean NOT NULL DEFAULT false
);
