"""Many games at once for learning programs: one call steps all of them, and NumPy arrays show them.

They are the games of `cartagena_v0`, with the same codes, observations and rewards; docs/environment.md.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from cartagena.words.libraries import no_library

try:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from cartagena.envs.batched_games import NO_LIMIT, BatchedGame, BatchedGames
except ModuleNotFoundError as error:
    raise no_library("error.no_envs", "envs", error) from None

from cartagena.envs.common import ILLEGAL_REWARD, Seeds, checked_limit, checked_seats, points
from cartagena.envs.dealing import FAST, SHUFFLES, dealer_of
from cartagena.envs.encoding import Encoder
from cartagena.envs.observation import Field, decode, encoder_of, fields_of
from cartagena.notation.position_text import format_ruleset, parse_ruleset
from cartagena.rules.codes import codes_of
from cartagena.rules.position import NOBODY, OVER, Position
from cartagena.rules.ruleset import Ruleset, ruleset_of

TEXT_VERSION: Final = 1
"""Grows when a text of an older version would be read as other games."""


@dataclass(frozen=True, slots=True)
class BatchTable:
    """What a row of a batch plays; the arguments are those of `cartagena_v0.raw_env`.

    `options` is None afterwards: the ruleset has them.
    """

    ruleset: Ruleset | str = "tortuga"
    seats: int = 2
    options: Mapping[str, object] | None = None
    max_actions: int | None = None

    def __post_init__(self) -> None:
        ruleset = ruleset_of(self.ruleset).with_options(**(self.options or {}))
        object.__setattr__(self, "ruleset", ruleset)
        object.__setattr__(self, "options", None)
        checked_seats(self.seats)
        checked_limit(self.max_actions)

    @property
    def rules(self) -> Ruleset:
        """The ruleset, with its options."""
        return ruleset_of(self.ruleset)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of an observation at this table."""
        return fields_of(self.rules, self.seats)


class BatchStep(NamedTuple):
    """What a batch shows, a row for each game; its arrays are the batch's, and the next step fills them."""

    observations: NDArray[np.uint8]
    """What the seat to act sees, and zeros behind it if other games of the batch show more."""
    masks: NDArray[np.int8]
    """1 for each code that the seat to act may choose."""
    rewards: NDArray[np.float64]
    """What each seat got in this step, not only the one that chose."""
    terminated: NDArray[np.bool_]
    """Whether the row's game ended, by the rules or by an illegal choice; the row shows the next one."""
    truncated: NDArray[np.bool_]
    """Whether the row's game was cut off after `max_actions` choices; the row shows the next one."""
    to_act: NDArray[np.int64]
    """The seat to act."""


