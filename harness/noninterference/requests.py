"""Requests of every shape for twin services, and the closed list of what these may answer differently."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import inspect

from cartagena.endpoints.routing import Route
from cartagena.messages.requests import Act, Undo
from cartagena.notation.typed_action import find_action
from cartagena.rules.legality import legal
from cartagena.rules.position import Position
from cartagena.rules.refusals import CartagenaError
from cartagena.rules.undoable_game import UndoableGame

FIELDS: Final = {
    "commitment": "the hash of the secret of the shuffle, which differs because the cards do",
    "secret": "the same, shown after the end",
    "now": "the clock of PostgreSQL, asked a moment later",
    "deadline": "counted from that clock",
    "banks": "milliseconds that passed between two requests",
    "at": "when a line was said",
    "created": "when a table was opened",
    "seen": "when a session was last used",
    "expires": "counted from when it was made",
}
HEADERS: Final = {
    "date": "the clock of the machine",
    "x-request-id": "made up for each request",
    "content-length": "follows from the body, which is compared",
}
ROUTES: Final = {
    "metrics": "counts of the process, for operators",
    "table_stream": "followed for as long as a game lasts, not asked for",
    "my_stream": "the same as that of a table, for all tables of one player",
    "lobby_stream": "tells of other tables, each of which is asked about by itself",
    "become_guest": "answers with a secret of its own making, before there is a table",
    "make_token": "the same",
    "make_bot": "the same",
    "renew_bot_token": "the same",
    "make_device_code": "the same",
    "renew_recovery_codes": "the same",
    "begin_passkey": "the same",
    "begin_sign_in": "the same",
    "go_to_club": "the same",
    "open_table": "opens another table",
    "match": "the same",
    "make_challenge": "asks for another table",
    "challenge": "needs a challenge, which is made without any table",
    "withdraw_challenge": "the same",
    "accept_challenge": "the same, and opens another table",
    "decline_challenge": "the same",
    "sign_out": "ends the session that asks",
    "delete_me": "the same",
    "end_session": "the same",
    "end_other_sessions": "the same",
    "change_me": "renames the one who asks, whose name is part of what is compared",
    "block_player": "keeps two from sitting at the next table",
    "resign": "ends the game; it is sent once, as the last request",
    "set_webhook": "makes a secret of its own",
    "subscribe_push": "speaks to a service of a browser's maker",
}
"""Routes that are not asked while a game is compared."""

_SHOWN: Final = 400
_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[0-9.]*(?:Z|\+00:00)")


def plain(text: str, names: Mapping[str, str]) -> object:
    """An answer in a form that is equal for both twins: with common names, and without what may differ."""
    for own, common in names.items():
        text = text.replace(own, common)
    text = _MOMENT.sub("<moment>", _ID.sub("<id>", text))
    try:
        return _without(json.loads(text))
    except ValueError:
        return text


def _without(told: Any) -> object:
    if isinstance(told, dict):
        return {key: "<may differ>" if key in FIELDS else _without(value) for key, value in told.items()}
    if isinstance(told, list):
        return [_without(each) for each in told]
    return told


def where_they_differ(one: object, other: object, path: str = "") -> str:
    """The first place at which two answers differ, and the two values.

    >>> where_they_differ({"a": [1, 2]}, {"a": [1, 3]})
    '.a[1]: 2 and 3'
    >>> where_they_differ([1, 2], [1])
    '[1]: 2 and nothing'
    """
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        places = [(one[key], other[key], f"{path}.{key}") for key in one]
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        pairs = zip_longest(one, other, fillvalue="nothing")
        places = [(here, there, f"{path}[{place}]") for place, (here, there) in enumerate(pairs)]
    else:
        return f"{path}: {str(one)[:_SHOWN]} and {str(other)[:_SHOWN]}"
    return next(where_they_differ(*place) for place in places if place[0] != place[1])


VERBS: Final = ("play", "retreat", "trim", "end", "end_turn", "sail", "captain_sail", "pass", "nonsense")
WORDS: Final = (
    *VERBS,
    *("bottle", "dagger", "hat", "key", "pistol", "skull", "b", "d", "h", "k", "gold", "1", "2", "7", "14"),
)
ANY_METHOD: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
PICTURES: Final = ("table", "table", "replay", "player")
SMALL: Final = 9
"""The largest made-up number: small ones often mean something."""
OFTEN: Final = {"actions": 8, "undo": 1, "ask_hint": 1, "show_table": 1, "record": 1, "replay": 1}
"""More than half of all requests go to these routes, with these weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request; names in braces are replaced by the ids of each twin."""

    method: str
    path: str
    body: bytes | None = field(default=None, repr=False)
    last: str | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path} {(self.body or b'').decode(errors='replace')[:300]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The state of a table for a sender: their seat if they have one, and the game of the first twin."""

    seat: int | None
    seq: int
    game: UndoableGame

    @property
    def position(self) -> Position:
        """The position of the game."""
        return self.game.position

    @property
    def is_on_turn(self) -> bool:
        """Whether the sender is to act."""
        return self.seat is not None and self.position.to_act == self.seat


