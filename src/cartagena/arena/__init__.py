"""The arena: bots against bots over many games, with chairs and boards balanced, and what the games prove."""
