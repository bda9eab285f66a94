"""A story for tests of the search for secrets: a whole game, and what a faithful service sends of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import msgspec

from cartagena.fairness import Shuffle
from cartagena.fairness.record import headers_of_shuffle
from cartagena.fairness.shuffle import opening, shuffler
from cartagena.messages import (
    ChatMessage,
    ErrorMessage,
    NewsMessage,
    ProblemMessage,
    TableMessage,
    Update,
    encode,
    update_for,
)
from cartagena.notation import format_record, format_ruleset, record_of, record_of_view
from cartagena.notation.record import Ending, Result
from cartagena.rules.legality import legal
from cartagena.rules.ruleset import Ruleset
from cartagena.rules.undoable_game import UndoableGame
from harness.play.clients import Exchange
from harness.play.secrets import Listener, Search, Tell
from harness.play.traces import Secrets
from harness.play.truth import Logged, Moment, Truth

TABLE = "/api/tables/01234567-89ab-7000-8000-000000000001"
DEALT = 3
"""The event with which the cards were dealt."""
TOKENS = ("ct_" + "a" * 43, "ct_" + "b" * 43)
LINE = ChatMessage(number=1, seat=0, name="Anne", text="Ahoy, who takes the treasure?", at=1)
HEADERS = ((b"content-type", b"application/json"), (b"cache-control", b"no-store"))

Spoil = Callable[[Update], Update]


@dataclass
class Story:
    """A game that is over, as the store has it."""

    truth: Truth
    secrets: Secrets

    def moment(self, holds: Callable[[Moment], bool]) -> int:
        """The number of the first event for which `holds` is true."""
        return next(seq for seq, moment in self.truth.moments.items() if holds(moment))

    def update(
        self, seq: int, seat: int | None, tell: Tell = update_for, table: TableMessage | None = None
    ) -> Update:
        """What is sent of an event."""
        moment = self.truth.moments[seq]
        return tell(seat, seq, moment.told, moment.position, table=table, undo=moment.undo)

    def record(self, seq: int, seat: int | None) -> str:
        """The record that is sent while the game runs."""
        return format_record(record_of_view(self.truth.record_at(self.truth.moments[seq]), seat))

    def search(self, *exchanges: Exchange, seat: int | None = 1, tell: Tell = update_for) -> Search:
        """The search through what one client received."""
        listener = Listener(name="Bart", seat=seat, exchanges=exchanges, token=TOKENS[1])
        return Search(self.truth, listener, self.secrets, (LINE,), Random(1), tell)

    def leaks(self, *exchanges: Exchange, seat: int | None = 1, tell: Tell = update_for) -> list[str]:
        """What it finds."""
        return list(self.search(*exchanges, seat=seat, tell=tell).leaks())


def story(ruleset: Ruleset, seats: int, seed: int, *, actions: int = 400) -> Story:
    """A game played at random, with undo, to its end or until it was given up."""
    chance = Random(seed)
    shuffle = Shuffle(
        game_id="a-game.1",
        ruleset=format_ruleset(ruleset),
        nonces=tuple(chance.randbytes(32) for _ in range(seats)),
        secret=chance.randbytes(32),
    )
    game = UndoableGame(opening(shuffle, ruleset, seats))
    log, orders = [Logged(seq=DEALT)], shuffler(shuffle)
    while not game.position.over and len(log) < actions:
        game.act(chance.choice(legal(game.position)), orders)
        log.append(Logged(seq=DEALT + len(log), code=game.events[-1].code, orders=game.events[-1].orders))
        if chance.random() < 0.2 and game.refusal_of_undo() is None:
            game.undo()
            log.append(Logged(seq=DEALT + len(log), undone=True))
    headers = headers_of_shuffle(shuffle, ruleset, ["Anne", "Bart", "Cora", "Dirk", "Elsa"][:seats])
    result = None if game.position.over else Result(Ending.ABANDONED)
    truth = Truth(record_of(game, headers, result), log, dealt_at=DEALT)
    return Story(truth, secrets_of(truth, game))


def secrets_of(truth: Truth, game: UndoableGame) -> Secrets:
    """What nobody may be sent."""
    secrets = Secrets()
    assert truth.headers.secret is not None
    assert truth.headers.nonces is not None
    secrets.add_bytes("the secret of the shuffle", truth.headers.secret)
    for nonce in truth.headers.nonces:
        assert nonce is not None
        secrets.add_bytes("a number for the shuffle", nonce)
    for token in TOKENS:
        secrets.add_text("a token", token)
    secrets.add_game(game)
    return secrets


# --- What came over the wire -----------------------------------------------------------------------


def answer(method: str, rest: str, body: bytes | msgspec.Struct, status: int = 200) -> Exchange:
    """An answer about the table."""
    content = body if isinstance(body, bytes) else encode(body)
    return Exchange(method=method, path=TABLE + rest, status=status, headers=HEADERS, body=bytearray(content))


def acted(update: Update) -> Exchange:
    """The answer to an action."""
    return answer("POST", "/actions", update)


def refused(message: str, current: Update | None = None, code: str = "stale") -> Exchange:
    """A refusal."""
    body = ErrorMessage(error=ProblemMessage(code=code, message=message), current=current)
    return answer("POST", "/actions", body, 409)


def streamed(*events: tuple[str, bytes | msgspec.Struct]) -> Exchange:
    """A stream with these events."""
    body = bytearray(b"retry: 1000\n\n:\n\n")
    for name, data in events:
        body += b"event: %b\nid: 1.0\ndata: %b\n\n" % (
            name.encode(),
            data if isinstance(data, bytes) else encode(data),
        )
    return replace_body(answer("GET", "/stream", b""), bytes(body))


def replace_body(exchange: Exchange, body: bytes) -> Exchange:
    """Return `exchange` with another body."""
    return replace(exchange, body=bytearray(body))


NEWS = NewsMessage(kind="sat", seat=1, name="Bart")
