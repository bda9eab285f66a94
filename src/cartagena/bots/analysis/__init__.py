"""Analysis: hints, the win probabilities of a recorded game, and marks for decisions."""
