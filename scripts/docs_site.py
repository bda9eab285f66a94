"""What the docs site needs beyond Sphinx: every help page, and pages that lie outside of docs/."""

from collections.abc import Callable
from typing import Any, Final

from click.testing import CliRunner
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from cartagena.cli.main import COMMANDS, entrance

WHOLE: Final = 30
"""How many letters of code stay on one line, wherever they stand in a sentence."""

OUTSIDE: Final = {"](../CHANGELOG.md": "](/changelog.md"}
"""Links to files beside docs/, as a page writes them, and the pages that show these files on the site."""


class HelpPages(SphinxDirective):
    """A section for each command of the program, with its help page."""

    def run(self) -> list[nodes.Node]:
        """All of them, in the order in which the program lists them."""
        return [self._section(name) for name in COMMANDS]

    def _section(self, name: str) -> nodes.Node:
        section = nodes.section(ids=[f"cartagena-{name}"])
        self.state.document.note_explicit_target(section)
        section += nodes.title(text=f"cartagena {name}")
        section += nodes.literal_block(text=help_page(name), language="text")
        return section


def help_page(*command: str) -> str:
    """The help page of a command, in English."""
    told = CliRunner().invoke(entrance, [*command, "--help", "--lang", "en"], prog_name="cartagena")
    return told.output.strip()


def _look_inside(_: Sphinx, __: str, source: list[str]) -> None:
    for link, page in OUTSIDE.items():
        source[0] = source[0].replace(link, page)


def _keep_whole(_: Sphinx, document: nodes.document) -> None:
    """Mark short code, which docs/_static/code.css does not let break."""
    for code in document.findall(nodes.literal):
        if len(code.astext()) <= WHOLE:
            code["classes"].append("whole")


def _speak_plainly(_: Sphinx, __: str, ___: str, ____: object, _____: object, lines: list[str]) -> None:
    """Leave out what Python says of each field of a named tuple: it has a name and a type."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app: Sphinx) -> dict[str, Any]:  # Any: what Sphinx wants to know of an extension
    """Tell Sphinx."""
    app.add_directive("help-pages", HelpPages)
    listen: Callable[..., int] = app.connect
    listen("source-read", _look_inside)
    listen("doctree-read", _keep_whole)
    listen("autodoc-process-docstring", _speak_plainly)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
