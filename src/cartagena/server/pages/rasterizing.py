"""Pictures of links as PNG: the part that runs in a process of its own, as resvg holds the interpreter."""

import os
from functools import cache
from typing import Final

import msgspec
import resvg_py

from cartagena.server.pages.link_pictures import FONTS, HEIGHT, WIDTH, LinkPicture, link_svg

_NICENESS: Final = 3
"""Half the share of a web node: players come first, but on a busy machine a picture gets done as well."""


def png_of(told: bytes) -> bytes:
    """The PNG of a `LinkPicture`, which is told as JSON."""
    _stand_back()
    return render(link_svg(msgspec.json.decode(told, type=LinkPicture), render))


def render(svg: str, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """The PNG of an SVG, in our own fonts wherever this runs."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            height=height,
            skip_system_fonts=True,
            font_files=_fonts(),
            font_family="Alegreya Sans",
            serif_family="IM FELL English",
            sans_serif_family="Alegreya Sans",
            image_rendering="optimize_speed",
        )
    )


@cache
def _fonts() -> list[str]:
    return [str(font) for font in sorted(FONTS.glob("*.ttf"))]


@cache
def _stand_back() -> None:
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
