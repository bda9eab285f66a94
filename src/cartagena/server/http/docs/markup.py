"""HTML built from nested calls; text that is not already markup is escaped."""

from html import escape
from typing import Final

_VOID: Final = frozenset({"meta", "link", "br", "hr"})


class Html(str):
    """Text that is markup and stays as it is."""

    __slots__ = ()


def tag(element: str, /, *children: str, **attributes: str) -> Html:
    """An element with its children; `class_` is the attribute `class`, `aria_label` is `aria-label`.

    >>> tag("p", "a < b, ", tag("b", "bold"), class_="x")
    '<p class="x">a &lt; b, <b>bold</b></p>'
    """
    written = "".join(f' {_attribute(key)}="{escape(value)}"' for key, value in attributes.items())
    if element in _VOID:
        return Html(f"<{element}{written}>")
    return Html(f"<{element}{written}>{joined(*children)}</{element}>")


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def joined(*children: str) -> Html:
    """Several pieces, one after the other."""
    return Html(
        "".join(child if isinstance(child, Html) else escape(child, quote=False) for child in children)
    )


def with_code(text: str) -> Html:
    """A sentence in which words between backticks are code.

    >>> with_code("see `x<y>`")
    'see <code>x&lt;y&gt;</code>'
    """
    pieces = text.split("`")
    return joined(*(tag("code", piece) if odd % 2 else piece for odd, piece in enumerate(pieces)))


def paragraphs(text: str) -> Html:
    """A text whose paragraphs are separated by empty lines."""
    return joined(*(tag("p", with_code(part)) for part in text.split("\n\n") if part.strip()))
