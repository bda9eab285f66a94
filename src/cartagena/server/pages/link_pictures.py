"""What stands on the picture of a link: a game on its board, or a sheet of words that lies on one."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Final, NamedTuple

from msgspec import Struct

from cartagena.drawing import (
    LETTER,
    bare_board,
    boards,
    colour_of,
    document,
    figure,
    fitted,
    on_the_board,
)
from cartagena.fairness.shuffle import lone_shuffle, opening
from cartagena.messages.views import ViewMessage, view_message, view_of
from cartagena.rules.hidden.view import View, view
from cartagena.rules.places import HOME
from cartagena.rules.ruleset import PRESETS
from cartagena.server.pages.shell import PICTURE_SIZE, SITE
from cartagena.words.catalogue import DOMAIN, ENGLISH, WEB, Words

WIDTH, HEIGHT = PICTURE_SIZE
FONTS: Final = Path(__file__).parent / "fonts"

_BOARD: Final = (1048, 552)
_MARGIN: Final = 24
_BOARD_WIDTH: Final = 868
_BOARD_HEIGHT: Final = round(_BOARD_WIDTH * _BOARD[1] / _BOARD[0])
_BOARD_TOP: Final = HEIGHT - _MARGIN - _BOARD_HEIGHT
_PLANK: Final = 105
_PANEL: Final = (
    _MARGIN * 2 + _BOARD_WIDTH,
    _MARGIN,
    WIDTH - 3 * _MARGIN - _BOARD_WIDTH,
    HEIGHT - 2 * _MARGIN,
)
_SHEET: Final = (48, 48, 640, HEIGHT - 96)
_SEAT: Final = 92
_PIRATES: Final = 6
_DISPLAY: Final = 'font-family="IM FELL English"'
_PLAIN: Final = 'font-family="Alegreya Sans" font-weight="700"'
_SAMPLE: Final = (
    (2, 5, 14, 20, 26, 33),
    (3, 8, 17, 23, 29, HOME),
    (1, 9, 13, 19, 28, 35),
    (4, 11, 18, 24, HOME, HOME),
    (6, 10, 16, 22, 31, 36),
)
"""Where pirates stand on a picture that shows no game."""

Render = Callable[[str, int, int], bytes]
"""Draws an SVG, so wide and so high, as PNG."""


class LinkPicture(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a picture shows: words, and the game if there is one, as a spectator may see it."""

    language: str
    title: str
    text: str
    ruleset: str = "tortuga"
    seats: tuple[str, ...] = ()
    view: ViewMessage | None = None


def link_svg(picture: LinkPicture, render: Render) -> str:
    """The picture; `render` makes a PNG of what many have in common, which is kept."""
    if picture.view is None:
        drawing = _whole_board(picture.ruleset, render) + _paper(*_SHEET) + _on_the_sheet(picture)
    else:
        seen = view_of(picture.view)
        board = _bare_board(seen.ruleset.family, seen.dock, render)
        above = on_the_board(seen, _words(picture.language))
        drawing = (
            _wood()
            + f'<g transform="translate({_MARGIN} {_BOARD_TOP})">{board}{_scaled(above, _BOARD_WIDTH)}</g>'
            + _over_the_board(picture)
            + _paper(*_PANEL)
            + _beside_the_board(picture, seen)
        )
    return document(drawing, WIDTH, HEIGHT, picture.title)


def samples() -> Iterator[LinkPicture]:
    """A sheet and a game on every board: what draws them has drawn all that pictures have in common."""
    for ruleset in PRESETS:
        yield LinkPicture(language=ENGLISH, title=SITE, text=SITE, ruleset=ruleset)
    rulesets = {rules.family: ruleset for ruleset, rules in PRESETS.items()}
    for family, dock in boards():
        seen = _sample(rulesets[family])._replace(dock=dock)
        yield LinkPicture(language=ENGLISH, title=SITE, text=SITE, seats=(SITE,), view=view_message(seen))


# What does not change. To draw its rays and its hatching takes longer than all the rest.


@cache
def _bare_board(family: str, dock: int, render: Render) -> str:
    """A board without anything on it, as an image."""
    return _image(
        _scaled(_on_paper(bare_board(family, dock)), _BOARD_WIDTH), _BOARD_WIDTH, _BOARD_HEIGHT, render
    )


@cache
def _whole_board(ruleset: str, render: Render) -> str:
    """A board in the middle of a game, as an image."""
    seen = _sample(ruleset)
    board = bare_board(seen.ruleset.family, seen.dock) + on_the_board(seen, _words(ENGLISH))
    return _image(_scaled(_on_paper(board), WIDTH), WIDTH, HEIGHT, render)


@cache
def _words(language: str) -> Words:
    return Words(language, domains=(DOMAIN, WEB))


def _sample(ruleset: str) -> View:
    rules = PRESETS[ruleset]
    seen = view(opening(lone_shuffle("link", bytes(32), rules, len(_SAMPLE)), rules, len(_SAMPLE)), None)
    return seen._replace(pirates=_SAMPLE)


# What changes.


