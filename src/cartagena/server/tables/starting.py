"""The start: the promise is shown, the numbers of the seats come in, the cards are dealt."""

from typing import Final

from msgspec.structs import replace

from cartagena.fairness import FairnessError, Shuffle, check, commit
from cartagena.fairness.commitment import hash_text
from cartagena.fairness.opening import opening, shuffler
from cartagena.rules.undoable_game import Game
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.tables.sheet import SECOND, Chair, Sheet, Stage
from cartagena.server.tables.table import EVERY_SEAT, Change, EventKind, News, Table, TimeGuard, by_seat, step

PATIENCE: Final = 30 * SECOND
"""How long a start waits for the numbers that were promised."""


def shuffle_of(table: Table) -> Shuffle:
    """The fair shuffle of a table's game, once every promised number is there."""
    return Shuffle(
        game_id=table.sheet.shuffle_id(table.id),
        ruleset=table.sheet.ruleset,
        nonces=tuple(
            None if chair.nonce is None else bytes.fromhex(chair.nonce) for chair in table.sheet.chairs
        ),
        secret=table.secret,
    )


def dealt(table: Table) -> Game:
    """The game from the deal to where this table begins; a branch begins later than the deal."""
    shuffle, sheet = shuffle_of(table), table.sheet
    game = Game(opening(shuffle, sheet.rules, len(sheet.chairs)))
    order = shuffler(shuffle)
    for code in () if sheet.branch is None else sheet.branch.codes:
        game.act(code, order)
    return game


def promise(table: Table, seat: int, nonce_hash: str) -> Change:
    """A player promises a number for the shuffle; they do so again after a start that was called off."""
    table.require(Stage.OPEN)
    checked_hash(nonce_hash)
    chair = replace(table.chair(seat), nonce_hash=nonce_hash)
    return by_seat(step(table, EventKind.PROMISED, sheet=table.sheet.with_chair(seat, chair)), seat)


def checked_hash(text: str | None) -> str | None:
    """Return the hash of a number unchanged; raises UNFIT if it is not a hash."""
    if text is None:
        return None
    try:
        return hash_text("a nonce hash", text)
    except FairnessError:
        raise ServiceError(Problem.UNFIT, "a nonce hash is 64 small hexadecimal digits") from None


def start(table: Table) -> Change:
    """The host starts: at once if no number is owed, else the table waits for the numbers."""
    table.require(Stage.OPEN)
    sheet = table.sheet
    if any(chair.is_open for chair in sheet.chairs):
        raise ServiceError(Problem.NOT_FULL, "a seat is still open: wait for a player, or add a bot")
    sheet = replace(sheet, starts=sheet.starts + 1, stage=Stage.STARTING)
    if not any(chair.owes_nonce for chair in sheet.chairs):
        return deal(table, sheet, EventKind.BEGAN)
    return replace(step(table, EventKind.STARTED, sheet=sheet), settle=True, deadline_in=PATIENCE)


def show_nonce(table: Table, seat: int, nonce: str) -> Change:
    """A player shows the promised number; with the last one the cards are dealt."""
    table.require(Stage.STARTING)
    chair = table.chair(seat)
    if not chair.owes_nonce:
        raise ServiceError(Problem.UNFIT, "this seat owes no number")
    sheet = table.sheet.with_chair(seat, replace(chair, nonce=checked_nonce(chair, nonce)))
    if any(chair.owes_nonce for chair in sheet.chairs):
        return by_seat(step(table, EventKind.NONCE_SHOWN, sheet=sheet), seat)
    return replace(deal(table, sheet, EventKind.BEGAN), seat=seat)


def checked_nonce(chair: Chair, nonce: str) -> str:
    """Return the number if it is the promised one; raises UNFIT for any other."""
    assert chair.nonce_hash is not None
    try:
        kept = check(chair.nonce_hash, bytes.fromhex(nonce))
    except ValueError:
        raise ServiceError(Problem.UNFIT, "a nonce is 64 small hexadecimal digits") from None
    if not kept:
        raise ServiceError(Problem.UNFIT, "this is not the number whose hash was promised")
    return bytes.fromhex(nonce).hex()


def deal(table: Table, sheet: Sheet, kind: EventKind) -> Change:
    """Every number is known: the cards are dealt, the clocks start."""
    sheet = replace(sheet, stage=Stage.RUNNING)
    game = Game(dealt(replace(table, sheet=sheet)).position)
    return replace(step(table, kind, sheet=sheet, game=game), settle=True, refill=EVERY_SEAT)


def call_off(table: Table, secret: bytes) -> Change:
    """Call off the start because a number did not come; the next try uses another secret."""
    table.require(Stage.STARTING)
    late = [chair.name for chair in table.sheet.chairs if chair.owes_nonce]
    chairs = tuple(replace(chair, nonce_hash=None, nonce=None) for chair in table.sheet.chairs)
    sheet = replace(
        table.sheet,
        stage=Stage.OPEN,
        called_off=table.sheet.called_off + 1,
        chairs=chairs,
        commitment=commit(secret),
    )
    change = step(table, EventKind.CALLED_OFF, sheet=sheet)
    return replace(
        change,
        after=replace(change.after, secret=secret),
        news=News(name=", ".join(late)),
        guard=TimeGuard.EXPIRED,
        settle=True,
    )
