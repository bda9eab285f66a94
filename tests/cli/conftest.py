"""Fixtures for tests of the command line: a home of their own."""

from tests.homes import home

__all__ = ["home"]
