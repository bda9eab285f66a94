"""The revisions of the schema `shard`: tables, games, events, chat."""
