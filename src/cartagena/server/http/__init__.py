"""The HTTP interface of the service: everything in it is built from one table of routes."""
