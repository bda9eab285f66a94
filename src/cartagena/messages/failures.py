"""What a page of the browser client tells when a part of it fails.

It names the part, the kind of error and the place in the program. There is no room for the words of the
error: they may hold cards or names.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

PagePart: TypeAlias = Literal[
    "page",
    "window",
    "surface",
    "board",
    "row",
    "hand",
    "turn",
    "players",
    "bar",
    "asked",
    "side",
    "log",
    "chat",
    "menu",
    "told",
    "chances",
    "transport",
    "sheet",
    "details",
    "hands",
    "shuffle",
]
"""The parts of a page that fail apart from each other; `window` is whatever no part has caught."""

ErrorName = Annotated[
    str, Meta(pattern="^[A-Za-z][A-Za-z0-9_$]{0,39}$", description="The class of an error, without its words")
]
CodePlace = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_$.<>\[\] /-]{1,160}:[0-9]{1,7}:[0-9]{1,7}$",
        description="A function, if it has a name, and the path of its file with line and column",
    ),
]
ProgramFile = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_./-]{1,80}$",
        description="The path of the program that the page runs; a new version has another one",
    ),
]


class ReportFailure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a page failed: which, by what kind of error, and where in the program, innermost first."""

    where: PagePart
    error: ErrorName
    version: ProgramFile
    stack: Annotated[tuple[CodePlace, ...], Meta(max_length=10)] = ()
