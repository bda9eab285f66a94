-- What lobby, player pages and ladder show. All of it follows from the games in the shards: a worker writes it
-- when there is news, and `cartagena db repair` writes it anew. Names are not kept here but asked of the players.

-- How far the directory was told of each table. Whoever writes about a table holds its row here, so that what
-- is old never replaces what is newer.
CREATE TABLE directory.told (
    game_id uuid PRIMARY KEY,
    seq     integer NOT NULL,
    is_over boolean NOT NULL DEFAULT false,
    at      timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX told_over ON directory.told (at) WHERE is_over;

-- Listed tables, from their opening to the end of their game.
CREATE TABLE directory.listings (
    game_id    uuid PRIMARY KEY,
    seq        integer NOT NULL,
    stage      smallint NOT NULL,            -- open, starting, running
    ruleset    text NOT NULL,                -- its preset
    rules      text NOT NULL,                -- the line that says it with every option
    seats      smallint NOT NULL,
    free       smallint NOT NULL,
    host_id    uuid NOT NULL,
    host       text NOT NULL,
    players    uuid[] NOT NULL,
    clock      text,                         -- live, correspondence
    bank       bigint,                       -- milliseconds, up to a month of them
    increment  bigint,
    rated      boolean NOT NULL,
    quick      boolean NOT NULL,
    spectators boolean NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE INDEX listings_open ON directory.listings (game_id) WHERE stage = 0;
CREATE INDEX listings_running ON directory.listings (game_id) WHERE stage = 2 AND spectators;
CREATE INDEX listings_quick ON directory.listings (rules, seats, game_id) WHERE quick AND stage = 0;
CREATE INDEX listings_host ON directory.listings (host_id);

-- Who sits, or sat, at which table.
CREATE TABLE directory.seatings (
    player_id uuid NOT NULL,
    game_id   uuid NOT NULL,
    seat      smallint NOT NULL,
    stage     smallint NOT NULL,
    to_act    boolean NOT NULL,              -- by correspondence; whose turn it is in a live game is no news
    deadline  timestamptz,                   -- the same
    ended_at  timestamptz,
    PRIMARY KEY (player_id, game_id)
);

CREATE INDEX seatings_game ON directory.seatings (game_id);
CREATE INDEX seatings_playing ON directory.seatings (player_id) WHERE ended_at IS NULL;
CREATE INDEX seatings_ended ON directory.seatings (player_id, ended_at DESC, game_id DESC)
    WHERE ended_at IS NOT NULL;

-- How games ended. The arrays have an element for each seat.
CREATE TABLE directory.results (
    game_id  uuid PRIMARY KEY,
    ruleset  text NOT NULL,
    rules    text NOT NULL,
    listed   boolean NOT NULL,               -- of a private game only its players are told
    rated    boolean NOT NULL,
    ending   text NOT NULL,
    winner   smallint,
    players  uuid[] NOT NULL,                -- null for a bot
    levels   text[] NOT NULL,                -- null for a person
    lost     boolean[] NOT NULL,             -- resigned, or ran out of time
    ended_at timestamptz NOT NULL
);

CREATE INDEX results_rated ON directory.results (ended_at, game_id) WHERE rated;

CREATE TABLE directory.ratings (
    player_id uuid NOT NULL,
    ruleset   text NOT NULL,
    mu        double precision NOT NULL,
    sigma     double precision NOT NULL,
    games     integer NOT NULL DEFAULT 0,
    wins      integer NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, ruleset)
);

CREATE INDEX ratings_ladder ON directory.ratings (ruleset, (mu - 3 * sigma) DESC, player_id);

-- What each rated game did to each of its players: the proof that it counted once.
CREATE TABLE directory.rating_changes (
    game_id      uuid NOT NULL,
    player_id    uuid NOT NULL,
    ruleset      text NOT NULL,
    mu_before    double precision NOT NULL,
    sigma_before double precision NOT NULL,
    mu_after     double precision NOT NULL,
    sigma_after  double precision NOT NULL,
    PRIMARY KEY (game_id, player_id)
);

-- The newest "your turn" of each game by correspondence. The moment at which the clock of the seat started
-- names the turn, so that whatever else happens at the table tells nobody twice.
CREATE TABLE directory.notices (
    game_id   uuid PRIMARY KEY,
    since     timestamptz NOT NULL,
    seq       integer NOT NULL,
    player_id uuid NOT NULL,
    due_at    timestamptz,                   -- null when it was told, or could not be told for too long
    tries     smallint NOT NULL DEFAULT 0
);

CREATE INDEX notices_due ON directory.notices (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notices_player ON directory.notices (player_id);
