"""Patches in streams: a client that prefers them hears the same as one that does not."""

import json
from collections.abc import Callable
from typing import Final

import msgspec
import pytest

from cartagena import messages
from cartagena.client.stream import EventReader
from cartagena.endpoints.events import written
from cartagena.messages.compact import compact, expanded
from cartagena.messages.patches import Json, patch, patched
from cartagena.messages.streams import StreamPosition
from cartagena.messages.updates import Update, encode
from cartagena.server.bus import Announcement
from cartagena.server.http.streams.connections import WHOLE_EVERY, Pages, TableStream, shared_forms
from cartagena.server.http.streams.ports import Visitor
from cartagena.tables.audience_ids import SPECTATOR
from tests.messages.test_patches import pairs
from tests.server.stream_world import GAME, Client, Event, World


class Hearing:
    """What a client makes of a stream with patches."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.before: Json = None
        self.kinds: list[str] = []

    async def next(self) -> Event:
        """The next event, with a patch applied."""
        event = await self.client.next()
        self.kinds.append(event.event)
        if event.event == "chat":
            return event
        told = msgspec.json.decode(event.data)
        self.before = patched(self.before, told) if event.event == "patch" else told
        return Event(event="update", id=event.id, data=msgspec.json.encode(expanded(self.before)).decode())


async def both(
    here: World, audience: int = SPECTATOR, last: str | None = None, form: str = "patches"
) -> tuple[Client, Hearing]:
    """Two clients of an audience, of which the second prefers patches."""
    whole = await here.watch(GAME, audience, last)
    return whole, Hearing(await here.watch(GAME, audience, last, form=form))


async def heard_alike(whole: Client, hearing: Hearing, number: int) -> list[Event]:
    """The next events, if both heard the same."""
    told = await whole.several(number)
    assert [(one.id, one.words) for one in told] == [
        (one.id, one.words) for one in [await hearing.next() for _ in range(number)]
    ]
    return told


async def test_patches_tell_what_whole_updates_tell(here: World) -> None:
    whole, hearing = await both(here, audience=0)
    for _ in range(3):
        here.hub.announce(here.log.update(GAME))
        here.hub.announce(here.log.say(GAME))
    await heard_alike(whole, hearing, 7)
    assert hearing.kinds == ["update", "patch", "chat", "patch", "chat", "patch", "chat"]


async def test_an_update_is_whole_now_and_then(here: World) -> None:
    whole, hearing = await both(here)
    for _ in range(WHOLE_EVERY + 1):
        here.hub.announce(here.log.update(GAME))
    await heard_alike(whole, hearing, WHOLE_EVERY + 2)
    assert [number for number, kind in enumerate(hearing.kinds) if kind == "update"] == [0, WHOLE_EVERY]


async def test_what_was_missed_is_told_whole_at_first(here: World) -> None:
    whole, hearing = await both(here)
    here.hub.announce(here.log.update(GAME))
    await heard_alike(whole, hearing, 2)
    for client in (whole, hearing.client):
        client.leave()
    for _ in range(3):
        here.log.update(GAME)
    whole, hearing = await both(here, last="1.0")
    here.hub.announce(here.log.update(GAME))
    told = await heard_alike(whole, hearing, 4)
    assert [event.id for event in told] == ["2.0", "3.0", "4.0", "5.0"]
    assert hearing.kinds == ["update", "patch", "patch", "patch"]


async def test_what_the_bus_loses_is_patched_too(here: World) -> None:
    whole, hearing = await both(here)
    here.hub.announce(here.log.update(GAME))
    here.log.update(GAME)
    here.hub.announce(here.log.update(GAME))
    await heard_alike(whole, hearing, 4)
    assert hearing.kinds == ["update", "patch", "patch", "patch"]
    assert here.hub.counts.healed == 2


async def test_clients_that_missed_the_same_share_the_patches_of_it(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hearings = [Hearing(await here.watch(GAME, form="patches")) for _ in range(10)]
    for hearing in hearings:
        await hearing.next()
    found = Counting(msgspec.json.encode)
    monkeypatch.setattr(messages.patches, "_ENCODER", found)
    for _ in range(5):
        here.log.update(GAME)
    here.hub.announce(here.log.update(GAME))
    for hearing in hearings:
        assert [(await hearing.next()).id for _ in range(6)] == [f"{seq}.0" for seq in range(1, 7)]
    assert here.hub.counts.healed == 10
    assert found.times == 6


class Counting:
    """An encoder that counts: each patch is written once."""

    def __init__(self, encode: Callable[[object], bytes]) -> None:
        self.times = 0
        self._encode: Final = encode

    def encode(self, value: object) -> bytes:
        """Encode a value."""
        self.times += 1
        return self._encode(value)


async def test_clients_that_came_at_different_times_have_patches_of_their_own(here: World) -> None:
    early = Hearing(await here.watch(GAME, 0, form="patches"))
    await early.next()
    here.hub.announce(here.log.update(GAME))
    await early.next()
    late = Hearing(await here.watch(GAME, 0, form="patches"))
    await late.next()
    here.hub.announce(here.log.update(GAME))
    here.hub.announce(here.log.update(GAME))
    for _ in range(2):
        assert (await early.next()).words == (await late.next()).words
    assert early.kinds[1:] == ["patch", "patch", "patch"]
    assert late.kinds == ["update", "patch", "patch"]


async def test_each_audience_is_told_patches_of_its_own_words(here: World) -> None:
    hearings = [Hearing(await here.watch(GAME, audience, form="patches")) for audience in (0, 1, SPECTATOR)]
    here.hub.announce(here.log.update(GAME))
    for hearing, audience in zip(hearings, (0, 1, SPECTATOR), strict=True):
        await hearing.next()
        assert (await hearing.next()).words["audience"] == audience


def test_a_patch_is_shared_only_by_those_who_were_told_the_same() -> None:
    # Thousands are told one after the other; meanwhile what the first were told before is let go.
    pages: Pages = {}
    for number in range(100):
        stream, before = stream_after(b'{"seq":9,"told_%d":0}' % number)
        assert stream.words_for(TENTH, pages) == written(
            "patch", patch(before, ENTIRE), StreamPosition(10, 0)
        )


def test_those_who_were_told_the_same_share_a_patch() -> None:
    pages: Pages = {}
    words = [stream_after(b'{"seq":9,"told_%d":0}' % 0)[0].words_for(TENTH, pages) for _ in range(2)]
    assert words[0] is words[1]


ENTIRE = b'{"seq":10}'
FORMS = shared_forms()
TENTH = Announcement(game_id=GAME, seq=10, chat=0, kind="update", frames={SPECTATOR: ENTIRE})


def stream_after(before: bytes) -> tuple[TableStream, bytes]:
    """A stream of patches that was told `before`."""
    # These clients are never sent anything.
    stream = TableStream(GAME, Visitor(audience=SPECTATOR, address=""), None, form=FORMS["patches"])  # type: ignore[arg-type]
    stream.stand_at(StreamPosition(9, 0))
    stream.whole(before)
    return stream, before


def heard(stream: TableStream, seq: int, frame: bytes) -> tuple[str, Json]:
    """The kind and the JSON of the event by which a stream tells an update."""
    told = Announcement(game_id=GAME, seq=seq, chat=0, kind="update", frames={0: frame})
    (event,) = EventReader().feed(stream.words_for(told, {}) or b"")
    return event.name, msgspec.json.decode(event.data)


def test_the_compact_form_is_told_with_its_catalogue_and_then_as_patches() -> None:
    updates = [
        encode(Update(seq=1)),
        *(after for _, after in pairs("nest", 2, games=1) if b'"view":{"seat":0' in after),
    ]
    # These clients are never sent anything.
    stream = TableStream(GAME, Visitor(audience=0, address=""), None, form=FORMS["compact=1"])  # type: ignore[arg-type]
    stream.release()
    stream.stand_at(StreamPosition(0, 0))
    before: Json = None
    kinds: list[str] = []
    for seq, frame in enumerate(updates[: WHOLE_EVERY + 2], 1):
        kind, told = heard(stream, seq, frame)
        before = patched(before, told) if kind == "patch" else told
        assert ("catalogue" in told) == (kind == "update" and seq > 1)
        assert json.dumps(expanded(before), sort_keys=True) == json.dumps(json.loads(frame), sort_keys=True)
        kinds.append(kind)
    # The deal brings the catalogue.
    assert kinds == ["update", "update", *["patch"] * (WHOLE_EVERY - 3), "update", "patch", "patch"]


def test_streams_share_only_what_is_told_in_one_form() -> None:
    (before, after), pages = next(pairs("tortuga", 2, games=1)), Pages()
    told = Announcement(game_id=GAME, seq=10, chat=0, kind="update", frames={SPECTATOR: after})
    heard: list[bytes | None] = []
    for form in (None, FORMS["patches"], FORMS["compact=1"]):
        stream = TableStream(GAME, Visitor(audience=SPECTATOR, address=""), None, form=form)  # type: ignore[arg-type]
        stream.stand_at(StreamPosition(9, 0))
        if heard:
            stream.whole(before)
        heard.append(stream.words_for(told, pages))
    was, now = compact(before), compact(after)
    assert heard == [
        written("update", after, StreamPosition(10, 0)),
        written("patch", patch(before, after), StreamPosition(10, 0)),
        written("patch", patch(was.told, now.told), StreamPosition(10, 0)),
    ]


async def test_clients_of_the_compact_form_hear_what_others_hear(here: World) -> None:
    whole, hearing = await both(here, audience=0, form="compact=1")
    for _ in range(WHOLE_EVERY + 1):
        here.hub.announce(here.log.update(GAME))
    await heard_alike(whole, hearing, WHOLE_EVERY + 2)
    assert hearing.kinds.count("update") == 2
