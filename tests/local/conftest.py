"""Fixtures for tests of a device: a PostgreSQL for the service that it is compared with."""

from tests.server.conftest import database_dsn, databases, settings

__all__ = ["database_dsn", "databases", "settings"]
