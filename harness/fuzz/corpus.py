"""Write the first inputs of each fuzzing target, from real games, into tests/fuzz/corpus.

Usage: python -m harness.fuzz.corpus

Inputs that were found to be faults lie beside them under the names of what they showed, and stay.
"""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from cartagena.endpoints.events import farewell, retry_after, written
from cartagena.messages.patches import patch
from cartagena.messages.streams import StreamPosition
from cartagena.messages.updates import Update, encode
from cartagena.messages.views import view_message
from cartagena.notation import format_position, format_ruleset
from cartagena.rules.hidden.view import view
from cartagena.rules.ruleset import PRESETS, Ruleset
from cartagena.server.bus import messages as bus
from cartagena.server.http.streams.sse import HEARTBEAT
from cartagena.server.store import snapshot
from harness.fuzz.command import ROOT, SEEDS
from harness.fuzz.targets import MOST_CHOICES, UNDO, begun, choose, played, update_of

LARGEST = 1900
OPENINGS = (0, 1, 2, 9, 10, 11)
"""The numbers of the games of each ruleset that begin, with two and with five seats."""
SOMEBODY = UUID("0190a7d4-0000-7000-8000-000000000001")
Inputs = Iterator[tuple[str, bytes]]


def records() -> Inputs:
    """Real games, cut where they become too long; then they are still running."""
    for path in sorted((ROOT / "tests" / "records").glob("*.record")):
        kept = b""
        for line in path.read_bytes().splitlines(keepends=True):
            if len(kept) + len(line) > LARGEST:
                kept += b"Result: running\n"
                break
            kept += line
        yield path.name, kept


def notation() -> Inputs:
    """A ruleset, two positions, a perft file and some actions of each game."""
    for number, (name, ruleset) in enumerate(PRESETS.items()):
        yield f"ruleset-{name}", b"\0" + format_ruleset(ruleset).encode()
        begun, later = (format_position(played(ruleset, 2, choices).position) for choices in (0, 60))
        yield f"position-{name}", b"\1" + begun.encode()
        yield f"later-{name}", b"\1" + later.encode()
        yield f"perft-{name}", b"\2" + f"id {name}\n{later}perft 1 7\n".encode()
        yield f"typed-{name}", b"\4" + bytes([number]) + b"p"
    for text in ("play skull 9", "retreat 12", "!push blue 13", "!trim gold_map", "!captain_sail"):
        yield f"action-{text.strip('!').replace(' ', '-')}", b"\3" + text.encode()


def codes() -> Inputs:
    """The choices of a game of each ruleset, for two and for five seats; one goes back and forth."""
    for number in OPENINGS:
        events = played(*_table(number), MOST_CHOICES).events
        yield f"game-{number}", bytes([number]) + b"".join(event.code.to_bytes(2) for event in events)
    yield "undone", b"\0" + b"\x12\x34\xff\xff" * (MOST_CHOICES // 2)


def snapshots() -> Inputs:
    """Snapshots of games of each ruleset, early and late."""
    for number in OPENINGS:
        for choices in (0, 30, 100):
            packed = snapshot.pack(played(*_table(number), choices).position)
            yield f"game-{number}-{choices}", bytes([number % len(PRESETS)]) + packed


def _table(number: int) -> tuple[Ruleset, int]:
    position = begun(number).position
    return position.ruleset, position.seats


def messages() -> Inputs:
    """One message of each kind, and one of the next version."""
    frames = {0: b"{}", -1: b'{"seq":7}'}
    update = bus.Announcement(game_id=SOMEBODY, seq=7, chat=0, kind="update", frames=frames, trace=b"t")
    yield "announcement", b"\0" + bus.pack(update)
    yield "closing", b"\1" + bus.pack(bus.Closing(code="signed_out", player_id=SOMEBODY, audience=2))
    yield "wake", b"\2" + bus.pack(bus.Wake(bucket=7, game_id=SOMEBODY))
    yield "lobby", b"\3" + bus.pack(bus.LobbyChange(frame=b"{}"))
    yield "next-version", b"\2\2" + bus.pack(bus.Wake(bucket=7))[1:]


def requests() -> Inputs:
    """Bodies and queries as clients send them."""
    key = b'{"key":"%b",' % str(SOMEBODY).encode()
    terms = b'"terms":{"ruleset":"nest","options":{"quiet_rounds":9},"seats":3},"bots":["sailor"]}'
    yield "open", b"\0" + key + terms
    yield "act", b"\1" + key + b'"seq":12,"action":"play skull 9"}'
    yield "reorder", b"\2" + key + b'"order":[1,0,2]}'
    yield "say", b"\3" + key + b'"text":"Ahoy \\u00e9\\\\u0000"}'
    yield "lobby", b"\4ruleset=nest&seats=3&stage=running"
    yield "stream", b"\5invite=ahoy&last=12.3"


def streams() -> Inputs:
    """The beginning of a stream, an update of each ruleset, a line of chat and the end."""
    yield "begin", b"\x09" + retry_after(1500) + HEARTBEAT + farewell("restart")
    chat = b'{"version":1,"number":3,"seat":0,"name":"Ana","text":"Ahoy","at":1}'
    yield "chat", b"\x20" + written("chat", chat, StreamPosition(7, 3))
    for name, ruleset in PRESETS.items():
        update = Update(seq=7, view=view_message(view(played(ruleset, 2, 0).position, None)))
        yield f"update-{name}", b"\x40" + written("update", encode(update), StreamPosition(7, 0))


def patches() -> Inputs:
    """The patch of a choice in a game of each ruleset, and a few by hand."""
    for number in OPENINGS:
        game = begun(number)
        before, later = update_of(game, seq=6), game.fork()
        choose(later, UNDO - 1)
        yield f"choice-{number}", bytes([number]) + patch(before, update_of(later, seq=7))
    yield "version", b'\0{"version":[2],"seq":[7]}'
    yield "table", b'\0{"seq":[7],"happened":[["happening","seat","rounds"],[["won",1],["quiet",null,40]]]}'
    yield "splice", b'\0{"seq":[7],"view":{"row":[0,1,["hat"]]}}'


def main() -> None:
    """Write them all."""
    for make in (records, notation, codes, snapshots, messages, requests, streams, patches):
        folder: Path = SEEDS / make.__name__
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in make():
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
