"""A seeded simulation of the service: nodes, databases, bus, clocks and people, one seed for one run."""
