"""Training: games of bots against themselves, and what PyTorch learns from them."""
