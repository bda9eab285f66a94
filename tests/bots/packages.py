"""Packages with bots, as an installer would leave them in a folder."""

from pathlib import Path

LONGEST_JUMP = '''
from cartagena.rules.codes import END_TURN


class LongestJump:
    """Plays the highest code it may: the card and the pirate in front."""

    def choose(self, view, chance, budget):
        return max(view.legal, key=lambda code: (code != END_TURN, code))
'''
"""A bot that does what it must and no more."""


def install(folder: Path, package: str, entry: str, code: str = LONGEST_JUMP) -> None:
    """Put a package of one module into a folder, with an entry point such as `name = module:attr`."""
    folder.mkdir(exist_ok=True)
    (folder / f"{package}.py").write_text(code, encoding="utf-8")
    notes = folder / f"{package}-1.0.dist-info"
    notes.mkdir()
    (notes / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8"
    )
    (notes / "entry_points.txt").write_text(f"[cartagena.bots]\n{entry}\n", encoding="utf-8")
