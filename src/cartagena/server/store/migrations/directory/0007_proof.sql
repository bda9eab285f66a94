-- By a passkey, a recovery code or the club's provider; null for a session that began without such a proof.
ALTER TABLE directory.sessions ADD COLUMN proved_at timestamptz;