class Requests:
    """Makes up random requests."""

    def __init__(self, routes: tuple[Route, ...], chance: Random) -> None:
        self._routes = [route for route in routes if route.name not in ROUTES]
        self._left_out = {(route.method, route.template) for route in routes if route.name in ROUTES}
        self._often = [route for route in self._routes for _ in range(OFTEN.get(route.name, 0))]
        self._chance = chance

    def next(self, scene: Scene) -> Asked:
        """Return a request that changes neither game: moves that count are made elsewhere, for both."""
        while True:
            route = self._chance.choice(self._often if self._happens(60) else self._routes)
            body = self._body(route, scene)
            if body is None or not self._would_count(route, body, scene):
                return Asked(method=self._method(route), path=self._path(route), body=body)

    def _method(self, route: Route) -> str:
        others = [method for method in ANY_METHOD if (method, route.template) not in self._left_out]
        return self._chance.choice(others) if self._happens(2) else route.method

    def _happens(self, in_a_hundred: int) -> bool:
        return self._chance.randrange(100) < in_a_hundred

    def _path(self, route: Route) -> str:
        path = route.template
        for name in ("player_id", "other_id", "player"):
            path = path.replace(f"{{{name}}}", self._chance.choice(("{player0}", "{player1}")))
        path = path.replace("{table_id}", "{table}").replace("{kind}/{file}", self._picture())
        if route.method == "GET" and "?" not in path and self._happens(20):
            path += self._chance.choice(("?invite={invite}", "?invite=x", "?nonsense=1"))
        return path

    def _picture(self) -> str:
        file = self._chance.choice(("{table}.png?invite={invite}", "{table}.png", "{player0}.png"))
        return f"{self._chance.choice(PICTURES)}/{file}"

    # Bodies.

    def _body(self, route: Route, scene: Scene) -> bytes | None:
        if route.body is None:
            return None
        if self._happens(5):
            return self._chance.choice((b"", b"{", b"[]", b"null", b'{"key":1}', b"\xff\xfe", b'"play"'))
        made = self._act(scene) if route.body is Act else self._made_up(inspect.type_info(route.body))
        if route.body is Undo:
            made["seq"] = self._seq(scene)
        if self._happens(10) and made:
            made[self._chance.choice(list(made))] = self._chance.choice((None, -1, "x", [], {}, True, 10**9))
        encoded = json.dumps(made).encode()
        return encoded[: self._chance.randrange(len(encoded))] if self._happens(3) else encoded

    def _seq(self, scene: Scene) -> int:
        return max(0, scene.seq + self._chance.choice((0, 0, 0, 0, 0, 0, -1, 1, -9)))

    def _act(self, scene: Scene) -> dict[str, Any]:
        body: dict[str, Any] = {"key": self._key(), "seq": self._seq(scene)}
        if self._happens(25):
            body["code"] = self._chance.randrange(400)
        else:
            words = [self._chance.choice(VERBS), *self._chance.choices(WORDS, k=2)]
            words = words[: self._chance.choice((1, 1, 2, 3))]
            body["action"] = " ".join(words)[: self._chance.choice((1, 2, 30, 30))]
        return body

    def _key(self) -> str:
        return str(UUID(int=self._chance.getrandbits(128), version=4))

    def _made_up(self, kind: Any) -> Any:
        match kind:
            case inspect.StructType(fields=fields):
                wanted = [each for each in fields if each.required or self._happens(60)]
                return {each.encode_name: self._made_up(each.type) for each in wanted}
            case inspect.UnionType(types=types):
                return self._made_up(self._chance.choice(types))
            case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
                return [self._made_up(item) for _ in range(self._chance.randint(0, 3))]
            case inspect.DictType():
                return {}
            case _:
                return self._made_up_value(kind)

    def _made_up_value(self, kind: object) -> object:
        match kind:
            case inspect.UUIDType():
                return self._key()
            case inspect.IntType(ge=least, le=most):
                return self._chance.randint(least or 0, min(SMALL if most is None else most, SMALL))
            case inspect.StrType(pattern=pattern):
                return "5a" * 32 if pattern else self._chance.choice(WORDS)
            case inspect.BoolType():
                return self._happens(50)
            case inspect.LiteralType(values=values):
                return self._chance.choice(values)
            case _:
                return None

    # What would change the game of only one of the two, or end it.

    def _would_count(self, route: Route, body: bytes, scene: Scene) -> bool:
        """Whether this is a choice that the seat to act may make."""
        if not scene.is_on_turn or route.body not in {Act, Undo}:
            return False
        if route.body is Undo:
            return scene.game.refusal_of_undo() is None
        try:
            act = msgspec.json.decode(body, type=Act)
            code = act.code if act.code is not None else find_action(scene.position, act.action or "")
        except (msgspec.MsgspecError, UnicodeDecodeError, CartagenaError):
            return False
        return code in legal(scene.position)
