"""Traces: which way a few of all requests took, from node to node, and how long each step lasted."""
