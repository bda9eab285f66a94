-- Which player a provider's person is. The provider's own tokens are nowhere kept.
CREATE TABLE directory.club_links (
    issuer     text NOT NULL,
    subject    text NOT NULL,                  -- what the provider calls this person, for ever
    player_id  uuid NOT NULL REFERENCES directory.players,
    created_at timestamptz NOT NULL,
    used_at    timestamptz NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (player_id, issuer)
);

-- Who was sent to the provider and is not back yet: taken away on the return, so that a return counts once.
CREATE TABLE directory.club_errands (
    state_hash   bytea PRIMARY KEY,
    browser_hash bytea NOT NULL,               -- of the cookie: nobody else's browser may come back
    player_id    uuid REFERENCES directory.players,
    joins        boolean NOT NULL,             -- an account, too, wants this as another way in
    back         text NOT NULL,                -- the page that waits
    expires_at   timestamptz NOT NULL
);

CREATE INDEX club_errands_expiry ON directory.club_errands (expires_at);
CREATE INDEX club_errands_player ON directory.club_errands (player_id);
