"""The rules of Cartagena and The Pirate's Nest: pure, exact, and the only ones there are."""
