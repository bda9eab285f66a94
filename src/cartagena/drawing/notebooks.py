"""Notebooks show positions, views and records as pictures."""

import sys

from cartagena.drawing.picture import svg
from cartagena.notation.record import Record
from cartagena.rules.hidden.view import View
from cartagena.rules.position import Position


def show_pictures() -> None:
    """In IPython and Jupyter, let these values be shown as pictures; elsewhere nothing happens."""
    # The rules know nothing of pictures, so their values cannot draw themselves.
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["image/svg+xml"]
    for kind in (Position, View, Record):
        formatter.for_type(kind, svg)
