-- Every move rewrites the row of its game; what is left behind goes before there is much of it.
ALTER TABLE shard.games SET (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);
