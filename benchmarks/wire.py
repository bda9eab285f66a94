"""What a move sends on streams: bytes by form, audience and field; compressed; and the time that it takes.

    python -m benchmarks.wire [--games 2] [--only fields] [--only compression] [--only time]

The games are played by bots without any service; each frame is made by the code of the service. Lines go to
benchmarks/results/wire.jsonl.
"""

import argparse
import multiprocessing
import os
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

import msgspec

from cartagena.endpoints.events import written
from cartagena.messages.compact import Compact
from cartagena.messages.patches import patch
from cartagena.messages.streams import StreamPosition
from cartagena.messages.tables import ClockMessage
from cartagena.messages.updates import Reached, updates_for
from cartagena.notation.record import Record
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.ruleset import PRESETS
from cartagena.server.http.streams.connections import FORMS
from harness import ledger
from harness.bot_games import played

LEDGER: Final = "wire"
SEED: Final = "the bill"
SEATS: Final = (2, 4)
PLAYER: Final = "sailor"
WHOLE: Final = "whole"
OPENED: Final = ("view", "memory", "wishes")
"""Members whose own members are counted."""
WINDOWS: Final = ((9, 1), (10, 2), (12, 5), (15, 8))
"""Of deflate: the bits of the window, and the level of memory."""
HELD: Final = 2000
"""How many compressors are made to see what one takes."""
ROUNDS: Final = 5


class Frame(NamedTuple):
    """What one audience is sent of one move, after what it was sent before."""

    move: int
    seat: int
    audience: int | None
    before: bytes
    after: bytes

    @property
    def kind(self) -> str:
        """Who is told: the seat to act, another seat or a spectator."""
        if self.audience is None:
            return "spectator"
        return "to act" if b'"wishes":' in self.after else "other seat"


def frames(record: Record) -> Iterator[tuple[int, dict[int | None, bytes]]]:
    """For each move its seat, and what every seat and a spectator is sent."""
    game = begin(record.headers)
    audiences: list[int | None] = [*range(record.headers.seats), None]
    now = 1_763_000_000_000
    banks = (600_000,) * record.headers.seats
    clock = ClockMessage(banks=banks, running=0, deadline=now + banks[0], now=now)
    for number, step in enumerate(record.steps):
        told = replay_step(game, step)
        yield step.seat, updates_for(game.position, number, told, audiences, clock=clock, undo=True)


def frames_of(preset: str, seats: int, games: int) -> Iterator[Frame]:
    """All frames of some games, but for the first of each stream, which is whole."""
    for number in range(games):
        before: dict[int | None, bytes] = {}
        for move, (seat, sent) in enumerate(frames(played(PLAYER, preset, seats, number, SEED))):
            for audience, update in sent.items():
                if audience in before:
                    yield Frame(move, seat, audience, before[audience], update)
            before = sent


def told(form: str, frame: Frame) -> bytes:
    """An event as a stream writes it in one of the forms."""
    place = StreamPosition(frame.move, 0)
    if form == WHOLE:
        return written("update", frame.after, place)
    return written("patch", edit(form, frame), place)


def edit(form: str, frame: Frame) -> bytes:
    """What has changed in an update, in a form that knows patches."""
    make = FORMS[form]
    return patch(make(frame.before).told, make(frame.after).told)


def answer(move: int) -> bytes:
    """The answer to a move of a client whose stream tells the rest."""
    return msgspec.json.encode(Reached(seq=move))


# Fields.


def measure_fields(games: int) -> None:
    """Bytes a move by form and audience, and by field of what a patch holds."""
    for preset in PRESETS:
        for seats in SEATS:
            sent = list(frames_of(preset, seats, games))
            moves = sum(frame.audience is None for frame in sent)
            for form in (WHOLE, *FORMS):
                bytes_by, fields = Counter[str](), Counter[str]()
                for frame in sent:
                    event = told(form, frame)
                    bytes_by[frame.kind] += len(event)
                    if form != WHOLE and frame.audience is not None:
                        count(msgspec.json.decode(edit(form, frame)), fields)
                answers = mean(len(answer(frame.move)) for frame in sent)
                seen = {kind: round(size / moves) for kind, size in bytes_by.items()}
                ledger.append(
                    LEDGER,
                    curve="fields",
                    table=f"{preset}, {seats}",
                    form=form,
                    moves=moves,
                    bytes_a_move=round(answers) + seen["to act"] + seen["other seat"],
                    bytes_by=seen,
                    fields={name: round(size / moves) for name, size in fields.most_common(12)},
                )


