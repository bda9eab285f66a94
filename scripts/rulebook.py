"""Copy the sentences of docs/rules into the English catalogue; `--check` only says whether they differ."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "docs/rules/cartagena.md", ROOT / "docs/rules/nest.md")
CATALOGUE = ROOT / "src/cartagena/words/locale/en/LC_MESSAGES/cartagena.po"

HEADING = re.compile(r"^## (R\d+) (.+)$")
SENTENCE = re.compile(r"^\*\*(R\d+\.\d+)\*\*( \*about\*)? (.+)$")
MARK = "# --- The rulebook: written by scripts/rulebook.py from docs/rules; change it there ---\n"


def main(arguments: list[str]) -> int:
    """Rewrite the rulebook's part of the catalogue, or with `--check` fail if that would change it."""
    old = CATALOGUE.read_text(encoding="utf-8")
    new = rewritten(old)
    if "--check" not in arguments:
        CATALOGUE.write_text(new, encoding="utf-8")
    elif old != new:
        print("the catalogue has other sentences than docs/rules: run `python scripts/rulebook.py`")
        return 1
    return 0


def rewritten(catalogue: str) -> str:
    """The catalogue with today's rulebook after the mark, and everything before it untouched."""
    kept = catalogue.split(MARK, maxsplit=1)[0].rstrip("\n")
    entries = "".join(f"\n{entry(key, text)}" for page in PAGES for key, text in read(page))
    return f"{kept}\n\n{MARK}{entries}"


def read(page: Path) -> Iterator[tuple[str, str]]:
    """The keys and words of the chapters and sentences of a page."""
    for line in page.read_text(encoding="utf-8").splitlines():
        if heading := HEADING.match(line):
            yield f"chapter.{heading[1]}", heading[2]
        elif sentence := SENTENCE.match(line):
            yield f"rule.{sentence[1]}", sentence[3]


def entry(key: str, text: str) -> str:
    """One entry of a catalogue; braces are doubled, because single ones are the program's."""
    quoted = text.replace("\\", r"\\").replace('"', r"\"").replace("{", "{{").replace("}", "}}")
    return f'msgid "{key}"\nmsgstr "{quoted}"\n'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
