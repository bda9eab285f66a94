"""Pages: every file in its best form, every address of the client, and nothing that was not built."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from cartagena.endpoints.asgi import ASGIApp
from cartagena.install import pages_command
from cartagena.server.http.app import build_app
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.observability import Instruments
from cartagena.server.http.response_headers import PAGE_POLICY, WORKER_POLICY
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.pages import built as built_files
from cartagena.server.pages.built import has_pages, read_built
from cartagena.server.pages.pages import Pages, page_route
from cartagena.server.shared.settings import Settings
from tests.server.http_house import NO_CERTIFICATES, client_of, raw_exchange, serving
from tests.server.http_sample import TABLE, KnownSessions, sample_routes
from tests.server.service_nodes import running_node
from tests.waiting import PATIENCE

SCRIPT = "/assets/main-Bx31.js"
ADDRESSES = (
    "/", "/open", f"/table/{TABLE}", f"/replay/{TABLE}",
    "/learn", "/learn/jumping", "/rules", "/rules/escape", f"/player/{TABLE}",
    "/ladder", "/account", "/sign-in", "/settings", "/credits", "/table/1?invite=6e58d01844fa87b06a",
)  # fmt: skip
FRIEND = "https://friend.example"


def built(folder: Path) -> Path:
    """A small build: a page, a script in all its forms, and what a browser asks for by a fixed name."""
    files = {
        "index.html": b"<!doctype html><title>Cartagena</title>",
        "assets/main-Bx31.js": b"plain script",
        "assets/main-Bx31.js.br": b"brotli script",
        "assets/main-Bx31.js.gz": b"gzip script",
        "assets/type-9fA.woff2": b"a font",
        "assets/worker-7c2.js": b"the worker of the device",
        "engine/parts.json": b"{}",
        "engine/1a2b/python.wasm": b"\0asm" + b" " * 300_000,
        "engine/1a2b/python.wasm.br": b"brotli" + b" " * 300_000,
        "manifest.webmanifest": b"{}",
        "worker.js": b"worker",
        "favicon.svg": b"<svg/>",
        "icons/180.png": b"a picture",
        ".secret": b"never served",
        ".vite/manifest.json": b"never served",
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        serving(uvicorn_config(_app(built(tmp_path / "files")), port=0)) as port,
        client_of(port) as made,
    ):
        # httpx asks for gzip by itself; here every test says what it wants.
        made.headers["accept-encoding"] = "identity"
        yield made


def _app(folder: Path) -> ASGIApp:
    return build_app(
        sample_routes(),
        sessions=KnownSessions(),
        settings=HttpSettings(cors_origins=frozenset({FRIEND})),
        ready_checks={},
        instruments=Instruments(),
        elsewhere=page_route(Pages(read_built(folder))),
    )


# --- pages ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES)
async def test_every_address_of_the_client_is_its_one_page(client: httpx.AsyncClient, address: str) -> None:
    answer = await client.get(address)
    assert answer.status_code == 200
    assert answer.text.startswith("<!doctype html><title>")
    assert answer.text.endswith('<meta name="twitter:card" content="summary">')
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == ("no-store" if "invite" in address else "no-cache")
    assert answer.headers["etag"]


async def test_a_page_takes_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    for path in ("/", "/worker.js", "/nonsense"):
        answer = await client.get(path)
        assert answer.headers.get_list("content-security-policy") == [PAGE_POLICY]
        assert answer.headers["x-content-type-options"] == "nosniff"
    directives = dict(part.strip().split(" ", 1) for part in PAGE_POLICY.split(";"))
    assert {source for sources in directives.values() for source in sources.split()} == {"'self'", "'none'"}
    assert directives["default-src"] == "'none'"
    assert WORKER_POLICY.replace(" 'wasm-unsafe-eval'", "") == PAGE_POLICY
    needed = {"script", "style", "img", "font", "connect", "worker", "manifest"}
    assert needed <= {name.removesuffix("-src") for name, value in directives.items() if value == "'self'"}


@pytest.mark.parametrize(
    "path", ["/nonsense", "/table", "/table/1/2", "/open/", "/apiary", "/table/", "/assets"]
)
async def test_where_nothing_is_the_client_says_so(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text.startswith("<!doctype html>")


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/nowhere", "/api/tables/x", "/assets/main-Old.js", "/robots.txt", "/index.html"],
)
async def test_a_program_is_told_in_json(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no_such_thing"


async def test_a_missing_page_is_never_the_same_as_one_that_is_kept(client: httpx.AsyncClient) -> None:
    tag = (await client.get("/")).headers["etag"]
    answer = await client.get("/nonsense", headers={"if-none-match": tag})
    assert answer.status_code == 404


async def test_routes_go_before_pages(client: httpx.AsyncClient) -> None:
    assert (await client.get("/health")).json() == {"alive": True}
    assert (await client.post("/api/nowhere")).status_code == 404


async def test_a_page_can_only_be_looked_at(client: httpx.AsyncClient) -> None:
    answer = await client.post("/", json={})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"


async def test_pages_are_not_in_the_document_of_the_api(client: httpx.AsyncClient) -> None:
    paths = (await client.get("/api/openapi.json")).json()["paths"]
    assert not [path for path in paths if "{path}" in path]


# --- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        (SCRIPT, "text/javascript; charset=utf-8"),
        ("/assets/type-9fA.woff2", "font/woff2"),
        ("/engine/1a2b/python.wasm", "application/wasm"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/worker.js", "text/javascript; charset=utf-8"),
        ("/favicon.svg", "image/svg+xml"),
        ("/icons/180.png", "image/png"),
    ],
)
async def test_every_file_says_what_it_is(client: httpx.AsyncClient, path: str, media_type: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)


async def test_a_hashed_file_is_kept_for_ever_and_any_other_is_asked_for_again(
    client: httpx.AsyncClient,
) -> None:
    assert (await client.get(SCRIPT)).headers["cache-control"] == "public, max-age=31536000, immutable"
    for path in ("/worker.js", "/manifest.webmanifest", "/favicon.svg"):
        assert (await client.get(path)).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "encoding", "content"),
    [
        ("br, gzip", "br", b"brotli script"),
        ("gzip, deflate, br, zstd", "br", b"brotli script"),
        ("gzip", "gzip", b"gzip script"),
        ("br;q=0, gzip;q=0.5", "gzip", b"gzip script"),
        ("*", "br", b"brotli script"),
        ("BR ; q = 1", "br", b"brotli script"),
        ("br;q=much", None, b"plain script"),
        ("zstd", None, b"plain script"),
        ("", None, b"plain script"),
    ],
)
async def test_a_browser_gets_the_smallest_form_it_can_read(
    client: httpx.AsyncClient, accepted: str, encoding: str | None, content: bytes
) -> None:
    async with client.stream("GET", SCRIPT, headers={"accept-encoding": accepted}) as answer:
        assert b"".join([piece async for piece in answer.aiter_raw()]) == content
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["content-length"] == str(len(content))
    assert "Accept-Encoding" in answer.headers.get_list("vary")


async def test_a_large_file_is_read_when_it_is_asked_for(tmp_path: Path) -> None:
    folder = built(tmp_path / "files")
    large, small = (read_built(folder)[path].forms for path in ("/engine/1a2b/python.wasm", SCRIPT))
    assert {type(form.source) for form in small.values()} == {bytes}
    assert all(isinstance(form.source, Path) for form in large.values())
    assert large["br"].content == (folder / "engine/1a2b/python.wasm.br").read_bytes()
    assert large["br"].tag != large["identity"].tag


async def test_a_cache_learns_of_both_reasons_to_differ(client: httpx.AsyncClient) -> None:
    assert (await client.get(SCRIPT)).headers.get_list("vary") == ["origin", "Accept-Encoding"]


async def test_a_file_with_one_form_differs_for_nobody(client: httpx.AsyncClient) -> None:
    assert (await client.get("/worker.js")).headers.get_list("vary") == ["origin"]


async def test_what_a_browser_has_is_not_sent_again(client: httpx.AsyncClient) -> None:
    for path in ("/", SCRIPT, "/worker.js"):
        tag = (await client.get(path)).headers["etag"]
        for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            answer = await client.get(path, headers={"if-none-match": known})
            assert (answer.status_code, answer.content) == (304, b"")
            assert answer.headers["etag"] == tag
            assert "content-length" not in answer.headers
        assert (await client.get(path, headers={"if-none-match": '"other"'})).status_code == 200


async def test_each_form_has_a_tag_of_its_own(client: httpx.AsyncClient) -> None:
    tags = [
        (await client.head(SCRIPT, headers={"accept-encoding": accepted})).headers["etag"]
        for accepted in ("br", "gzip", "identity")
    ]
    assert len(set(tags)) == 3
    answer = await client.get(SCRIPT, headers={"accept-encoding": "br", "if-none-match": tags[1]})
    assert answer.status_code == 200


async def test_another_content_has_another_tag(tmp_path: Path) -> None:
    folder = built(tmp_path)
    before = read_built(folder)["/worker.js"].forms["identity"].tag
    (folder / "worker.js").write_bytes(b"another worker")
    assert read_built(folder)["/worker.js"].forms["identity"].tag != before


async def test_the_head_is_that_of_the_whole(client: httpx.AsyncClient) -> None:
    for path in ("/", SCRIPT, "/nonsense"):
        whole, head = await client.get(path), await client.head(path)
        assert head.content == b""
        assert head.status_code == whole.status_code
        differing = {"date", "x-request-id"}
        assert {**head.headers, **dict.fromkeys(differing)} == {**whole.headers, **dict.fromkeys(differing)}


# --- nothing else -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/../built.py", "/assets/../../built.py", "/assets/..%2f..%2fbuilt.py", "/%2e%2e/built.py",
        "/.secret", "/.vite/manifest.json", "//etc/passwd", "/icons", "/assets/", "/..\\built.py",
        f"{SCRIPT}.br", f"{SCRIPT}.gz", f"{SCRIPT}%00.png", f"{SCRIPT}/",
    ],
)  # fmt: skip
async def test_nothing_is_read_from_the_disk(client: httpx.AsyncClient, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
    said = await raw_exchange(client.base_url.port or 0, request)
    assert said.startswith((b"HTTP/1.1 404 ", b"HTTP/1.1 400 ")), said[:200]
    for secret in (b"never served", b"read_built", b"root:", b"plain script", b"gzip script"):
        assert secret not in said


async def test_a_file_that_is_laid_there_later_is_not_served(tmp_path: Path) -> None:
    app = _app(built(tmp_path))
    (tmp_path / "later.js").write_bytes(b"later")
    (tmp_path / "worker.js").unlink()
    async with serving(uvicorn_config(app, port=0)) as port, client_of(port) as client:
        assert (await client.get("/later.js")).status_code == 404
        assert (await client.get("/worker.js")).text == "worker"


# --- without a build --------------------------------------------------------------------------------


async def test_without_a_build_the_home_page_says_how_to_make_one(tmp_path: Path) -> None:
    async with serving(uvicorn_config(_app(tmp_path / "nothing"), port=0)) as port, client_of(port) as client:
        answer = await client.get("/")
        assert answer.status_code == 200
        assert pages_command() in answer.text
        assert answer.headers["cache-control"] == "no-cache"
        assert (await client.get("/api/who")).status_code == 200
        assert (await client.get("/table/1")).status_code == 200
        assert (await client.get("/nonsense")).status_code == 404


def test_without_the_package_of_the_pages_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cartagena_web", None)
    folder = built_files._installed()
    assert folder is None
    assert not has_pages(folder)
    assert read_built(folder) == {}


async def test_a_real_node_answers_its_home_page(settings: Settings) -> None:
    async with (
        running_node(settings) as node,
        httpx.AsyncClient(base_url=node.url, timeout=PATIENCE, verify=NO_CERTIFICATES) as client,
    ):
        answer = await client.get("/", headers={"accept-encoding": "identity"})
        assert answer.status_code == 200
        assert (pages_command() in answer.text) == (not has_pages())
        assert (await client.get("/api/nowhere")).json()["error"]["code"] == "no_such_thing"
