-- Players, how they come in, and how they are reached. Secrets are kept as hashes wherever a hash will do.

CREATE TABLE directory.players (
    player_id    uuid PRIMARY KEY,
    name         text NOT NULL,
    name_key     text NOT NULL,                -- the name folded, so that no two accounts look alike
    is_guest     boolean NOT NULL,
    is_admin     boolean NOT NULL DEFAULT false,
    settings     jsonb NOT NULL DEFAULT '{}',  -- what a client wants to remember: colours, sounds
    created_at   timestamptz NOT NULL,
    deleted_at   timestamptz,                  -- from then on the row holds no name, only the place of one
    banned_until timestamptz
);

CREATE UNIQUE INDEX players_name ON directory.players (name_key) WHERE NOT is_guest AND deleted_at IS NULL;

CREATE TABLE directory.sessions (
    session_id uuid PRIMARY KEY,
    player_id  uuid NOT NULL REFERENCES directory.players,
    token_hash bytea NOT NULL UNIQUE,          -- SHA-256 of 32 random bytes in their written form
    kind       text NOT NULL CHECK (kind IN ('cookie', 'bearer', 'token')),
    scopes     text[] NOT NULL,
    label      text NOT NULL,
    created_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,           -- written at most once an hour
    expires_at timestamptz,                    -- null for a personal token: it lasts until it is revoked
    revoked_at timestamptz
);

CREATE INDEX sessions_player ON directory.sessions (player_id);
CREATE INDEX sessions_end ON directory.sessions (LEAST(expires_at, revoked_at));

CREATE TABLE directory.passkeys (
    passkey_id    uuid PRIMARY KEY,
    player_id     uuid NOT NULL REFERENCES directory.players,
    credential_id bytea NOT NULL UNIQUE,
    public_key    bytea NOT NULL,
    sign_count    bigint NOT NULL,             -- a number that falls back betrays a copied key
    label         text NOT NULL,
    created_at    timestamptz NOT NULL,
    used_at       timestamptz
);

CREATE INDEX passkeys_player ON directory.passkeys (player_id);

-- What a passkey was asked to sign: taken away when it is answered, so that an answer counts once.
CREATE TABLE directory.challenges (
    challenge_hash bytea PRIMARY KEY,
    purpose        text NOT NULL CHECK (purpose IN ('register', 'sign_in')),
    player_id      uuid REFERENCES directory.players,
    name           text,                       -- the name that a guest wants to keep
    expires_at     timestamptz NOT NULL
);

CREATE INDEX challenges_expiry ON directory.challenges (expires_at);
CREATE INDEX challenges_player ON directory.challenges (player_id);

-- A code is found by its first letters and proved by the others, so that wrong guesses can be counted.
-- Once used it is taken away.
CREATE TABLE directory.recovery_codes (
    code_id    uuid PRIMARY KEY,
    player_id  uuid NOT NULL REFERENCES directory.players,
    locator    text NOT NULL,
    proof_hash bytea NOT NULL,
    attempts   smallint NOT NULL DEFAULT 0
);

CREATE INDEX recovery_codes_locator ON directory.recovery_codes (locator);
CREATE INDEX recovery_codes_player ON directory.recovery_codes (player_id);

CREATE TABLE directory.device_codes (
    code_id    uuid PRIMARY KEY,
    player_id  uuid NOT NULL UNIQUE REFERENCES directory.players,  -- a new code replaces the last one
    locator    text NOT NULL,
    proof_hash bytea NOT NULL,
    attempts   smallint NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL
);

CREATE INDEX device_codes_locator ON directory.device_codes (locator);
CREATE INDEX device_codes_expiry ON directory.device_codes (expires_at);

CREATE TABLE directory.blocks (
    blocker_id uuid NOT NULL REFERENCES directory.players,
    blocked_id uuid NOT NULL REFERENCES directory.players,
    at         timestamptz NOT NULL,
    PRIMARY KEY (blocker_id, blocked_id)
);

CREATE INDEX blocks_blocked ON directory.blocks (blocked_id);

CREATE TABLE directory.reports (
    report_id   uuid PRIMARY KEY,
    reporter_id uuid NOT NULL REFERENCES directory.players,
    subject_id  uuid NOT NULL REFERENCES directory.players,
    table_id    uuid,
    text        text NOT NULL,
    key         uuid NOT NULL,                 -- what the client called its request: sent twice, it counts once
    created_at  timestamptz NOT NULL,
    closed_at   timestamptz,
    closed_by   uuid REFERENCES directory.players,
    verdict     text,
    UNIQUE (reporter_id, key)
);

CREATE INDEX reports_open ON directory.reports (report_id) WHERE closed_at IS NULL;
CREATE INDEX reports_subject ON directory.reports (subject_id);

-- Browsers that want to be told. One that is told for somebody else from now on belongs to him.
CREATE TABLE directory.push (
    push_id    uuid PRIMARY KEY,
    player_id  uuid NOT NULL REFERENCES directory.players,
    session_id uuid NOT NULL REFERENCES directory.sessions ON DELETE CASCADE,
    endpoint   text NOT NULL UNIQUE,
    p256dh     bytea NOT NULL,                 -- the browser's public key
    auth       bytea NOT NULL,                 -- the secret that the browser shares with us
    failures   smallint NOT NULL DEFAULT 0,    -- in a row
    created_at timestamptz NOT NULL
);

CREATE INDEX push_player ON directory.push (player_id);
CREATE INDEX push_session ON directory.push (session_id);

CREATE TABLE directory.webhooks (
    player_id  uuid PRIMARY KEY REFERENCES directory.players,
    url        text NOT NULL,
    secret     text NOT NULL,                  -- signs what we send, so a hash would not do
    failures   smallint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL
);
