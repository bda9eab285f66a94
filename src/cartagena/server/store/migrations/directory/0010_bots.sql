-- Accounts that are a bot's: whose it is, and what plays there. A table of its own, because every bot has
-- both and no other player has either: as columns of the players they could not be NOT NULL.
CREATE TABLE directory.bots (
    bot_id   uuid PRIMARY KEY REFERENCES directory.players,
    owner_id uuid NOT NULL REFERENCES directory.players,
    engine   text NOT NULL
);

CREATE INDEX bots_owner ON directory.bots (owner_id);
