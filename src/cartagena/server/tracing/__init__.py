"""Traces: the way of a few requests from node to node, and how long each step took."""
