-- Which table a player's request opened, so that the same request again opens no second one.
CREATE TABLE directory.creations (
    player_id  uuid NOT NULL,
    key        uuid NOT NULL,
    game_id    uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, key)
);

CREATE INDEX creations_age ON directory.creations (created_at);
