"""The colours of the crews on a terminal."""

from typing import Final

import click

COLOURS: Final = ("red", "blue", "yellow", "green", "magenta")
"""How a terminal paints the crews, by seat."""


def paint(seat: int, letters: str) -> str:
    """Letters in the colour of a crew."""
    return click.style(letters, fg=COLOURS[seat], bold=True)
