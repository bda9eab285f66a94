"""The files of open data: a record for each game, tables in Parquet, and the card that explains them."""

import datetime as dt
import importlib
import importlib.util
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from cartagena.notation import format_action
from cartagena.notation.position_text import format_ruleset
from cartagena.server.lobby.open_data import OpenGame, Withheld

LICENCE: Final = "CC0-1.0"
"""What players agree to: anybody may do anything with the games."""
ROWS_AT_ONCE: Final = 20_000
"""How many rows are gathered before they are written."""


class Column(NamedTuple):
    """A column of a table: its type, as pyarrow calls it, and what it tells."""

    name: str
    type: str
    tells: str


GAMES: Final = (
    Column("game_id", "string", "the id, which proves the shuffle; it begins with the moment of opening"),
    Column("date", "date32", "the day on which it began (UTC)"),
    Column("rules_version", "int16", "the version of the rules that it was played by"),
    Column("ruleset", "string", "`tortuga`, `jamaica` or `nest`"),
    Column("rules", "string", "the ruleset with all its options"),
    Column("seats", "int8", "how many seats play"),
    Column("first_seat", "int8", "the seat that began, from 0"),
    Column("players", "list", "for each seat `person`, `program`, or the level of a bot of the service"),
    Column("lost", "bools", "for each seat whether it resigned or ran out of time"),
    Column("rated", "bool_", "whether it counted for ratings"),
    Column("ending", "string", "`won`, `dead`, `quiet`, `resigned` or `abandoned`"),
    Column("winner", "int8", "the seat that won, null if none did"),
    Column("choices", "int32", "how many choices were made"),
)
CHOICES: Final = (
    Column("game_id", "string", "the game"),
    Column("number", "int32", "counts the choices of a game from 0"),
    Column("turn", "int32", "the turn, from 1"),
    Column("seat", "int8", "the seat that chose"),
    Column("code", "int16", "the code of the choice, as in the environments"),
    Column("action", "string", "the same as text: `play skull 9`"),
)
TABLES: Final = {"games": GAMES, "choices": CHOICES}

Row = dict[str, object]


def parquet_is_there() -> bool:
    """Whether pyarrow is installed, which writes Parquet."""
    return importlib.util.find_spec("pyarrow") is not None


