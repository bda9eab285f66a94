"""Hidden information: what an audience may know, and the worlds that fit it."""
