"""What our pictures of figures have in common: colours, words and the sheet, as SVG."""

from collections.abc import Iterable
from typing import Final

INK: Final = "#2b2118"
FAINT: Final = "#b9a88c"
PAPER: Final = "#fbf6ea"
CREWS: Final = ("#b3382c", "#2b5f8a", "#c98a1b", "#3f7d4e", "#7a4f8f")


def picture(width: int, height: int, title: str, lines: Iterable[str]) -> str:
    """A sheet of paper with these lines of SVG on it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'font-family="sans-serif" font-size="11" fill="{INK}">'
    )
    sheet = (
        head,
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    )
    return "\n".join([*sheet, *lines, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, anchor: str, *, bold: bool = False) -> str:
    """Words at a place."""
    weight = ' font-weight="bold"' if bold else ""
    # A rim in the colour of the paper keeps words readable where lines cross them.
    rim = f'stroke="{PAPER}" stroke-width="3" paint-order="stroke"'
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {rim}{weight}>{words}</text>'
