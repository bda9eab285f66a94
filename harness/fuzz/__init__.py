"""Fuzzing of every reader of foreign bytes."""
