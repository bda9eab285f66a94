"""From a command to the drawn screen."""

import sys
from collections.abc import Callable
from functools import partial

from rich.text import Text

from cartagena.bots.analysis.effort import ANALYSIS_SIMULATIONS
from cartagena.bots.players.registry import names as registered
from cartagena.cli.kept_games import Sitting
from cartagena.cli.table_flags import LEVEL
from cartagena.terminal.app import TerminalApp, end_with_terminal
from cartagena.terminal.background import in_background
from cartagena.terminal.glyphs import ASCII, Brush, Glyphs, glyphs_for
from cartagena.terminal.setting_screen import Opened, Setting
from cartagena.words import Words
from cartagena.words.sentences import Names


def show_sitting(words: Words, sitting: Sitting, *, auto_end: bool, ascii_only: bool) -> Sitting:
    """Play a game on the screen, as often as the players want; returns the last one."""
    tables = LocalTables(words, _glyphs(ascii_only=ascii_only), auto_end=auto_end)
    _run(TerminalApp(words, tables.glyphs, opened=tables.opened(sitting)))
    return tables.last or sitting


def ask_and_show(
    words: Words,
    deal: Callable[[Setting], Sitting],
    last: Callable[[], str],
    *,
    auto_end: bool,
    ascii_only: bool,
) -> Sitting | None:
    """Ask on the screen what to play, and play it, as often as the players want; returns the last game.

    `last` returns the words for going on with the last game, if there is one.
    """
    tables = LocalTables(words, _glyphs(ascii_only=ascii_only), auto_end=auto_end)
    usual, levels = Setting(level=LEVEL), tuple(registered())
    app = TerminalApp(
        words,
        tables.glyphs,
        deal=lambda setting: tables.opened(deal(setting)),
        usual=usual,
        levels=levels,
        last=last,
    )
    _run(app)
    return tables.last


def show_table(names: Names, opened: Callable[[Brush], Opened], *, ascii_only: bool) -> None:
    """Show one table on the screen; `opened` is called with what to draw it with."""
    glyphs = _glyphs(ascii_only=ascii_only)
    _run(TerminalApp(names.words, glyphs, opened=opened(Brush(names=names, glyphs=glyphs))))


class LocalTables:
    """Opens the tables of games at this keyboard, and knows which was the last."""

    def __init__(
        self, words: Words, glyphs: Glyphs, *, auto_end: bool, simulations: int = ANALYSIS_SIMULATIONS
    ) -> None:
        self.words = words
        self.glyphs = glyphs
        self.last: Sitting | None = None
        self._auto_end = auto_end
        self._simulations = simulations

    def opened(self, sitting: Sitting) -> Opened:
        """A table on the screen, which can be followed by another game with the same seats and rules."""
        from cartagena.terminal.local import LocalTable  # noqa: PLC0415 - the first screen needs no table

        self.last = sitting
        names = Names(self.words, sitting.record.headers.ruleset)
        brush = Brush(names=names, glyphs=self.glyphs)

        def replay() -> Opened:
            from cartagena.terminal.recorded import RecordedTable  # noqa: PLC0415 - only who looks back needs it

            return Opened(source=RecordedTable(record=sitting.record, names=names), brush=brush)

        async def again() -> Opened:
            return self.opened(sitting.again())

        async def save(name: str) -> str:
            return sitting.save(name)

        return Opened(
            source=LocalTable(
                sitting.record,
                names,
                levels=sitting.levels,
                keep=sitting.keep,
                auto_end=self._auto_end,
                seed=sitting.seed,
            ),
            brush=brush,
            again=again,
            save=save,
            replay=replay,
            analyse=partial(self._analyse, sitting, names),
        )

    async def _analyse(
        self, sitting: Sitting, names: Names, width: int, progress: Callable[[int, int], None]
    ) -> list[Text]:
        """What the turns of a game were worth, worked out beside the screen."""
        # Only who asks waits for it.
        from cartagena.bots.analysis.annotation import analyse  # noqa: PLC0415
        from cartagena.cli.analyse import AnalysisReport  # noqa: PLC0415

        record = sitting.record
        work = partial(analyse, record, simulations=self._simulations, progress=progress)
        report = AnalysisReport(record=record, analysis=await in_background(work), names=names, width=width)
        encoding = "ascii" if self.glyphs is ASCII else "utf-8"
        return [Text.from_ansi(line) for line in report.lines(encoding)]


def _run(app: TerminalApp) -> None:
    end_with_terminal(sys.stdin)
    app.run()


def _glyphs(*, ascii_only: bool) -> Glyphs:
    return glyphs_for(sys.stdout.encoding, ascii_only=ascii_only)
