"""Workers: they play for bots, watch the clocks, tell the directory, and run slow jobs."""
