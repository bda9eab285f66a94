"""What the docs site needs beyond Sphinx: every help page, and pages that lie outside of docs/."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import click
from click.testing import CliRunner
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from cartagena.bots.players.interface import Bot
from cartagena.cli.main import COMMANDS, entrance
from cartagena.cli.style import Tasks
from cartagena.game import Game
from cartagena.rules.happenings import Happening

logger = logging.getLogger(__name__)

WHOLE: Final = 30
"""How many letters of code stay on one line, wherever they stand in a sentence."""

OUTSIDE: Final = {"](../CHANGELOG.md": "](/changelog.md"}
"""Links to files beside docs/, as a page writes them, and the pages that show these files on the site."""


NAMED_PAGE: Final = re.compile(r"\bdocs/(?:([a-z/-]+)\.md|rules\b(?!/))")
"""A page as a docstring names it, or the folder of the rulebook."""

FIELD: Final = "Alias for field number"
"""What Python says by itself of the field of a named tuple."""

UNCALLED: Final = (Game, Bot)
"""Classes that are not made by calling them: games are dealt, and any object with the method is a bot."""

HAPPENINGS: Final = re.compile(
    r"~?cartagena\.rules\.happenings\.\w+(?: \| ~?cartagena\.rules\.happenings\.\w+)"
    rf"{{{len(get_args(Happening)) - 1}}}"
)


class HelpPages(SphinxDirective):
    """The help page of the program, and below it a section for each command and each of its tasks."""

    def run(self) -> list[nodes.Node]:
        """All of them, in the order in which the program lists them."""
        program = self._section()
        program += [self._command(name) for name in COMMANDS]
        return [program]

    def _command(self, name: str) -> nodes.Node:
        section = self._section(name)
        command = entrance.get_command(click.Context(entrance), name)
        if isinstance(command, Tasks):
            section += [self._section(name, task) for task in command.commands]
        return section

    def _section(self, *command: str) -> nodes.section:
        section = nodes.section(ids=["-".join(["cartagena", *command])])
        self.state.document.note_explicit_target(section)
        section += nodes.title(text=" ".join(["cartagena", *command]))
        page = help_page(*command)
        # They are the same for all, and the page of the program has them.
        shown = page.partition("\n\nExit codes:\n")[0] if command else page
        section += nodes.literal_block(text=shown, language="text")
        return section


def help_page(*command: str) -> str:
    """The help page of a command or a task, in English."""
    told = CliRunner().invoke(entrance, [*command, "--help", "--lang", "en"], prog_name="cartagena")
    return told.output.strip()


def _look_inside(_: Sphinx, __: str, source: list[str]) -> None:
    for link, page in OUTSIDE.items():
        source[0] = source[0].replace(link, page)


def _keep_whole(_: Sphinx, document: nodes.document) -> None:
    """Mark short code, which docs/_static/cartagena.css does not let break."""
    for code in document.findall(nodes.literal):
        if len(code.astext()) <= WHOLE:
            code["classes"].append("whole")


def _speak_plainly(_: Sphinx, __: str, ___: str, ____: object, _____: object, lines: list[str]) -> None:
    """Leave out what Python says by itself of fields and properties, and link the pages that are named."""
    if lines and lines[0].startswith((FIELD, "attrgetter(")):
        lines.clear()
    for number, line in enumerate(lines):
        lines[number] = NAMED_PAGE.sub(lambda found: f":doc:`/{found[1] or 'rules/README'}`", line)


def _sign_plainly(  # what Sphinx hands over
    _: Sphinx, __: str, ___: str, thing: object, ____: object, arguments: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Write `Happening` where a signature would list all fourteen, and no arguments that nobody passes."""
    if thing in UNCALLED:
        return "", None
    # A default that is made anew each time has no text of its own, and what is written cannot be read.
    arguments = arguments and arguments.replace("<factory>", "...")
    told = [
        part and HAPPENINGS.sub("~cartagena.rules.happenings.Happening", part)
        for part in (arguments, returned)
    ]
    return told[0], told[1]


def _look_for_fields(
    _: Sphinx, page: str, __: str, context: Mapping[str, Any], doctree: nodes.document | None
) -> None:
    """Warn of a page that describes a field by its number, which fails the build."""
    if doctree is not None and FIELD in context["body"]:
        logger.warning("'%s ...' describes nothing", FIELD, location=page)


def setup(app: Sphinx) -> dict[str, Any]:  # Any: what Sphinx wants to know of an extension
    """Tell Sphinx."""
    app.add_directive("help-pages", HelpPages)
    listen: Callable[..., int] = app.connect
    listen("source-read", _look_inside)
    listen("doctree-read", _keep_whole)
    listen("autodoc-process-docstring", _speak_plainly)
    listen("autodoc-process-signature", _sign_plainly)
    listen("html-page-context", _look_for_fields)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