def count(members: Mapping[str, Any], fields: "Counter[str]", path: str = "") -> None:
    """Add the bytes of each member of a patch, with its name."""
    for name, value in members.items():
        if name in OPENED and isinstance(value, dict):
            count(value, fields, f"{path}{name}.")
        else:
            fields[path + name] += len(msgspec.json.encode({name: value})) - 1


# Compression.


def measure_compression(games: int) -> None:
    """Bytes and microseconds a frame of deflate with a context for each stream, and what a context takes."""
    sent = [
        frame for preset in PRESETS for frame in frames_of(preset, 2, games) if frame.audience is not None
    ]
    held = {bits: held_by(bits, memory) for bits, memory in WINDOWS}
    for form in (WHOLE, *FORMS):
        events = [(frame, told(form, frame)) for frame in sent]
        plain = mean(len(event) for _, event in events)
        for bits, memory in WINDOWS:
            size, spent = compressed(events, bits, memory)
            ledger.append(
                LEDGER,
                curve="compression",
                form=form,
                window=2**bits,
                memory_level=memory,
                plain=round(plain),
                compressed=round(size / len(events)),
                microseconds=round(spent / len(events) / 1000, 1),
                kib_a_stream=round(held[bits] / 1024, 1),
            )


def compressor(bits: int, memory: int) -> "zlib._Compress":
    """Raw deflate that forgets nothing between frames."""
    return zlib.compressobj(6, zlib.DEFLATED, -bits, memory)


def compressed(events: list[tuple[Frame, bytes]], bits: int, memory: int) -> tuple[int, int]:
    """Bytes and nanoseconds of all events; each stream begins anew with its game."""
    size, spent = 0, 0
    streams: dict[int | None, zlib._Compress] = {}
    last = 0
    for frame, event in events:
        if frame.move < last:
            streams.clear()
        last = frame.move
        stream = streams.get(frame.audience) or streams.setdefault(frame.audience, compressor(bits, memory))
        begun = time.thread_time_ns()
        # A frame must not wait for the next.
        told = stream.compress(event) + stream.flush(zlib.Z_SYNC_FLUSH)
        spent += time.thread_time_ns() - begun
        size += len(told)
    return size, spent


def held_by(bits: int, memory: int) -> float:
    """Bytes of memory that a compressor holds, in a process that has no other memory to use again."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(taken, bits, memory).result()


def taken(bits: int, memory: int) -> float:
    """Bytes of memory that this process takes for one compressor of many that were used."""
    before = resident()
    held = [compressor(bits, memory) for _ in range(HELD)]
    for each in held:
        each.compress(os.urandom(2**15))
        each.flush(zlib.Z_SYNC_FLUSH)
    return (resident() - before) / len(held)


def resident() -> int:
    """Bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


# Time.


def measure_time(games: int) -> None:
    """Microseconds of one thread that a patch takes, by form and audience: the least of a few rounds."""
    for kind, sent in by_kind(games).items():
        spent = {form: min(seconds(form, sent) for _ in range(ROUNDS)) / len(sent) for form in FORMS}
        ledger.append(
            LEDGER,
            curve="time",
            audience=kind,
            frames=len(sent),
            microseconds={form: round(1e6 * each, 1) for form, each in spent.items()},
        )


def by_kind(games: int) -> dict[str, list[Frame]]:
    """All frames by who is told."""
    found: dict[str, list[Frame]] = {}
    for preset in PRESETS:
        for seats in SEATS:
            for frame in frames_of(preset, seats, games):
                found.setdefault(frame.kind, []).append(frame)
    return found


def seconds(form: str, sent: list[Frame]) -> float:
    """How long a stream takes for all frames; it keeps what it told before."""
    make = FORMS[form]
    befores: list[Compact] = [make(frame.before) for frame in sent]
    begun = time.thread_time()
    for frame, before in zip(sent, befores, strict=True):
        patch(before.told, make(frame.after).told)
    return time.thread_time() - begun


MEASURES: Final = {"fields": measure_fields, "compression": measure_compression, "time": measure_time}


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=2, help="games of each kind (2)")
    parser.add_argument("--only", action="append", choices=tuple(MEASURES))
    wish = parser.parse_args()
    for what, measure in MEASURES.items():
        if not wish.only or what in wish.only:
            measure(wish.games)


if __name__ == "__main__":
    main()
