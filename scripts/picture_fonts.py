"""Unpack the fonts of the pages for the pictures of links, which are drawn outside a browser.

Usage: make picture-fonts

resvg reads no WOFF2. Unpacking changes nothing in a font, so its licence lets it keep its name. Beside the
fonts stands which letters they have: a picture shows no empty boxes.
"""

import sys
from pathlib import Path
from typing import Final

from fontTools.ttLib import TTFont
from fontTools.ttLib.woff2 import decompress

FROM: Final = Path("web/node_modules/@fontsource")
TO: Final = Path("src/cartagena/server/pages/fonts")
FONTS: Final = (
    *(
        f"alegreya-sans/files/alegreya-sans-{part}-700-normal"
        for part in ("latin", "latin-ext", "greek", "cyrillic", "vietnamese")
    ),
    "im-fell-english/files/im-fell-english-latin-400-normal",
    "im-fell-english/files/im-fell-english-latin-400-italic",
)
LETTERS: Final = "letters.txt"


def main() -> int:
    """Write every font, and the letters that they have together."""
    TO.mkdir(exist_ok=True)
    letters: set[int] = set()
    for name in FONTS:
        unpacked = TO / f"{Path(name).name}.ttf"
        decompress(FROM / f"{name}.woff2", unpacked)
        letters |= TTFont(unpacked).getBestCmap().keys()
    drawn = "".join(chr(code) for code in sorted(letters) if chr(code).isprintable())
    (TO / LETTERS).write_text(f"{drawn}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
