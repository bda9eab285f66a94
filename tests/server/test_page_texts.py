"""What a link to a page says: everything about what everybody may see, nothing about what is private."""

import asyncio
import html
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

import cartagena.server.web_app
from cartagena.server.pages.built import BuiltFile, read_built
from cartagena.server.pages.lookups import AT_ONCE, PATIENCE
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from tests.server.pages_world import listed, opened, page_at
from tests.server.service_nodes import Node, Person, guest, running_node

PAGE = b"""<!doctype html>
<html lang="en">
  <head>
    <meta
      name="description"
      content="built"
    />
    <title>built</title>
  </head>
</html>
"""
GENERAL = "Play Cartagena in the browser: two to five people or bots."
NOBODY = UUID(int=7)


@pytest.fixture
def built_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nodes serve this page, whether or not the client was built here."""
    (tmp_path / "index.html").write_bytes(PAGE)

    def read() -> dict[str, BuiltFile]:
        return read_built(tmp_path)

    monkeypatch.setattr(cartagena.server.web_app, "built_pages", read)


@pytest.fixture
async def node(
    settings: Settings,
    databases: Databases,  # noqa: ARG001  # emptied
    built_page: None,  # noqa: ARG001  # put in its place
) -> AsyncIterator[Node]:
    async with running_node(settings) as node:
        yield node


@pytest.fixture
async def anne(node: Node) -> AsyncIterator[Person]:
    async with guest(node, "Anne") as person:
        yield person


def said(answer: httpx.Response) -> dict[str, str]:
    """The title and everything that the head says, by name."""
    pairs = re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)">', answer.text)
    [title] = re.findall(r"<title>(.*?)</title>", answer.text, re.DOTALL)
    assert len(dict(pairs)) == len(pairs), "nothing is said twice"
    return {"title": html.unescape(title)} | {name: html.unescape(value) for name, value in pairs}


# --- what everybody may see -------------------------------------------------------------------------


async def test_a_listed_table_says_what_is_played_and_who_is_the_host(node: Node, anne: Person) -> None:
    table, _ = await opened(anne, node)
    answer = await page_at(node, f"/table/{table}")
    assert said(answer) == {
        "title": "Waiting for players - Tortuga",
        "description": "Tortuga · 2 players · 10 min + 15 s. 1 seat is free.",
        "og:title": "Tortuga at Anne's table",
        "og:description": "Tortuga · 2 players · 10 min + 15 s. 1 seat is free.",
        "og:type": "website",
        "og:site_name": "Cartagena",
        "og:locale": "en_GB",
        "og:url": f"{node.resources.settings.url}/table/{table}",
        "og:image": f"{node.resources.settings.url}/pictures/table/{table}.png?language=en",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "Tortuga at Anne's table",
        "twitter:card": "summary_large_image",
    }
    assert answer.headers["cache-control"] == "no-cache"
    assert "Accept-Language" in answer.headers.get_list("vary")
    tag = answer.headers["etag"]
    assert (await page_at(node, f"/table/{table}", **{"if-none-match": tag})).status_code == 304
    assert (await page_at(node, f"/table/{table}", "nl", **{"if-none-match": tag})).status_code == 200


@pytest.mark.parametrize(
    ("language", "heading", "description"),
    [
        ("nl", "Tortuga aan de tafel van Anne", "Er is 1 plaats vrij."),
        ("de-AT, en;q=0.5", "Tortuga am Tisch von Anne", "1 Platz ist frei."),
        ("fr, sv;q=0.8, en;q=0.7", "Tortuga vid bordet hos Anne", "1 plats är ledig."),
        ("fr", "Tortuga at Anne's table", "1 seat is free."),
    ],
)
async def test_a_page_speaks_the_language_of_its_reader(
    node: Node, anne: Person, language: str, heading: str, description: str
) -> None:
    table, _ = await opened(anne, node)
    answer = await page_at(node, f"/table/{table}", language)
    told = said(answer)
    assert told["og:title"] == heading
    assert told["description"].endswith(description)
    assert f'<html lang="{told["og:locale"][:2]}">' in answer.text


async def test_a_game_that_is_over_says_who_played_and_who_won(node: Node, anne: Person) -> None:
    table, _ = await opened(anne, node, seats=2)
    async with guest(node, "Bo") as bo:
        await bo.post(f"/api/tables/{table}/sit")
        before = said(await page_at(node, f"/replay/{table}"))
        assert before["title"] == "Replay - Cartagena"
        await anne.post(f"/api/tables/{table}/start")
        running = said(await page_at(node, f"/table/{table}"))
        assert running["og:title"] == "Tortuga: Anne, Bo"
        assert re.fullmatch(r"(Anne|Bo) is moving - Tortuga", running["title"])
        await bo.post(f"/api/tables/{table}/resign")
    await listed(node, UUID(table))
    told = said(await page_at(node, f"/replay/{table}"))
    assert told["title"] == "Tortuga: Anne, Bo - Cartagena"
    assert told["description"].startswith("Anne won. Look at the game move by move: Tortuga · 2 players")
    over = said(await page_at(node, f"/table/{table}"))
    assert over["title"] == "Game over - Tortuga"
    assert over["description"].endswith("Anne won.")


async def test_a_player_has_a_name_and_ratings(node: Node, anne: Person) -> None:
    told = said(await page_at(node, f"/player/{anne.id}"))
    assert told["title"] == "Anne - Cartagena"
    assert told["description"] == "Anne plays Cartagena and does not stand on the ladder yet."
    assert told["og:type"] == "profile"
    await node.resources.databases.directory.execute(
        "INSERT INTO directory.ratings (player_id, ruleset, mu, sigma, games, wins) "
        "VALUES ($1, 'tortuga', 30, 2, 12, 7)",
        UUID(anne.id),
    )
    rated = (await anne.get(f"/api/players/{anne.id}"))["ratings"][0]["rating"]
    told = said(await page_at(node, f"/player/{anne.id}"))
    assert told["description"] == f"Anne plays Cartagena and stands on the ladder: Tortuga {rated}."
    assert said(await page_at(node, f"/player/{NOBODY}"))["title"] == "Player - Cartagena"


@pytest.mark.parametrize("language", ["en", "nl", "de", "sv"])
async def test_every_page_has_a_title_and_a_line_in_every_language(node: Node, language: str) -> None:
    paths = (
        "/", "/open", "/table/1", f"/replay/{NOBODY}", "/learn", "/learn/card", "/rules", "/ladder",
        "/account", "/sign-in", "/settings", "/credits", "/nonsense",
    )  # fmt: skip
    told = [said(await page_at(node, path, language)) for path in paths]
    assert len({one["title"] for one in told}) == len(paths)
    assert all(one["description"] and one["og:locale"].startswith(language) for one in told)


async def test_a_lesson_has_its_title_and_its_line(node: Node) -> None:
    told = said(await page_at(node, "/learn/card"))
    assert told["title"] == "Playing a card - Cartagena"
    assert told["description"] == "A pirate, a card, and where it leads."
    for name in ("nothing", "card.what", "of", "all"):
        assert said(await page_at(node, f"/learn/{name}"))["title"] == "Lesson - Cartagena"


# --- what is private --------------------------------------------------------------------------------


async def test_private_and_unknown_tables_cannot_be_told_apart(node: Node, anne: Person) -> None:
    table, invite = await opened(anne, node, listed=False)
    assert invite
    for kind in ("table", "replay"):
        for query in ("", "?invite=wrong", "?invite="):
            took, texts = [], []
            for one in (table, str(uuid4())):
                began = time.monotonic()
                answer = await page_at(node, f"/{kind}/{one}{query}")
                took.append(time.monotonic() - began)
                texts.append(
                    (answer.status_code, answer.text.replace(one, "ID"), answer.headers["cache-control"])
                )
            assert texts[0] == texts[1]
            assert "Anne" not in texts[0][1]
            assert "Tortuga" not in texts[0][1]
            if query == "?invite=wrong":
                assert min(took) >= PATIENCE
    assert said(await page_at(node, f"/table/{table}"))["og:title"] == "A private table"


async def test_an_invitation_says_who_invites_and_is_kept_nowhere(node: Node, anne: Person) -> None:
    table, invite = await opened(anne, node, listed=False)
    answer = await page_at(node, f"/table/{table}?invite={invite}")
    told = said(answer)
    assert told["og:title"] == "Anne invites you to Tortuga"
    assert told["og:url"].endswith(f"/table/{table}?invite={invite}")
    assert told["og:image"].endswith(f"/pictures/table/{table}.png?language=en&invite={invite}")
    assert answer.headers["cache-control"] == "no-store"


async def test_a_table_that_shuts_out_spectators_is_private_once_it_plays(node: Node, anne: Person) -> None:
    table, _ = await opened(anne, node, spectators=False)
    assert "Anne" in said(await page_at(node, f"/table/{table}"))["og:title"]
    async with guest(node, "Bo") as bo:
        await bo.post(f"/api/tables/{table}/sit")
        await anne.post(f"/api/tables/{table}/start")
    assert said(await page_at(node, f"/table/{table}"))["og:title"] == "A private table"
    assert said(await page_at(node, f"/replay/{table}"))["title"] == "Replay - Cartagena"


@pytest.mark.parametrize("name", ['"><b>Anne', "</title>'&amp;", "<script>"])
async def test_a_name_is_never_markup(node: Node, anne: Person, name: str) -> None:
    await node.resources.databases.directory.execute(
        "UPDATE directory.players SET name = $2 WHERE player_id = $1", UUID(anne.id), name
    )
    answer = await page_at(node, f"/player/{anne.id}")
    assert name not in answer.text
    assert said(answer)["title"] == f"{name} - Cartagena"
    assert said(answer)["description"].startswith(f"{name} plays")
    assert answer.text.count("<title>") == 1


async def test_what_stands_in_the_address_is_never_markup(node: Node) -> None:
    answer = await page_at(node, "/table/%22%3E%3Cb%3E?invite=%22%3E%3Cb%3E&invite=%00&x=%ff")
    assert answer.status_code == 200
    assert "<b>" not in answer.text


# --- databases that do not answer -------------------------------------------------------------------


async def test_a_page_is_there_without_the_databases(
    node: Node, anne: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = await opened(anne, node)
    asked = 0

    async def hang(*_: object) -> object:
        nonlocal asked
        asked += 1
        return await asyncio.Event().wait()

    async def refuse(*_: object) -> object:
        raise ConnectionRefusedError

    for trouble in (refuse, hang):
        monkeypatch.setattr("cartagena.server.pages.lookups.is_public", trouble)
        began = time.monotonic()
        answer = await page_at(node, f"/table/{table}")
        assert time.monotonic() - began < PATIENCE + 2
        assert answer.status_code == 200
        assert said(answer)["og:title"] == "Table - Cartagena"
        assert said(answer)["description"].startswith(GENERAL)
    await asyncio.gather(*(page_at(node, f"/table/{table}") for _ in range(AT_ONCE + 4)))
    assert asked == AT_ONCE
