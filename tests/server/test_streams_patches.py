"""Patches in streams: a client that prefers them hears the same as one that does not."""

from collections.abc import Callable
from typing import Final

import msgspec
import pytest

from cartagena import messages
from cartagena.endpoints.events import written
from cartagena.messages.patches import Json, patch, patched
from cartagena.messages.streams import StreamPosition
from cartagena.server.bus import Announcement
from cartagena.server.http.streams.connections import WHOLE_EVERY, Pages, TableStream
from cartagena.server.http.streams.ports import Visitor
from cartagena.tables.audience_ids import SPECTATOR
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
        return Event(event="update", id=event.id, data=msgspec.json.encode(self.before).decode())


async def both(here: World, audience: int = SPECTATOR, last: str | None = None) -> tuple[Client, Hearing]:
    """Two clients of an audience, of which the second prefers patches."""
    whole = await here.watch(GAME, audience, last)
    return whole, Hearing(await here.watch(GAME, audience, last, patches=True))


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
    hearings = [Hearing(await here.watch(GAME, patches=True)) for _ in range(10)]
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
    early = Hearing(await here.watch(GAME, 0, patches=True))
    await early.next()
    here.hub.announce(here.log.update(GAME))
    await early.next()
    late = Hearing(await here.watch(GAME, 0, patches=True))
    await late.next()
    here.hub.announce(here.log.update(GAME))
    here.hub.announce(here.log.update(GAME))
    for _ in range(2):
        assert (await early.next()).words == (await late.next()).words
    assert early.kinds[1:] == ["patch", "patch", "patch"]
    assert late.kinds == ["update", "patch", "patch"]


async def test_each_audience_is_told_patches_of_its_own_words(here: World) -> None:
    hearings = [Hearing(await here.watch(GAME, audience, patches=True)) for audience in (0, 1, SPECTATOR)]
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
TENTH = Announcement(game_id=GAME, seq=10, chat=0, kind="update", frames={SPECTATOR: ENTIRE})


def stream_after(before: bytes) -> tuple[TableStream, bytes]:
    """A stream of patches that was told `before`."""
    # These clients are never sent anything.
    stream = TableStream(GAME, Visitor(audience=SPECTATOR, address=""), None, patch=patch)  # type: ignore[arg-type]
    stream.stand_at(StreamPosition(9, 0))
    stream.whole(before)
    return stream, before
