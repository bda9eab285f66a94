"""Training: games of bots against themselves, and what is learned from them."""
