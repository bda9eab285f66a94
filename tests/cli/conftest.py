"""What tests of the command line stand on: a home of their own."""

from tests.homes import home

__all__ = ["home"]
