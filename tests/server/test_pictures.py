"""Pictures of links: every kind is drawn, nothing private is, and many requests slow down nobody else."""

import asyncio
import os
import signal
import struct
from collections.abc import AsyncIterator
from random import Random
from uuid import UUID, uuid4

import httpx
import msgspec
import pytest

from cartagena.fairness.shuffle import lone_shuffle, opening
from cartagena.messages import view_message
from cartagena.notation import format_position
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import world
from cartagena.rules.legality import apply, legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import PRESETS
from cartagena.server.pages import link_pictures, lookups, pictures
from cartagena.server.pages.link_pictures import LinkPicture, drawable, link_svg
from cartagena.server.pages.picture_texts import PictureTexts
from cartagena.server.pages.pictures import Renderer
from cartagena.server.pages.rasterizing import render
from cartagena.server.pages.shell import LOCALES
from cartagena.server.shared.processes import ProcessPool
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from tests.server.pages_world import listed, opened, page_at
from tests.server.service_nodes import Node, Person, guest, running_node
from tests.waiting import PATIENCE

NOBODY = UUID(int=7)
NAMES = ("Anne", "Bo <b>&amp;", "\u6d77\u8cca", "Old One-Eared Wanderer", "\u202e Eve")


@pytest.fixture
async def node(settings: Settings, databases: Databases) -> AsyncIterator[Node]:  # noqa: ARG001  # emptied
    async with running_node(settings) as node:
        yield node


@pytest.fixture
async def anne(node: Node) -> AsyncIterator[Person]:
    async with guest(node, "Anne") as person:
        yield person


