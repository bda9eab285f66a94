"""Write the browser's words from the one catalogue: first those needed at once, separately the later ones.

python -m scripts.browser_words web/src/words/generated
"""

import argparse
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from cartagena.words.catalogue import ENGLISH, LOCALE, languages


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Make the folder hold these JSON files and no other; a file that is as it should be is not touched.

    Steps of one check run side by side: one may regenerate what another is reading.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        file = folder / name
        if file.is_file() and file.read_bytes() == content:
            continue
        coming = file.with_suffix(f".{os.getpid()}")
        coming.write_bytes(content)
        coming.replace(file)
    for file in folder.glob("*.json"):
        if file.name not in contents:
            file.unlink()


SAID: Final = (
    "card.",
    "claim.",
    "crew.",
    "edition.",
    "failure.",
    "level.",
    "option.",
    "place.",
    "refusal.",
    "ruleset.",
    "shuffle.",
    "sign.",
    "web.",
)
"""Beginnings of the keys that a screen may need at any moment."""
RULEBOOK: Final = ("chapter.", "rule.")
"""Beginnings of the keys of the rulebook; they are many, and few people look at them during a game."""
PLAYER: Final = (
    "web.ladder.",
    "web.player.filter.",
    "web.player.games.",
    "web.player.graph.",
    "web.player.reason.",
    "web.player.report.",
    "web.player.totals.",
)
"""Beginnings of the keys that only the pages of players and ladders need; they load with these."""

DEVICE: Final = ("web.analysis.", "web.device.")
"""Beginnings of the keys that only the pages need that work without a service."""
LEARN: Final = ("web.learn.",)
"""Beginnings of the keys that only lessons and rulebook need."""

Said = dict[str, str | list[str]]
"""Words by key; where a number decides, the forms in gettext's order."""


def words_of(language: str, beginnings: tuple[str, ...], without: tuple[str, ...] = ()) -> Said:
    """The words of a language, in English where it lacks one; keys that begin like `without` are left out."""
    said: Said = {}
    for source in (ENGLISH, language):
        for file in sorted((LOCALE / source / "LC_MESSAGES").glob("*.po")):
            with file.open("rb") as lines:
                for message in read_po(lines, locale=source):
                    key = _key(message)
                    if key.startswith(beginnings) and not key.startswith(without) and message.string:
                        said[key] = message.string if isinstance(message.string, str) else [*message.string]
    return dict(sorted(said.items()))


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def write(folder: Path) -> None:
    """Write five files for each language."""
    contents: dict[str, bytes] = {}
    for language in languages():
        for name, beginnings, without in (
            ("words", SAID, PLAYER + DEVICE + LEARN),
            ("rulebook", RULEBOOK, ()),
            ("player", PLAYER, ()),
            ("device", DEVICE, ()),
            ("learn", LEARN, ()),
        ):
            text = json.dumps(words_of(language, beginnings, without), ensure_ascii=False, indent=1)
            contents[f"{name}.{language}.json"] = f"{text}\n".encode()
    write_folder(folder, contents)


def main() -> None:
    """Write them into the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    write(parser.parse_args().folder)


if __name__ == "__main__":
    main()
