"""Whole games over HTTP, and the checks of all that was sent and stored."""
