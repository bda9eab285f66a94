"""The terminal client: the table drawn with letters, played by keys or mouse.

What is to be drawn is worked out without a screen: `desk` and what it stands on. A screen is shown moments
by a source of a table: a game at this keyboard, a table of a service, or a record.
"""
