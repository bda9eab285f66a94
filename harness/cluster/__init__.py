"""A whole cluster on this machine, and what is done to it while people play."""