@dataclass(frozen=True, slots=True)
class BatchEnding:
    """How a game of a batch ended, and what its last moment looked like."""

    position: Position
    encoder: Encoder
    illegal: bool
    """Whether an illegal choice ended it."""

    @property
    def winner(self) -> int | None:
        """The seat that won; None if none did."""
        return None if self.position.winner == NOBODY else int(self.position.winner)

    def observe(self, seat: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """What a seat saw at the end, and its mask."""
        written = self.encoder.encode(self.position, seat)
        size = self.encoder.size
        return np.frombuffer(written, np.uint8, size), np.frombuffer(written, np.int8, offset=size)


class Batch:
    """Games of any rulesets and numbers of seats, each in a row, where the next one follows its end.

    Row r plays the games that `cartagena_v0` deals after `reset(seed=seed + r)`, if `shuffle` is
    `"published"`; `"fast"` shuffles with a quicker generator. Without a seed nobody can foresee them.

    A batch can be copied and pickled at any time; `text` writes it down.
    """

    def __init__(self, tables: Sequence[BatchTable], *, seed: int | None = None, shuffle: str = FAST) -> None:
        if not tables:
            raise ValueError("a batch has at least one game")
        if shuffle not in SHUFFLES:
            raise ValueError(f"shuffle is {' or '.join(SHUFFLES)}, not {shuffle!r}")
        self.tables = tuple(tables)
        self.shuffle = shuffle
        self._encoders = {table: encoder_of(table.fields, table.rules.family) for table in self.tables}
        self._seeds = _seeds(seed, len(self.tables))
        self._make_room()
        self.reset()

    def __len__(self) -> int:
        return len(self.tables)

    def _make_room(self) -> None:
        rows = len(self.tables)
        width = max(encoder.size for encoder in self._encoders.values())
        codes = max(codes_of(table.rules) for table in self._encoders)
        self._encoder_of_row = [self._encoders[table] for table in self.tables]
        self._games = games = BatchedGames(rows, width, codes)
        self._blanks = lent(games.blanks, np.uint8).reshape(rows, width)
        self._rows = lent(games.chosen_rows, np.int64)
        self._codes = lent(games.chosen_codes, np.int64)
        self._every_row = np.arange(rows)
        self._shown = BatchStep(
            observations=lent(games.observations, np.uint8).reshape(rows, width),
            masks=lent(games.masks, np.int8).reshape(rows, codes),
            rewards=np.zeros((rows, max(table.seats for table in self.tables))),
            terminated=np.zeros(rows, np.bool_),
            truncated=np.zeros(rows, np.bool_),
            to_act=lent(games.to_act, np.int64),
        )
        self.endings: dict[int, BatchEnding] = {}
        """How the games ended that ended in the last step, by their row."""

    @property
    def shown(self) -> BatchStep:
        """What the last step, or reset, returned."""
        return self._shown

    def position(self, row: int) -> Position:
        """The whole truth about the game of a row; a learner must not look at it."""
        return self._games.games[row].position

    def decode(self, row: int) -> dict[str, NDArray[np.uint8]]:
        """The fields of a row's observation by their names."""
        return decode(self._shown.observations[row], self.tables[row].fields)

    # Playing.

    def reset(self, seed: int | None = None) -> BatchStep:
        """Begin a game in each row: the first ones of a seed, or without one the next."""
        if seed is not None:
            self._seeds = _seeds(seed, len(self.tables))
        self._forget_step()
        for row in range(len(self.tables)):
            self._begin(row)
        return self._show(None)

    def step(self, actions: ArrayLike, rows: ArrayLike | None = None) -> BatchStep:
        """The seat to act chooses a code in each row, or in some `rows`, each named once.

        Raises IndexError for a row that is none, and ValueError for one that is named twice. A code that its
        mask forbids ends the game: it costs the seat a point, and the others get nothing.
        """
        codes = np.asarray(actions)
        if codes.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {codes.dtype}")
        named = None if rows is None else self._found(rows)
        self._codes[: len(self.tables) if named is None else len(named)] = codes
        self._forget_step()
        for row in self._games.choose(self._name(named)):
            self._end(row)
        return self._show(named)

    def _found(self, rows: ArrayLike) -> NDArray[np.int64]:
        """The rows that a caller names, each from 0 up."""
        found = self._every_row[np.asarray(rows, np.int64)]
        times = np.bincount(found, minlength=len(self.tables))
        if times.max() > 1:
            raise ValueError(f"name each row once, not twice: {np.flatnonzero(times > 1).tolist()}")
        return found

    def _name(self, rows: NDArray[np.int64] | None) -> int:
        """Name the rows that the next call of the games is about, and count them."""
        named = self._every_row if rows is None else rows
        self._rows[: len(named)] = named
        return len(named)

    def _show(self, rows: NDArray[np.int64] | None) -> BatchStep:
        shown = self._shown
        if rows is None:
            np.copyto(shown.observations, self._blanks)
            shown.masks.fill(0)
        else:
            shown.observations[rows] = self._blanks[rows]
            shown.masks[rows] = 0
        self._games.observe(self._name(rows))
        return shown

    def _forget_step(self) -> None:
        self._shown.rewards.fill(0)
        self._shown.terminated.fill(False)  # noqa: FBT003 - NumPy wants it so
        self._shown.truncated.fill(False)  # noqa: FBT003 - the same
        if self.endings:
            self.endings = {}

    def _end(self, row: int) -> None:
        """Share out the points of a game that ended, and begin the next."""
        game, shown = self._games.games[row], self._shown
        position = game.position
        if game.illegal:
            shown.rewards[row, position.to_act] = ILLEGAL_REWARD
        elif position.winner >= 0:
            seats = self.tables[row].seats
            shown.rewards[row, :seats] = points(position.winner, seats)
        cut_off = position.phase != OVER and not game.illegal
        (shown.truncated if cut_off else shown.terminated)[row] = True
        self.endings[row] = BatchEnding(position, game.encoder, game.illegal)
        self._begin(row)

    def _begin(self, row: int) -> None:
        table = self.tables[row]
        dealer = dealer_of(self.shuffle, table.rules, table.seats, self._seeds[row].next_secret())
        limit = NO_LIMIT if table.max_actions is None else table.max_actions
        self._games.begin(row, BatchedGame(dealer, self._encoder_of_row[row], limit))

    # Writing down.

    def __reduce__(self) -> tuple[object, ...]:
        return Batch.of_text, (self.text(),)

    def text(self) -> str:
        """The batch as JSON: the tables, and for each game the source of its chance and its choices."""
        tables = list(self._encoders)
        return json.dumps(
            {
                "version": TEXT_VERSION,
                "shuffle": self.shuffle,
                "tables": [[format_ruleset(each.rules), each.seats, each.max_actions] for each in tables],
                "games": [
                    [tables.index(table), seeds.seed, seeds.games, *game.codes()]
                    for table, seeds, game in zip(self.tables, self._seeds, self._games.games, strict=True)
                ],
            }
        )

    @staticmethod
    def of_text(text: str) -> "Batch":
        """The batch of a text; raises ValueError if it is no text of a batch."""
        try:
            return _of_parts(json.loads(text))
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"this is no text of a batch: {error!r}") from error

    def _go_on(self, row: int, seeds: Seeds, choices: Sequence[int]) -> None:
        """Bring a row to where a text left it."""
        self._seeds[row] = seeds
        self._begin(row)
        game = self._games.games[row]
        if any(game.choose(code) for code in choices):
            raise ValueError(f"the choices of game {row} go on beyond its end")


