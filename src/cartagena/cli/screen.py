"""From a command to the drawn screen."""

import sys
from collections.abc import Callable
from functools import partial

from cartagena.bots.registry import names as registered
from cartagena.cli.bot_names import LEVEL, level_of
from cartagena.cli.last_game import keep_last
from cartagena.cli.match import Match
from cartagena.terminal.app import TerminalApp, glyphs_for
from cartagena.terminal.brush import Brush
from cartagena.terminal.glyphs import Glyphs
from cartagena.terminal.local import LocalTable
from cartagena.terminal.setting import Opened, Setting
from cartagena.terminal.source import Source
from cartagena.words import Words
from cartagena.words.naming import Names


def show_match(
    words: Words, match: Match, *, keep: Callable[[], str], auto_end: bool, ascii_only: bool
) -> None:
    """Play a game on the screen."""
    names = Names(words, match.headers.ruleset)
    show_table(_table(names, match, keep, auto_end=auto_end), names, ascii_only=ascii_only)


def ask_and_show(
    words: Words,
    deal: Callable[[Setting], Match],
    last: Callable[[], str],
    *,
    auto_end: bool,
    ascii_only: bool,
) -> None:
    """Ask on the screen what to play, and play it, as often as somebody wants.

    `last` gives the words for going on with the last game, if there is one.
    """
    glyphs = _glyphs(ascii_only=ascii_only)

    def opened(setting: Setting) -> Opened:
        match = deal(setting)
        names = Names(words, match.headers.ruleset)
        source = _table(names, match, partial(keep_last, match), auto_end=auto_end)
        return Opened(source=source, brush=Brush(names=names, glyphs=glyphs))

    usual = Setting(level=LEVEL)
    TerminalApp(words, glyphs, deal=opened, usual=usual, levels=tuple(registered()), last=last).run()


def show_table(source: Source, names: Names, *, ascii_only: bool) -> None:
    """Show one table on the screen."""
    glyphs = _glyphs(ascii_only=ascii_only)
    brush = Brush(names=names, glyphs=glyphs)
    TerminalApp(names.words, glyphs, opened=Opened(source=source, brush=brush)).run()


def _glyphs(*, ascii_only: bool) -> Glyphs:
    return glyphs_for(sys.stdout.encoding, ascii_only=ascii_only)


def _table(names: Names, match: Match, keep: Callable[[], str], *, auto_end: bool) -> LocalTable:
    players = tuple(level_of(name) or name for name in match.headers.names)
    return LocalTable(match=match, names=names, players=players, keep=keep, auto_end=auto_end)
