-- A bucket can leave for another database while its games are played.

-- Who this database is, wherever it is found: an address may change, and there may be more than one.
CREATE TABLE shard.identity (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid()
);
INSERT INTO shard.identity DEFAULT VALUES;

-- The bucket that an id carries.
CREATE FUNCTION shard.bucket_of(game_id uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ((get_byte(uuid_send(game_id), 6) & 3) << 8 | get_byte(uuid_send(game_id), 7))::smallint
$$;

-- Buckets that have left, or are on their way (not yet `arrived`): whoever looks for them here is sent on.
CREATE TABLE shard.departures (
    bucket  smallint PRIMARY KEY,
    shard   uuid NOT NULL,                     -- the identity of the database to which it goes
    arrived boolean NOT NULL DEFAULT false,
    since   timestamptz NOT NULL DEFAULT now()
);

-- Games on their way: the columns of shard.games, out of reach of every statement of a game.
CREATE TABLE shard.leaving (LIKE shard.games, PRIMARY KEY (game_id));

-- The row of a game leaves before the rest of it.
ALTER TABLE shard.tables DROP CONSTRAINT tables_game_id_fkey;

-- What the locks of buckets have in common, so that no other lock is mistaken for one of them.
CREATE FUNCTION shard.departure_lock() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 20061116';

-- No game begins in a bucket that has left. The lock makes a beginning and a departure wait for each other.
CREATE FUNCTION shard.only_at_home() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(shard.departure_lock(), shard.bucket_of(NEW.game_id));
    IF EXISTS (SELECT FROM shard.departures WHERE bucket = shard.bucket_of(NEW.game_id)) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER only_at_home BEFORE INSERT ON shard.games
    FOR EACH ROW EXECUTE FUNCTION shard.only_at_home();
