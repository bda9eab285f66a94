"""The families of games: Cartagena (escape) and The Pirate's Nest, and what only they have."""
