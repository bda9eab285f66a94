"""All words that people read, by key, one catalogue for each language."""

from cartagena.words.catalogue import MissingWords, Words, languages

__all__ = ["MissingWords", "Words", "languages"]
