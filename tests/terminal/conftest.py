"""Fixtures: the service of the client's tests for tests of joining; and a home of their own for all."""

from tests.client.conftest import client_database, service
from tests.homes import home

__all__ = ["client_database", "home", "service"]
