-- Challenges of one player to another. An accepted one names the table that is opened for it, and is marked as
-- opened once it is: the two are in different databases, and a worker opens what was left between them.
CREATE TABLE directory.game_challenges (
    challenge_id  uuid PRIMARY KEY,
    challenger_id uuid NOT NULL REFERENCES directory.players,
    opponent_id   uuid NOT NULL REFERENCES directory.players,
    key           uuid NOT NULL,
    terms         text NOT NULL,                 -- as they were asked for, JSON
    ladder        boolean NOT NULL DEFAULT false, -- it counts on the ladder of bots
    nonce_hash    text,                          -- the challenger's promise of a number for the shuffle
    answer_hash   text,                          -- the opponent's
    state         text NOT NULL DEFAULT 'open',  -- open, accepted, declined, withdrawn; past expires_at, expired
    reason        text,                          -- why it was declined
    game_id       uuid,
    opened        boolean NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    decided_at    timestamptz,
    UNIQUE (challenger_id, key)
);

CREATE INDEX game_challenges_opponent ON directory.game_challenges (opponent_id);
CREATE INDEX game_challenges_expired ON directory.game_challenges (expires_at);
CREATE INDEX game_challenges_unopened ON directory.game_challenges (decided_at)
    WHERE state = 'accepted' AND NOT opened;

-- Games of bots against bots, from their beginning on: a bot may begin only so many in a day.
CREATE TABLE directory.bot_games (
    bot_id   uuid NOT NULL REFERENCES directory.players,
    game_id  uuid NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (bot_id, game_id)
);

CREATE INDEX bot_games_of_day ON directory.bot_games (bot_id, begun_at);
CREATE INDEX bot_games_begun ON directory.bot_games (begun_at);

-- Games that count on the ladder of bots, as they were agreed on: a host may change the terms of a table.
CREATE TABLE directory.ladder_games (
    game_id uuid PRIMARY KEY,
    rules   text NOT NULL,
    players uuid[] NOT NULL
);

-- Never mixed with the ratings of people.
CREATE TABLE directory.bot_ratings (
    bot_id  uuid NOT NULL REFERENCES directory.players,
    ruleset text NOT NULL,
    seats   smallint NOT NULL,
    mu      double precision NOT NULL,
    sigma   double precision NOT NULL,
    games   integer NOT NULL DEFAULT 0,
    wins    integer NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, ruleset, seats)
);

CREATE INDEX bot_ratings_ladder ON directory.bot_ratings (ruleset, seats, (mu - 3 * sigma) DESC, bot_id);
