"""The site as a folder of files: every address is a page there, and none depends on where the folder lies."""

import base64
import hashlib
import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from cartagena.server.pages.shell import WITH_NAME, PageName
from scripts.static_site import ON_DEVICE, ROOT, WITHOUT_SERVICE, pages, write

INDEX = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="description" content="Play." />
    <title>Cartagena</title>
    <link rel="icon" href="./icons/icon.svg" type="image/svg+xml" />
    <script type="module" crossorigin src="./assets/index-1a2b.js"></script>
  </head>
  <body><div id="app"></div></body>
</html>
"""
SCRIPT = b"script" * 1000


def archive() -> bytes:
    """An archive as the build makes them: nothing in it is packed."""
    tape = io.BytesIO()
    with zipfile.ZipFile(tape, "w") as stored:
        stored.writestr(zipfile.ZipInfo("cartagena/play.pyc"), b"code" * 1000)
    return tape.getvalue()


MODULES = archive()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site, written over one that was there."""
    built, site = tmp_path_factory.mktemp("built"), tmp_path_factory.mktemp("site")
    files = {
        "index.html": INDEX.encode(),
        "index.html.gz": b"packed",
        ".sources": b"digest",
        ".vite/manifest.json": b"{}",
        "assets/index-1a2b.js": SCRIPT,
        "assets/index-1a2b.js.gz": b"packed",
        "assets/index-1a2b.js.br": b"small",
        "assets/type.woff2": b"a font",
        "icons/icon.svg": b"<svg/>",
        "engine/9f/site.zip": MODULES,
        "engine/9f/site.zip.gz": b"pack",
        "files.json": json.dumps(
            {"files": [["assets/index-1a2b.js", 6000], ["assets/type.woff2", 6]], "download": 11}
        ).encode(),
        "engine/parts.json": json.dumps(
            {"folder": "9f", "files": [["site.zip", len(MODULES)]], "download": 3}
        ).encode(),
    }
    for name, content in files.items():
        (built / name).parent.mkdir(parents=True, exist_ok=True)
        (built / name).write_bytes(content)
    (site / "old.html").write_text("an older site")
    write(site, built)
    return site


def test_the_client_knows_the_same_pages_without_a_service() -> None:
    routes = (ROOT / "web" / "src" / "shell" / "routes.ts").read_text(encoding="utf-8")
    listed = re.search(r"const WITHOUT_SERVICE\b[^(]*\(\[(.*?)\]\)", routes, re.DOTALL)
    assert listed is not None
    named = {WITH_NAME[word] for word in ON_DEVICE} | {PageName.LESSON}
    assert set(re.findall(r'"(\w+)"', listed[1])) == {page.value for page in WITHOUT_SERVICE | named}


def test_every_address_without_a_service_is_a_page(site: Path) -> None:
    found = {file.parent.relative_to(site).as_posix() for file in site.rglob("index.html")}
    assert found == {path or "." for path, _ in pages()}
    assert {".", "analysis", "device", "learn", "credits", *ON_DEVICE} < found
    assert {"rules", "rules/escape", "rules/nest"} < found
    assert sum(path.startswith("learn/") for path in found) > 10
    assert not found & {"open", "ladder", "account", "sign-in", "player"}


def test_pages_name_files_from_where_they_lie(site: Path) -> None:
    for page in site.rglob("index.html"):
        named = re.findall(r'(?:src|href)="([^"]+)"', page.read_text(encoding="utf-8"))
        assert len(named) == 2
        for address in named:
            assert (page.parent / address).resolve().is_relative_to(site)
            assert (page.parent / address).is_file(), f"{page}: {address}"


def test_what_is_sent_is_there_once_and_unpacked(site: Path) -> None:
    files = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    assert {name for name in files if not name.endswith("index.html")} == {
        ".nojekyll",
        "NOTICE.txt",
        "assets/index-1a2b.js",
        "assets/type.woff2",
        "engine/9f/site.zip",
        "engine/parts.json",
        "files.json",
        "icons/icon.svg",
    }
    assert (site / "assets/index-1a2b.js").read_bytes() == SCRIPT


def test_pages_say_what_a_service_says_in_headers(site: Path) -> None:
    for page in site.rglob("index.html"):
        text = page.read_text(encoding="utf-8")
        assert text.startswith('<!doctype html>\n<html lang="en" data-service="none">')
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
        (inline,) = re.findall(r"<script>(.+?)</script>", text)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"script-src 'self' 'sha256-{digest}';" in policy
        assert "frame-ancestors" not in policy, "browsers complain of it in a page"
        assert text.index("Content-Security-Policy") < text.index("<script")


def test_pages_have_titles_of_their_own(site: Path) -> None:
    texts = [page.read_text(encoding="utf-8") for page in (site / "learn").rglob("index.html")]
    titles = [re.findall("<title>(.+?)</title>", text) for text in texts]
    assert all(len(found) == 1 for found in titles)
    assert len({found[0] for found in titles}) == len(texts)
    assert not any("og:image" in text or "og:url" in text for text in texts), "the host is not known"


def test_archives_are_packed_because_hosts_do_not_pack_them(site: Path) -> None:
    packed = site / "engine/9f/site.zip"
    assert packed.stat().st_size < len(MODULES) / 10
    with zipfile.ZipFile(packed) as archive:
        assert archive.read("cartagena/play.pyc") == b"code" * 1000


def test_downloads_are_told_as_large_as_they_are_here(site: Path) -> None:
    pages, parts = (json.loads((site / name).read_text()) for name in ("files.json", "engine/parts.json"))
    assert pages["files"] == [["assets/index-1a2b.js", 6000], ["assets/type.woff2", 6]]
    assert pages["download"] == len(b"packed") + len(b"a font")
    size = (site / "engine/9f/site.zip").stat().st_size
    assert (parts["files"], parts["download"]) == ([["site.zip", size]], size)
