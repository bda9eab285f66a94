"""What a running game tells its audiences, as JSON: the pieces of their updates that are about play."""

from collections.abc import Iterable, Sequence

from cartagena.messages.happenings import happening_json
from cartagena.messages.view_json import ViewJson
from cartagena.messages.wishes_json import wishes_json
from cartagena.rules.happenings import Happening
from cartagena.rules.play import legal
from cartagena.rules.position import Position
from cartagena.rules.refusals import PositionError
from cartagena.rules.seen import seen
from cartagena.rules.view import view


def play_json(
    position: Position,
    told: Sequence[Happening],
    audiences: Iterable[int | None],
    *,
    awaited: int,
    undo: bool,
) -> dict[int | None, str]:
    """For each audience: what happened, its view and, if its choice is awaited, its wish table and undo."""
    family = position.ruleset.family
    in_public = [seen(happening, None) for happening in told]
    # All audiences are told what spectators are told, unless a card is hidden from spectators.
    to_all = _told(in_public, family) if in_public == list(told) else None
    open_view = ViewJson(view(position, None)) if position.ruleset.hands_open else None
    play: dict[int | None, str] = {}
    for audience in audiences:
        heard = _told([seen(each, audience) for each in told], family) if to_all is None else to_all
        looked = _look(position, audience) if open_view is None else _open_look(open_view, position, audience)
        choices = _choices(position, undo=undo) if audience == awaited else ""
        play[audience] = f'"happened":[{heard}],"view":{looked}{choices}'
    return play


def _choices(position: Position, *, undo: bool) -> str:
    end = ',"undo":true' if undo else ""
    return f',"wishes":{wishes_json(position)}{end}'


def _told(happenings: Sequence[Happening], family: str) -> str:
    return ",".join([happening_json(happening, family) for happening in happenings])


def _look(position: Position, audience: int | None) -> str:
    sight = view(position, audience)
    return ViewJson(sight).seen_by(audience, sight.legal)


def _open_look(public: ViewJson, position: Position, audience: int | None) -> str:
    """A view of a game with open hands, made from what a spectator sees, who knows least.

    R7.3: no hand is hidden, so there is nothing for a memory to keep, and a game with open hands has
    no trim: a seat's view is the spectator's, but for its number and the choices it has.
    """
    if audience is not None and audience not in range(position.seats):
        raise PositionError(f"there is no seat {audience!r} to look from")
    return public.seen_by(audience, legal(position) if audience == position.to_act else None)
