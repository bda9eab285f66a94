"""Before the start: sitting down, leaving, and what the host may arrange."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from cartagena.bots.players.registry import names as levels
from cartagena.fairness import FairnessError, Shuffle, check, commit
from cartagena.fairness.shuffle import hash_text, opening, shuffler
from cartagena.notation import parse_record
from cartagena.notation.position_text import format_ruleset
from cartagena.notation.replay import replay
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, Ruleset
from cartagena.rules.undoable_game import UndoableGame
from cartagena.tables.errors import SENT_AWAY, Problem, ServiceError
from cartagena.tables.sheet import SECOND, Chair, Clock, Sheet, Stage, begun
from cartagena.tables.table import (
    EVERY_SEAT,
    Change,
    EventKind,
    News,
    Table,
    TimeGuard,
    by_seat,
    require_calm,
    step,
)

MOST_MUTED: Final = 100
"""The most players who can be muted at one table; a sheet is read and written as a whole."""

HINTS: Final = {True: "hints_on", False: "hints_off"}
"""The text of the news that the host allows hints, or no longer does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """A player who wants a chair, and the promise of a number for the shuffle."""

    player: UUID
    name: str
    guest: bool
    nonce_hash: str | None = None
    household: str = ""
    program: bool = False
    """Whether this is the account of a bot."""

    def chair(self, since: int, *, is_dealt: bool = True) -> Chair:
        """The chair once this player has sat down on it with event `since`, to be dealt cards or not."""
        return Chair(
            player=self.player,
            name=self.name,
            guest=self.guest,
            program=self.program,
            nonce_hash=self.nonce_hash if is_dealt else None,
            since=since,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a host decides about a table; the `bots` fill the last seats of a new one."""

    ruleset: Ruleset
    seats: int
    clock: Clock | None
    listed: bool
    rated: bool
    spectators: bool
    bots: tuple[str, ...] = ()
    quick: bool = False
    hints: bool = False


def check_terms(terms: Terms, chairs: Sequence[Chair], *, quick: bool) -> None:
    """Refuse terms that no game can have, or that the players at the table rule out."""
    if not FEWEST_SEATS <= terms.seats <= MOST_SEATS:
        raise ServiceError(Problem.UNFIT, f"a table has {FEWEST_SEATS} to {MOST_SEATS} seats")
    if terms.rated and terms.clock is None:
        raise ServiceError(Problem.UNFIT, "a rated table needs a clock")
    if terms.rated and terms.hints:
        raise ServiceError(Problem.UNFIT, "there are no hints in a rated game")
    for chair in chairs:
        check_rated(chair, rated=terms.rated)
        check_quick(chair, quick=quick)


def check_quick(chair: Chair, *, quick: bool) -> None:
    """Who asks for a game with strangers asks for people."""
    if quick and chair.program:
        raise ServiceError(Problem.FORBIDDEN, "quick games are for people: a bot sits where it is invited")


def check_rated(chair: Chair, *, rated: bool) -> None:
    """A table with bots or guests is casual."""
    if rated and (chair.guest or chair.program or chair.level is not None):
        raise ServiceError(Problem.NEEDS_ACCOUNT, "bots and guests do not play rated games")


def sit(table: Table, sitter: Sitter, seat: int | None) -> Change:
    """A player takes an open chair, the first one if they name none."""
    table.require(Stage.OPEN)
    sheet = table.sheet
    if sitter.player in sheet.kicked:
        raise ServiceError(Problem.KICKED, SENT_AWAY)
    if sheet.seat_of(sitter.player) is not None:
        raise ServiceError(Problem.ALREADY_SEATED, "you already sit at this table")
    open_seats = [number for number, chair in enumerate(sheet.chairs) if chair.is_open]
    if not open_seats:
        raise ServiceError(Problem.SEAT_TAKEN, "every seat of this table is taken")
    if seat is not None and not table.chair(seat).is_open:
        raise ServiceError(Problem.SEAT_TAKEN, f"seat {seat} is taken")
    taken = open_seats[0] if seat is None else seat
    chair = replace(sitter.chair(table.seq + 1, is_dealt=sheet.branch is None), told_after=sheet.public_after)
    check_rated(chair, rated=sheet.rated)
    check_quick(chair, quick=sheet.quick)
    return by_seat(step(table, EventKind.SAT, sheet=sheet.with_chair(taken, chair)), taken)


def leave(table: Table, seat: int) -> Change:
    """A player gets up; the next person becomes host, and a table without people is closed."""
    table.require(Stage.OPEN)
    return _without(table, seat, EventKind.LEFT)


def kick(table: Table, seat: int, *, invite: str) -> Change:
    """The host sends a player away for good: the invitation code that they know stops working."""
    table.require(Stage.OPEN)
    player = _person(table, seat)
    if player == table.sheet.host:
        raise ServiceError(Problem.UNFIT, "a host leaves by himself")
    gone = _without(table, seat, EventKind.KICKED)
    sheet = replace(gone.after.sheet, kicked=(*gone.after.sheet.kicked, player), invite=invite)
    if not sheet.listed:
        # Spectators came in by the old code; one of them may be the kicked player, not signed in.
        sheet = replace(sheet, shut_since=gone.after.seq)
    return replace(gone, after=replace(gone.after, sheet=sheet))


def _person(table: Table, seat: int) -> UUID:
    player = table.chair(seat).player
    if player is None:
        raise ServiceError(Problem.UNFIT, f"no person sits on seat {seat}")
    return player


def _without(table: Table, seat: int, kind: EventKind) -> Change:
    sheet = table.sheet.with_chair(seat, Chair())
    people = [chair.player for chair in sheet.chairs if chair.player is not None]
    if not people:
        sheet = replace(sheet, stage=Stage.OVER, ending="closed", household="")
    elif sheet.host not in people:
        sheet = replace(sheet, host=people[0])
    return by_seat(step(table, kind, sheet=sheet), seat)


def add_bot(table: Table, seat: int, level: str) -> Change:
    """The host lets a bot play on an open chair."""
    table.require(Stage.OPEN)
    chair = bot_chair(level)
    if not table.chair(seat).is_open:
        raise ServiceError(Problem.SEAT_TAKEN, f"seat {seat} is taken")
    check_rated(chair, rated=table.sheet.rated)
    return by_seat(step(table, EventKind.BOT_ADDED, sheet=table.sheet.with_chair(seat, chair)), seat)


def bot_chair(level: str) -> Chair:
    """A chair on which a bot plays; raises UNFIT if there is no such bot."""
    if level not in levels():
        raise ServiceError(Problem.UNFIT, f"no bot is called so; there are {', '.join(levels())}")
    return Chair(level=level, name=level)


def remove_bot(table: Table, seat: int) -> Change:
    """The host takes a bot away."""
    table.require(Stage.OPEN)
    if table.chair(seat).level is None:
        raise ServiceError(Problem.UNFIT, f"no bot sits on seat {seat}")
    return by_seat(step(table, EventKind.BOT_REMOVED, sheet=table.sheet.with_chair(seat, Chair())), seat)


def reorder(table: Table, order: Sequence[int]) -> Change:
    """The host changes who sits where: `order` names the present seats in their new order."""
    table.require(Stage.OPEN)
    chairs = table.sheet.chairs
    if sorted(order) != list(range(len(chairs))):
        raise ServiceError(Problem.UNFIT, "an order names every seat once")
    moved = tuple(
        chairs[seat] if seat == place else replace(chairs[seat], since=table.seq + 1)
        for place, seat in enumerate(order)
    )
    sheet = replace(table.sheet, chairs=moved)
    return step(table, EventKind.REORDERED, sheet=sheet)


def change_terms(table: Table, terms: Terms) -> Change:
    """The host changes rules, clock, seats or who may come in; seats are added or removed at the end."""
    table.require(Stage.OPEN)
    old = table.sheet
    if any(not chair.is_open for chair in old.chairs[terms.seats :]):
        raise ServiceError(Problem.SEAT_TAKEN, "somebody sits on a chair that would go")
    kept = (*old.chairs[: terms.seats], *(Chair() for _ in range(terms.seats - len(old.chairs))))
    check_terms(terms, kept, quick=old.quick)
    if not old.allows(format_ruleset(terms.ruleset), terms.seats, listed=terms.listed, rated=terms.rated):
        raise ServiceError(Problem.UNFIT, "a game that goes on keeps rules and seats, private and casual")
    if old.quick and terms.hints:
        raise ServiceError(Problem.UNFIT, "there are no hints where strangers were matched")
    sheet = replace(_with_terms(old, terms), chairs=kept)
    if sheet.counts_otherwise(old):
        raise ServiceError(Problem.UNFIT, "a rated game has the terms under which its players sat down")
    if (old.spectators and not terms.spectators) or (old.listed and not terms.listed):
        sheet = replace(sheet, shut_since=table.seq + 1)
    if terms.listed and not old.listed:
        sheet = replace(sheet, public_after=table.chat)
    change = step(table, EventKind.SETTINGS_CHANGED, sheet=sheet)
    # Whether others may get help concerns everybody, so it gets its own news.
    return change if old.hints == terms.hints else replace(change, news=News(text=HINTS[terms.hints]))


def _with_terms(sheet: Sheet, terms: Terms) -> Sheet:
    # Who came by a quick match stays a stranger, so `quick` is not among what a host may change.
    return replace(
        sheet,
        ruleset=format_ruleset(terms.ruleset),
        clock=terms.clock,
        listed=terms.listed,
        rated=terms.rated,
        spectators=terms.spectators,
        hints=terms.hints,
    )


def mute(table: Table, seat: int, *, muted: bool) -> Change:
    """The host mutes a seat in the chat, or lets it speak again."""
    return mute_player(table, _person(table, seat), muted=muted)


def mute_player(table: Table, player: UUID, *, muted: bool) -> Change:
    """The host mutes a player in the chat, seated or not, or lets them speak again.

    The event does not name a spectator: the log outlives the name of a player who only watched.
    """
    require_calm(table)
    sheet = replace(table.sheet, muted=_silent(table.sheet, player, muted=muted))
    kind, seat = EventKind.MUTED if muted else EventKind.UNMUTED, sheet.seat_of(player)
    if seat is None:
        return step(table, kind, sheet=sheet)
    chair = replace(table.chair(seat), muted=muted)
    return by_seat(step(table, kind, sheet=sheet.with_chair(seat, chair)), seat)


def _silent(sheet: Sheet, player: UUID, *, muted: bool) -> tuple[UUID, ...]:
    if not muted:
        return tuple(other for other in sheet.muted if other != player)
    if player in sheet.muted:
        return sheet.muted
    if len(sheet.muted) >= MOST_MUTED:
        raise ServiceError(Problem.UNFIT, f"{MOST_MUTED} players are silent at this table already")
    return (*sheet.muted, player)


def open_sheet(
    terms: Terms, sitter: Sitter, *, others: Sequence[Sitter] = (), invite: str, commitment: str
) -> Sheet:
    """The sheet of a new table: its host sits on the first chair, and `others` on the next."""
    people = tuple(each.chair(0) for each in (sitter, *others))
    free = terms.seats - len(people) - len(terms.bots)
    if free < 0:
        raise ServiceError(Problem.UNFIT, "there are more bots than seats")
    chairs = (*people, *(Chair() for _ in range(free)), *map(bot_chair, terms.bots))
    check_terms(terms, chairs, quick=terms.quick)
    return Sheet(
        ruleset=format_ruleset(terms.ruleset),
        chairs=chairs,
        host=sitter.player,
        clock=terms.clock,
        listed=terms.listed,
        rated=terms.rated,
        spectators=terms.spectators,
        quick=terms.quick,
        hints=terms.hints,
        invite=invite,
        commitment=commitment,
        household=sitter.household,
    )


# The start: the promise is shown, the numbers of the seats come in, the cards are dealt.

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


def dealt(table: Table) -> UndoableGame:
    """The game from the deal to where this table begins; a branch begins later than the deal."""
    shuffle, sheet = shuffle_of(table), table.sheet
    if sheet.branch is not None and sheet.branch.record:
        return replay(parse_record(sheet.branch.record))
    game = UndoableGame(opening(shuffle, sheet.rules, len(sheet.chairs)))
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
    sheet = begun(sheet)
    game = UndoableGame(dealt(replace(table, sheet=sheet)).position)
    return replace(step(table, kind, sheet=sheet, game=game), settle=True, refill=EVERY_SEAT)


def call_off(table: Table, secret: bytes) -> Change:
    """Call off the start because a number did not come; the next try uses another secret."""
    table.require(Stage.STARTING)
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
        news=News(name=", ".join(chair.name for chair in table.sheet.chairs if chair.owes_nonce)),
        guard=TimeGuard.EXPIRED,
        settle=True,
    )