def _of_parts(parts: dict[str, Any]) -> Batch:
    if parts["version"] != TEXT_VERSION:
        raise ValueError(f"this text of a batch has version {parts['version']!r}; {TEXT_VERSION} can be read")
    tables = [
        BatchTable(parse_ruleset(ruleset), seats, None, max_actions)
        for ruleset, seats, max_actions in parts["tables"]
    ]
    batch = Batch([tables[table] for table, *_ in parts["games"]], shuffle=parts["shuffle"])
    for row, (_, seed, games, *choices) in enumerate(parts["games"]):
        batch._go_on(row, Seeds(seed, games - 1), choices)  # noqa: SLF001 - one module
    batch._show(None)  # noqa: SLF001 - the same
    return batch


def _seeds(seed: int | None, rows: int) -> list[Seeds]:
    """Where the chance of each row comes from."""
    return [Seeds(None if seed is None else seed + row) for row in range(rows)]


def any_legal(masks: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """For each row of the masks one of its codes, each as likely as the others."""
    rows, codes = masks.shape
    legal = np.flatnonzero(np.ascontiguousarray(masks).view(np.bool_))
    row_starts = np.arange(0, (rows + 1) * codes, codes)
    ends = np.searchsorted(legal, row_starts)
    chosen = ends[:-1] + (chance.random(rows) * (ends[1:] - ends[:-1])).astype(np.int64)
    return legal[chosen] - row_starts[:-1]


# Memory that the games write and NumPy reads.


class _Lender:
    """Offers the memory of a `vec` to NumPy, as its own buffer does, but also to be written."""

    def __init__(self, memory: Any, kind: type[np.generic]) -> None:
        offered = np.frombuffer(memory, kind).__array_interface__
        self.memory = memory
        self.__array_interface__ = {**offered, "data": (offered["data"][0], False)}


def lent(memory: Any, kind: type[np.generic]) -> NDArray[Any]:
    """The memory of a `vec` as an array that lives as long as it is needed; the `vec` must not grow."""
    return np.asarray(_Lender(memory, kind))
