"""Who plays: guests and named players, how they come in, whom they avoid, and how they are told."""
