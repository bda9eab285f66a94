"""Write the site for a host that only sends files: all that needs no service, in a folder of its own.

python -m scripts.static_site build/static

The files are those that the service sends; only archives are packed, because hosts do not pack them on the
way. Each address is a page in a folder, so that every host finds it, at whatever path the site lies; what a
service says in headers, as far as a page can say it, stands in the page.
"""

import base64
import hashlib
import json
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cartagena.rules.ruleset import ESCAPE, NEST
from cartagena.server.http.response_headers import PAGE_POLICY
from cartagena.server.pages.built import FILES, IDENTITY, INDEX, BuiltFile, has_pages, is_public, read_built
from cartagena.server.pages.link_texts import PageTexts
from cartagena.server.pages.shell import ALONE, WITH_NAME, PageName, PageText, Shell
from cartagena.words.catalogue import ENGLISH
from scripts.lesson_plans import course

ROOT: Final = Path(__file__).parents[1]
WITHOUT_SERVICE: Final = frozenset(
    {
        PageName.HOME,
        PageName.ANALYSIS,
        PageName.DEVICE,
        PageName.LEARN,
        PageName.RULEBOOK,
        PageName.SETTINGS,
        PageName.CREDITS,
    }
)
"""Pages with nothing after their word; `web/src/shell/routes.ts` has the same list."""
ON_DEVICE: Final = ("table", "replay")
"""Pages of what only the reader's browser knows: its id stands in the query, so that one file is enough."""
LISTS: Final = ("files.json", "engine/parts.json")
"""What there is to download, with the bytes of all of it as they travel."""

_SLASH: Final = (
    'location.pathname.endsWith("/")||location.replace('
    'location.pathname.replace(/\\/index\\.html$/,"")+"/"+location.search+location.hash)'
)
"""Some hosts send a folder's page without the slash that its links count on."""


def _policy() -> str:
    digest = base64.b64encode(hashlib.sha256(_SLASH.encode()).digest()).decode()
    policy = PAGE_POLICY.replace("script-src 'self'", f"script-src 'self' 'sha256-{digest}'")
    # A page cannot say by itself who may frame it.
    return policy.replace("; frame-ancestors 'none'", "")


_HEAD: Final = f"""\
<meta http-equiv="Content-Security-Policy" content="{_policy()}">
    <meta name="referrer" content="same-origin">
    <script>{_SLASH}</script>"""
_CHARSET: Final = '<meta charset="utf-8" />'
_HTML: Final = f'<html lang="{ENGLISH}"'


def main(words: list[str]) -> int:
    """Write the folder that is named; 1 if there are no built pages."""
    (name,) = words
    if FILES is None or not has_pages(FILES):
        print("the pages are not built: make web", file=sys.stderr)
        return 1
    folder = Path(name)
    write(folder, FILES)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"{folder}: {size / 1e6:.1f} MB, to be put anywhere on a host of files")
    return 0


def write(folder: Path, built: Path) -> None:
    """Replace the folder by the site that was built."""
    shutil.rmtree(folder, ignore_errors=True)
    for file in files_of(built):
        target = folder / file.relative_to(built)
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".zip":
            pack(file, target)
        else:
            shutil.copyfile(file, target)
    for name in LISTS:
        told = json.loads((built / name).read_text(encoding="utf-8"))
        (folder / name).write_text(json.dumps(listed(told, built, folder)), encoding="utf-8")
    index = read_built(built)[INDEX]
    for path, text in pages():
        (folder / path).mkdir(parents=True, exist_ok=True)
        (folder / path / "index.html").write_text(page_at(path, text, index), encoding="utf-8")
    shutil.copyfile(ROOT / "web" / "NOTICE", folder / "NOTICE.txt")
    # GitHub would leave out files that begin with an underscore.
    (folder / ".nojekyll").touch()


def files_of(built: Path) -> Iterator[Path]:
    """What the service sends, in its plain form."""
    for file in sorted(built.rglob("*")):
        if file.is_file() and is_public(file.relative_to(built)):
            yield file


def pages() -> Iterator[tuple[str, PageText]]:
    """The path of each page, and what it says about itself."""
    texts = PageTexts(ENGLISH)
    yield from ((word, texts.general(page)) for word, page in ALONE.items() if page in WITHOUT_SERVICE)
    yield from ((word, texts.general(WITH_NAME[word])) for word in ON_DEVICE)
    yield from ((f"rules/{family}", texts.general(PageName.RULEBOOK)) for family in (ESCAPE, NEST))
    yield from ((f"learn/{lesson.name}", texts.lesson(lesson.name)) for lesson in course())


def page_at(path: str, text: PageText, index: BuiltFile) -> str:
    """The page for a path: it names its files from there."""
    depth = len(path.split("/")) if path else 0
    written = Shell(index, root="../" * depth or "./").written(text, None, None)
    page = written.forms[IDENTITY].content.decode()
    assert _CHARSET in page, "the built page does not name its charset"
    assert _HTML in page, "the built page does not name its language"
    return page.replace(_HTML, f'{_HTML} data-service="none"').replace(_CHARSET, f"{_CHARSET}\n    {_HEAD}")


def pack(stored: Path, target: Path) -> None:
    """Copy an archive; what is only stored in it is packed."""
    with (
        zipfile.ZipFile(stored) as plain,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed,
    ):
        for entry in plain.infolist():
            content = plain.read(entry)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content, compresslevel=9)


# Any: JSON of our own.
def listed(told: dict[str, Any], built: Path, folder: Path) -> dict[str, Any]:
    """A list of what there is to download, with its bytes here and, packed with gzip, on the way."""
    below = Path("engine", told["folder"]) if "folder" in told else Path()
    files = [(name, (folder / below / name).stat().st_size) for name, _ in told["files"]]
    return told | {
        "files": files,
        "download": sum(_on_the_way(built / below / name, size) for name, size in files),
    }


def _on_the_way(file: Path, size: int) -> int:
    packed = file.with_name(f"{file.name}.gz")
    return min(size, packed.stat().st_size) if packed.is_file() and file.suffix != ".zip" else size


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
