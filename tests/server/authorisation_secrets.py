"""What an answer must not tell its receiver: another player's hand, the code of a table, the shuffle."""

from collections import Counter
from collections.abc import Iterator

from cartagena.notation import parse_record
from tests.server.authorisation_scene import OWNERS, Scene
from tests.server.authorisation_world import Heard, Who


class Leak(AssertionError):
    """An answer told its receiver what they may not know."""


def check_nothing_leaks(scene: Scene, who: Who, heard: Heard) -> None:
    """Raise Leak if the answer tells `who` something about the table that they may not know."""
    if not scene.table:
        return
    seat = seat_of(scene, who)
    if seat is None and scene.invite in heard.text:
        raise Leak(f"{who.value}: the invitation code")
    if scene.current["table"]["stage"] == "over":
        return
    if scene.secret in heard.text:
        raise Leak(f"{who.value}: the secret of the shuffle")
    if heard.headers.get("content-type", "").startswith("text/plain"):
        _check_record(scene, seat, heard.text)
        return
    for found in dicts_in(list(heard.everything())):
        _check_message(seat, found)


def seat_of(scene: Scene, who: Who) -> int | None:
    """The seat from which `who` sees the table; a session that was ended sees it from none."""
    person = None if who is Who.REVOKED else scene.people.get(OWNERS.get(who, who))
    players = [chair.get("player") for chair in scene.current["table"]["chairs"]]
    known = None if person is None else str(person.session.player_id)
    return players.index(known) if known in players else None


def _check_message(seat: int | None, told: dict[str, object]) -> None:
    """Views and memories have `hands`, a view a `stock`; choices belong to the seat to act."""
    hands = told.get("hands")
    if isinstance(hands, list) and any(
        hand is not None and number != seat for number, hand in enumerate(hands)
    ):
        raise Leak(f"seat {seat} sees a hand that is not its own")
    if told.get("stock") is not None:
        raise Leak(f"seat {seat} sees the stock")
    if told.get("legal") is not None and (seat is None or told.get("to_act", seat) != seat):
        raise Leak(f"seat {seat} sees what another might do")


def _check_record(scene: Scene, seat: int | None, text: str) -> None:
    """A seat knows only its own hand of the deal, and a spectator knows nothing of it."""
    headers = parse_record(text).headers
    known = Counter(card for card in headers.deal if card is not None)
    own = Counter(() if seat is None else scene.hands[seat])
    if known != own or headers.secret is not None:
        raise Leak(f"the record tells seat {seat} of {known.total()} cards, not of its own {own.total()}")


def dicts_in(told: object) -> Iterator[dict[str, object]]:
    """Every object inside some JSON."""
    if isinstance(told, dict):
        yield told
        for inner in told.values():
            yield from dicts_in(inner)
    elif isinstance(told, list):
        for inner in told:
            yield from dicts_in(inner)
