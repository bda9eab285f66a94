"""A seeded simulation of the service: nodes, databases, bus, clocks and people, one seed for one run.

The modules of the service run as they are. What is simulated lies below them: the event loop with its clock,
the connections to PostgreSQL, the bus, and whatever people and misfortune do.
"""
