"""What tests of joining stand on: the service of the client's tests; and for all a home of their own."""

from tests.client.conftest import client_database, service
from tests.homes import home

__all__ = ["client_database", "home", "service"]