def _over_the_board(picture: LinkPicture) -> str:
    room = _BOARD_WIDTH
    title = _text((_MARGIN, 76), picture.title, fitted(picture.title, 60, room), _DISPLAY, colour="paper")
    text = _text((_MARGIN, 122), picture.text, fitted(picture.text, 30, room), _PLAIN, colour="turn-bg")
    return title + text


def _beside_the_board(picture: LinkPicture, seen: View) -> str:
    left, top, width, height = _PANEL
    first = top + 96 + (height - 96 - _SEAT * seen.seats) * 0.4
    brand = _text((left + width / 2, top + 62), SITE, 46, _DISPLAY, colour="back-card", anchor="middle")
    return brand + "".join(
        f'<g transform="translate({left} {first + _SEAT * seat})">{_seat(seen, seat, name, width)}</g>'
        for seat, name in enumerate(picture.seats)
    )


def _seat(seen: View, seat: int, name: str, width: float) -> str:
    has_turn = seat == (seen.winner if seen.over else seen.turn_seat)
    mark = f'<rect x="10" width="{width - 20}" height="{_SEAT - 8}" rx="10" fill="{colour_of("turn-bg")}"/>'
    home = seen.pirates[seat].count(HOME)
    tokens = (
        figure("token", seat, (76 + 27 * each, 48, 22, 22), opacity=1 if each < home else 0.25)
        for each in range(_PIRATES)
    )
    called = _text((76, 36), name, fitted(name, 27, width - 96), _PLAIN)
    return (mark if has_turn else "") + figure("pawn", seat, (20, 12, 46, 58)) + called + "".join(tokens)


def _on_the_sheet(picture: LinkPicture) -> str:
    left, top, width, height = _SHEET
    room = height - 150
    size = 62.0
    while (lines := _filled(picture, size, width - 88))[-1].y > room:
        size *= 0.94
    brand = _text((left + 44, top + 78), SITE, 52, _DISPLAY, colour="back-card")
    first = top + 96 + (room - lines[-1].y) * 0.4
    return brand + "".join(
        _text((left + 44, first + line.y), line.text, line.size, line.font, colour=line.colour)
        for line in lines
    )


class _Line(NamedTuple):
    """A line on a sheet, `y` below its beginning."""

    y: float
    text: str
    size: float
    font: str
    colour: str


def _filled(picture: LinkPicture, size: float, width: float) -> list[_Line]:
    """Title and text in lines of this width."""
    parts = (
        (picture.title, size, 1.12 * size, _DISPLAY, "ink"),
        (picture.text, size / 2, 0.675 * size, _PLAIN, "ink-2"),
    )
    lines, y = [], 0.0
    for text, letter, step, font, colour in parts:
        for line in wrap(text, int(width / (LETTER * letter))):
            y += step
            lines.append(_Line(y, line, letter, font, colour))
        y += 0.3 * size
    return lines


# Words.


def _text(
    at: tuple[float, float], text: str, size: float, font: str, *, colour: str = "ink", anchor: str = "start"
) -> str:
    return (
        f'<text x="{at[0]:g}" y="{at[1]:g}" {font} font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{colour_of(colour)}">{escape(drawable(text))}</text>'
    )


@cache
def _no_letters() -> re.Pattern[str]:
    letters = (FONTS / "letters.txt").read_text(encoding="utf-8").rstrip("\n")
    return re.compile(f"[^{re.escape(letters)}]+")


def drawable(text: str) -> str:
    """A text with dots in place of what our fonts do not have.

    >>> drawable("Anne, Ωmega and 海賊")
    'Anne, Ωmega and …'
    """
    return _no_letters().sub("…", text)


# Parts.


def _image(drawing: str, width: int, height: int, render: Render) -> str:
    data = b64encode(render(document(drawing, width, height, SITE), width, height)).decode("ascii")
    return f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/>'


def _on_paper(board: str) -> str:
    # An inner picture cuts off what reaches beyond its edge, such as the rays of the rose.
    width, height = _BOARD
    paper = f'<rect width="{width}" height="{height}" fill="{colour_of("paper")}"/>'
    return f'<svg width="{width}" height="{height}">{paper}{board}</svg>'


def _scaled(board: str, width: float) -> str:
    return f'<g transform="scale({width / _BOARD[0]:.5f})">{board}</g>'


def _wood() -> str:
    planks = "".join(f"M0 {y}H{WIDTH}" for y in range(_PLANK, HEIGHT, _PLANK))
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colour_of("wood-ink")}"/>'
        f'<path d="{planks}" stroke="#000" stroke-opacity="0.25" stroke-width="2"/>'
    )


def _paper(x: float, y: float, width: float, height: float) -> str:
    frame = f'<rect x="{x + 7}" y="{y + 7}" width="{width - 14}" height="{height - 14}" rx="8" fill="none"'
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="14" fill="{colour_of("panel")}" '
        f'stroke="{colour_of("wood-ink")}" stroke-width="3"/>'
        f'{frame} stroke="{colour_of("rule-2")}" stroke-width="1.5"/>'
    )
