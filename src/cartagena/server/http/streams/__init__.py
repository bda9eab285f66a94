"""Streams: what happens at a table or in the lobby, told to every page as it happens."""