class OpenDataFolder:
    """A folder that is written beside its place, and appears there at once when all of it is written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unfinished = folder.with_name(f".{folder.name}.unfinished")
        self._tables = {name: _ParquetTable(name, columns) for name, columns in TABLES.items()}
        self.with_parquet = parquet_is_there()
        self.counts: Counter[str] = Counter()
        self.withheld: Counter[Withheld] = Counter()

    def __enter__(self) -> Self:
        # What an interrupted dump left behind is no use: players may have changed their minds since.
        shutil.rmtree(self._unfinished, ignore_errors=True)
        (self._unfinished / "records").mkdir(parents=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._finish()
        else:
            shutil.rmtree(self._unfinished, ignore_errors=True)

    def add(self, game: OpenGame) -> None:
        """Write one game."""
        name = str(game.game_id)
        # Ids begin with the time: their ends spread evenly over the folders.
        file = self._unfinished / "records" / name[-2:] / f"{name}.record"
        file.parent.mkdir(exist_ok=True)
        file.write_text(game.text, encoding="utf-8")
        choices = list(choice_rows(game))
        self.counts += Counter(games=1, choices=len(choices))
        if self.with_parquet:
            self._tables["games"].add(self._unfinished, [game_row(game, len(choices))])
            self._tables["choices"].add(self._unfinished, choices)

    def _finish(self) -> None:
        if self.with_parquet:
            for table in self._tables.values():
                table.close(self._unfinished)
        card = "\n".join([*_card(self.counts, self.withheld, with_parquet=self.with_parquet), ""])
        (self._unfinished / "README.md").write_text(card, encoding="utf-8")
        told = {"licence": LICENCE, **self.counts, "withheld": dict(self.withheld)}
        (self._unfinished / "counts.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
        self._unfinished.rename(self._folder)


def game_row(game: OpenGame, choices: int) -> Row:
    """The row of a game."""
    headers, result = game.record.headers, game.record.result
    return {
        "game_id": str(game.game_id),
        "date": headers.date,
        "rules_version": headers.rules_version,
        "ruleset": headers.ruleset.key,
        "rules": format_ruleset(headers.ruleset),
        "seats": headers.seats,
        "first_seat": headers.first_seat,
        "players": list(headers.names),
        "lost": list(game.lost),
        "rated": game.rated,
        "ending": result.ending.value,
        "winner": result.winner,
        "choices": choices,
    }


def choice_rows(game: OpenGame) -> Iterator[Row]:
    """A row for each choice of a game."""
    ruleset = game.record.headers.ruleset
    for number, step in enumerate(game.record.steps):
        assert step.code is not None, "the record of a whole game hides no choice"
        yield {
            "game_id": str(game.game_id),
            "number": number,
            "turn": step.turn,
            "seat": step.seat,
            "code": step.code,
            "action": format_action(ruleset, step.code),
        }


class _ParquetTable:
    """One table, written a group of rows at a time."""

    def __init__(self, name: str, columns: tuple[Column, ...]) -> None:
        self._name = name
        self._columns = columns
        self._rows: list[Row] = []
        # Any: pyarrow has no types, and is loaded only where it is installed.
        self._writer: Any = None

    def add(self, folder: Path, rows: list[Row]) -> None:
        self._rows += rows
        if len(self._rows) >= ROWS_AT_ONCE:
            self._write(folder)

    def close(self, folder: Path) -> None:
        self._write(folder)
        self._writer.close()

    def _write(self, folder: Path) -> None:
        arrow: Any = importlib.import_module("pyarrow")
        special = {"list": arrow.list_(arrow.string()), "bools": arrow.list_(arrow.bool_())}
        schema = arrow.schema(
            [
                (
                    column.name,
                    special[column.type] if column.type in special else getattr(arrow, column.type)(),
                )
                for column in self._columns
            ]
        )
        if self._writer is None:
            parquet: Any = importlib.import_module("pyarrow.parquet")
            self._writer = parquet.ParquetWriter(folder / f"{self._name}.parquet", schema, compression="zstd")
        self._writer.write_table(arrow.Table.from_pylist(self._rows, schema=schema))
        self._rows = []


CARD: Final = """\
# Games of Cartagena

Written on {date} by `cartagena db dump`: {games} finished public games with {choices} choices.
Licence: {licence}. Do with them what you like.

## Which games

Games that the lobby listed, that spectators could watch, that are over, and in which every person agreed
in their account to give their games away; for a bot with an account its owner agreed. Players who deleted
their account are not among them. Each record was read back and passed `cartagena verify`: it was played by
the rules, and its shuffle was the one promised before the deal. They are no sample of all games: people who
agree may play otherwise.

## Which names

None in these files. A person is called `person`, a bot of the service by its level, and a player's own bot
`program`; no clocks, chat or ratings are kept. The games are not anonymous all the same. The id of a game
stays, because its shuffle is proved with it: it begins with the moment at which the table was opened (a UUID
of version 7), and with it the service that it was played on may still show the page of the game, with the
names of its players. Those who look there can find the games of one person.

"""


def _card(counts: Counter[str], withheld: Counter[Withheld], *, with_parquet: bool) -> Iterator[str]:
    """The data card, line by line."""
    yield CARD.format(
        date=dt.datetime.now(dt.UTC).date(),
        games=counts["games"],
        choices=counts["choices"],
        licence=LICENCE,
    ).rstrip()
    if withheld:
        yield from ("", "Left out although all who sat at the end agreed:", "")
        yield from (f"- {number}: {reason}" for reason, number in sorted(withheld.items()))
    yield from ("", "## Files", "", "- `records/`: each game as text, in a folder named by the end of its id")
    yield "- `counts.json`: the figures of this page"
    if with_parquet:
        yield "- `games.parquet` and `choices.parquet`"
        for name, columns in TABLES.items():
            yield from ("", f"### {name}.parquet", "", "| column | tells |", "|---|---|")
            yield from (f"| `{column.name}` | {column.tells} |" for column in columns)
