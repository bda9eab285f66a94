"""What others wrote, as a terminal may show it."""


def printable(text: str) -> str:
    """Return a text that others wrote, without anything that a terminal would obey."""
    return "".join(sign if sign.isprintable() else " " for sign in text)
