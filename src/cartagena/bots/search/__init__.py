"""The search: trees of whole turns in worlds that fit what a seat knows."""
