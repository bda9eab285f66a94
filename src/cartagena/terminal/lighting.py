"""Which places are lit: where a pirate stands, may go, passes by and last went."""

from typing import Literal, TypeAlias

from cartagena.rules.happenings import Moved
from cartagena.terminal.wishing import Choosing

Light: TypeAlias = Literal["from", "destination", "reachable", "skipped", "last"]
Lights: TypeAlias = dict[int, Light]
"""How each lit place is lit; a place has one light."""


def lights_of(choosing: Choosing | None, last: Moved | None) -> Lights:
    """The lights of the last move, and of the choice that is being made."""
    lights: Lights = {} if last is None else {last.target: "last"}
    if choosing is None:
        return lights
    wish = choosing.wish
    for each in choosing.wishes:
        if each.explanation is not None and each.explanation.target is not None:
            lights[each.explanation.target] = "reachable"
    if wish is not None and wish.explanation is not None:
        lights |= dict.fromkeys(wish.explanation.jumped, "skipped")
        if wish.explanation.target is not None:
            lights[wish.explanation.target] = "destination"
    if choosing.pirate is not None:
        lights[choosing.pirate.place] = "from"
    return lights
