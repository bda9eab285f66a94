-- Whether a player lets their public games be given away as open data; nobody does who has not said so.
ALTER TABLE directory.players ADD COLUMN open_data boolean NOT NULL DEFAULT false;
