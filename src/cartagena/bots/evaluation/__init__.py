"""Evaluation: what a position is worth to each seat, and how far win probabilities are to be trusted."""