@pytest.fixture
async def renderer() -> AsyncIterator[Renderer]:
    made = Renderer()
    yield made
    await made.close()


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG that is whole."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert png.endswith(b"IEND\xaeB`\x82")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def sheet(title: str) -> LinkPicture:
    return LinkPicture(language="en", title=title, text="A text.")


def in_the_middle(ruleset: str, seats: int, moves: int = 40) -> Position:
    """A game after some moves that needed no chance."""
    rules = PRESETS[ruleset]
    position = opening(lone_shuffle("picture", bytes(32), rules, seats), rules, seats)
    chance = Random(seats)
    for _ in range(moves):
        apply(position, chance.choice(legal(position)))
    return position


def game(position: Position, language: str = "en") -> LinkPicture:
    seats = NAMES[: position.seats]
    seen = view_message(view(position, None))
    return LinkPicture(language=language, title="A game", text="A text.", seats=seats, view=seen)


async def picture_at(node: Node, path: str, **headers: str) -> httpx.Response:
    answer = await page_at(node, f"/pictures/{path}", **headers)
    assert answer.status_code in {200, 304}, answer.text
    return answer


# --- what is drawn ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", PRESETS)
@pytest.mark.parametrize("seats", [2, 5])
def test_a_game_of_every_ruleset_is_drawn(ruleset: str, seats: int) -> None:
    position = in_the_middle(ruleset, seats)
    svg = link_svg(game(position), render)
    assert size_of(render(svg)) == (1200, 630)
    assert "Bo &lt;b&gt;&amp;amp;" in svg
    assert svg.count('href="#pawn-') == 6 * seats + seats


@pytest.mark.parametrize("language", LOCALES)
def test_a_sheet_has_the_words_of_every_language(language: str) -> None:
    texts = PictureTexts(language)
    lesson = texts.lesson_picture("card")
    assert lesson.title in link_svg(lesson, render)
    assert lesson.title == drawable(lesson.title)
    assert texts.lesson_picture("nothing") == texts.general_picture() != lesson


@pytest.mark.parametrize("ruleset", PRESETS)
def test_a_sheet_lies_on_every_board(ruleset: str) -> None:
    picture = msgspec.structs.replace(sheet("A title"), ruleset=ruleset)
    assert size_of(render(link_svg(picture, render))) == (1200, 630)


def test_the_samples_draw_all_that_pictures_have_in_common() -> None:
    for sample in link_pictures.samples():
        link_svg(sample, undrawn)
    drawn = grounds_drawn()
    for ruleset in PRESETS:
        link_svg(msgspec.structs.replace(sheet("A title"), ruleset=ruleset), undrawn)
        for dock in (1, 2) if ruleset == "nest" else (1,):
            seen = view(in_the_middle(ruleset, 2), None)._replace(dock=dock)
            link_svg(msgspec.structs.replace(sheet("A game"), view=view_message(seen)), undrawn)
    assert grounds_drawn() == drawn > 0


@pytest.mark.parametrize("title", ["W" * 200, "a " * 200, "x"])
def test_a_text_of_any_length_stays_on_its_sheet(title: str) -> None:
    svg = link_svg(sheet(title), render)
    lines = [float(part.partition('"')[0]) for part in svg.split('<text x="92" y="')[1:]]
    assert max(lines) < 630 - 48


def test_what_our_fonts_lack_becomes_dots() -> None:
    assert drawable("\u6d77\u8cca Bo, \u0416\u03a9\u1ec7") == "\u2026 Bo, \u0416\u03a9\u1ec7"


# --- what nobody may see ----------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", PRESETS)
def test_games_that_differ_in_hidden_cards_have_one_picture(ruleset: str) -> None:
    position = in_the_middle(ruleset, 3, moves=12)
    twins = [world(view(position, None), Random(seed)) for seed in range(3)]
    assert len({format_position(each) for each in twins}) == len(twins), "they do differ"
    assert len({link_svg(game(each), render) for each in (position, *twins)}) == 1


async def test_private_hidden_and_missing_tables_have_the_general_picture(node: Node, anne: Person) -> None:
    private, invite = await opened(anne, node, listed=False)
    hidden, _ = await opened(anne, node, spectators=False)
    async with guest(node, "Bo") as bo:
        await bo.post(f"/api/tables/{hidden}/sit")
        await anne.post(f"/api/tables/{hidden}/start")
    general = await picture_at(node, "general/cartagena.png")
    assert size_of(general.content) == (1200, 630)
    names = (private, hidden, str(NOBODY), str(uuid4()), "nonsense", "%F0%9F%8F%B4")
    for kind in ("table", "replay", "player", "lesson"):
        for name in names:
            answer = await picture_at(node, f"{kind}/{name}.png")
            assert answer.content == general.content
            assert answer.headers["etag"] == general.headers["etag"]
            assert answer.headers["cache-control"] == general.headers["cache-control"] == "public, max-age=60"
    wrong = [await picture_at(node, f"table/{name}.png?invite=wrong") for name in (private, str(NOBODY))]
    assert {answer.content for answer in wrong} == {general.content}
    assert {answer.headers["cache-control"] for answer in wrong} == {"no-store"}
    right = await picture_at(node, f"table/{private}.png?invite={invite}")
    assert right.content != general.content
    assert right.headers["cache-control"] == "no-store"


async def test_tables_replays_players_and_lessons_have_pictures_of_their_own(
    node: Node, anne: Person
) -> None:
    table, _ = await opened(anne, node)
    seen = [await picture_at(node, f"table/{table}.png")]
    async with guest(node, "Bo") as bo:
        await bo.post(f"/api/tables/{table}/sit")
        await anne.post(f"/api/tables/{table}/start")
        seen.append(await picture_at(node, f"table/{table}.png"))
        seen.append(await picture_at(node, f"replay/{table}.png"))
        await bo.post(f"/api/tables/{table}/resign")
    await listed(node, UUID(table))
    seen.append(await picture_at(node, f"table/{table}.png?language=sv"))
    seen.append(await picture_at(node, f"player/{anne.id}.png"))
    seen.append(await picture_at(node, "lesson/card.png?fbclid=x"))
    seen.append(await picture_at(node, "general/cartagena.png?language=tlh"))
    assert len({answer.content for answer in seen}) == len(seen)
    for answer in seen:
        assert size_of(answer.content) == (1200, 630)
        assert answer.headers["content-type"] == "image/png"
    again = await picture_at(node, "lesson/card.png", **{"if-none-match": seen[5].headers["etag"]})
    assert again.status_code == 304
    for path in ("admin/x.png", "table/x.svg", "table/%C2%86", "table"):
        missing = await page_at(node, f"/pictures/{path}")
        assert missing.status_code == 404
        assert missing.headers["content-type"] == "application/json"


# --- when there is too much to do, or the process dies ----------------------------------------------


async def test_a_picture_is_drawn_once_and_then_kept(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await asyncio.gather(renderer.drawn(sheet("one")), renderer.drawn(sheet("one")))
    assert first is not None
    assert first is second
    monkeypatch.setattr(pictures, "png_of", _fails)
    assert await renderer.drawn(sheet("one")) is first
    with pytest.raises(ValueError, match="drawn again"):
        await renderer.drawn(sheet("two"))


async def test_what_is_kept_has_a_bound(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "KEPT_BYTES", 1)
    first = await renderer.drawn(sheet("one"))
    await renderer.drawn(sheet("two"))
    again = await renderer.drawn(sheet("one"))
    assert again == first
    assert again is not first


async def test_a_renderer_draws_when_it_starts_what_pictures_have_in_common_and_again_after_a_loss(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = next(link_pictures.samples())
    monkeypatch.setattr(pictures, "samples", lambda: iter([first]))
    processes = ProcessPool(1)
    renderer = Renderer(processes)
    renderer.start()
    await renderer.prepared()
    assert await processes.work("pictures", PATIENCE, grounds_drawn) == 1
    os.kill(await processes.work("pictures", PATIENCE, os.getpid), signal.SIGKILL)
    assert await renderer.drawn(sheet("one")) is None
    await renderer.prepared()
    assert await processes.work("pictures", PATIENCE, grounds_drawn) == 1
    await renderer.close()


async def test_a_reader_need_not_wait_until_everything_is_prepared(renderer: Renderer) -> None:
    renderer.start()
    waiting = asyncio.create_task(renderer.prepared())
    assert size_of(await renderer.drawn(sheet("one")) or b"") == (1200, 630)
    assert not waiting.done()
    waiting.cancel()


async def test_a_process_that_dies_is_replaced(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(pictures, "png_of", _dies)
        assert await renderer.drawn(sheet("one")) is None
    assert size_of(await renderer.drawn(sheet("one")) or b"") == (1200, 630)


async def test_a_reader_who_leaves_does_not_end_the_process(renderer: Renderer) -> None:
    reader = asyncio.create_task(renderer.drawn(sheet("one")))
    await asyncio.sleep(0)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert size_of(await renderer.drawn(sheet("one")) or b"") == (1200, 630)


async def test_a_full_queue_answers_with_the_general_picture_and_then_with_nothing(
    node: Node, anne: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "MOST_WAITING", 0)
    full = await page_at(node, f"/pictures/player/{anne.id}.png")
    assert full.status_code == 503
    monkeypatch.setattr(pictures, "MOST_WAITING", 8)
    general = await picture_at(node, "general/cartagena.png")
    monkeypatch.setattr(pictures, "MOST_WAITING", 0)
    crowded = await picture_at(node, f"player/{anne.id}.png")
    assert crowded.content == general.content
    assert crowded.headers["cache-control"] == "no-store"


async def test_a_general_picture_for_what_could_not_be_read_is_kept_by_nobody(
    node: Node, anne: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, _ = await opened(anne, node)
    private, _ = await opened(anne, node, listed=False)
    general = await picture_at(node, "general/cartagena.png")
    monkeypatch.setattr(lookups, "AT_ONCE", 0)
    for path in (
        f"table/{seen}",
        f"replay/{seen}",
        f"table/{private}",
        f"table/{NOBODY}",
        f"player/{anne.id}",
    ):
        unread = await picture_at(node, f"{path}.png")
        assert unread.content == general.content
        assert unread.headers["cache-control"] == "no-store"
    monkeypatch.undo()
    read = await picture_at(node, f"table/{seen}.png")
    assert read.content != general.content
    assert read.headers["cache-control"] == "public, max-age=60"


def undrawn(svg: str, width: int, height: int) -> bytes:
    """An image that nobody looks at."""
    return f"{len(svg)} {width} {height}".encode()


def grounds_drawn() -> int:
    """How many images this process has made of what many pictures have in common."""
    return sum(made.cache_info().misses for made in (link_pictures._bare_board, link_pictures._whole_board))


def _dies(_: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def _fails(_: bytes) -> bytes:
    raise ValueError("drawn again")
