"""Requests of every shape: the service is held to its own document."""
