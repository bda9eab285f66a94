-- Tables and their games. Every key begins with the game id, so that no statement needs a second database.

CREATE TABLE shard.games (
    game_id       uuid PRIMARY KEY,
    seq           integer NOT NULL,            -- the number of the last event: the optimistic lock
    chat          integer NOT NULL DEFAULT 0,  -- the number of the last line of chat
    stage         smallint NOT NULL,           -- open, starting, running, over
    to_act        smallint NOT NULL,           -- the seat whose choice is awaited, -1 for nobody
    turn_seq      integer NOT NULL,            -- the event after which the snapshot was taken
    snapshot      bytea,                       -- the position at the start of the turn
    banks         bigint[] NOT NULL,           -- milliseconds left to each seat when its clock last stopped
    clock_since   timestamptz,                 -- when the running clock started
    deadline      timestamptz,                 -- when it runs out
    wake_at       timestamptz,                 -- when a worker has to look: a bot to act, a clock run out
    wake_tries    smallint NOT NULL DEFAULT 0,
    news_at       timestamptz,                 -- since when the directory has not been told
    rules_version smallint NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX games_wake ON shard.games (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX games_news ON shard.games (news_at) WHERE news_at IS NOT NULL;

-- What changes seldom: who sits there, by which rules, and the secret of the shuffle.
CREATE TABLE shard.tables (
    game_id    uuid PRIMARY KEY REFERENCES shard.games ON DELETE CASCADE,
    sheet      bytea NOT NULL,
    secret     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE shard.events (
    game_id uuid NOT NULL,
    seq     integer NOT NULL,
    kind    smallint NOT NULL,
    seat    smallint,
    code    smallint,
    orders  bytea,                             -- the orders of cards that chance handed in
    detail  bytea,                             -- what a change of the table was about
    key     uuid,                              -- what the client called its request
    player  uuid,
    at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, seq)
);

CREATE TABLE shard.chat (
    game_id uuid NOT NULL,
    number  integer NOT NULL,
    player  uuid,
    seat    smallint,
    name    text NOT NULL,
    text    text NOT NULL,
    key     uuid NOT NULL,
    at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, number)
);

-- The banks after a clock was stopped (`charge` is its seat) or filled (`refill`: a seat, or -1 for all).
CREATE FUNCTION shard.charged(
    banks bigint[], charge smallint, elapsed interval, increment bigint, reset bigint,
    refill smallint, bank bigint, seats smallint
) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF refill = -1 THEN
        RETURN array_fill(bank, ARRAY[seats]);
    END IF;
    IF charge IS NOT NULL THEN
        banks[charge + 1] := coalesce(
            reset, greatest(0, banks[charge + 1] - (extract(epoch FROM elapsed) * 1000)::bigint) + increment
        );
    END IF;
    IF refill IS NOT NULL THEN
        banks[refill + 1] := bank;
    END IF;
    RETURN banks;
END
$$;
