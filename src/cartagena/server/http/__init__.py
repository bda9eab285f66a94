"""The face of the service: one table of routes, from which everything that speaks HTTP is made."""
