"""Faults: everything is killed and cut while games are played, then a checker reads the store."""
