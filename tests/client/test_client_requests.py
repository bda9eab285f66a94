"""The client and the service agree: each request is compared with the table of routes."""

from typing import Any
from uuid import UUID

import msgspec
import pytest

from cartagena import Game
from cartagena.client import challenges, tables
from cartagena.client.request import Misunderstood, Refused, Request, Stale
from cartagena.endpoints.routing import Endpoint, Route, Routing
from cartagena.messages import ErrorMessage, ProblemMessage, Update, encode
from cartagena.messages.requests import TermsMessage
from tests.client.client_service import Service

TABLE = UUID("01234567-89ab-7000-8000-000000000001")
HASH = "0" * 64
TERMS = TermsMessage(ruleset="nest", seats=3)

# Any: requests whose answers are of every kind.
REQUESTS: list[Request[Any]] = [
    tables.open_table(TERMS, bots=["sailor"], nonce_hash=HASH),
    tables.see(TABLE, invite="code"),
    tables.record(TABLE, invite="code"),
    tables.rematch(TABLE, nonce_hash=HASH),
    tables.branch(TABLE, 3, invite="code"),
    tables.take_up(Game.start("nest", seed=1).record(), step=0, levels=[None, "sailor"]),
    tables.sit(TABLE, seat=1, nonce_hash=HASH, invite="code"),
    tables.leave(TABLE),
    tables.promise(TABLE, HASH),
    tables.show_nonce(TABLE, bytes(32)),
    tables.start(TABLE),
    tables.kick(TABLE, 1),
    tables.add_bot(TABLE, 1, "sailor"),
    tables.remove_bot(TABLE, 1),
    tables.reorder(TABLE, [1, 0]),
    tables.change_terms(TABLE, TERMS),
    tables.mute(TABLE, 1, muted=False),
    tables.mute_player(TABLE, TABLE),
    tables.act(TABLE, seq=7, choice=12),
    tables.act(TABLE, seq=7, choice="retreat 9"),
    tables.undo(TABLE, seq=7),
    tables.resign(TABLE),
    tables.take_back(TABLE),
    tables.abandon(TABLE, agrees=False),
    tables.say(TABLE, "Ahoy", invite="code"),
    tables.remove_line(TABLE, 1, invite="code"),
    tables.ask_hint(TABLE),
    tables.read_hint(TABLE, TABLE),
    tables.ask_analysis(TABLE),
    tables.read_analysis(TABLE),
    tables.become_guest("Anne"),
    tables.me(),
    tables.my_games(over=True, before=TABLE),
    tables.player(TABLE),
    tables.games_of(TABLE, ruleset="nest", outcome="won", rated=False, against="anne", before=TABLE),
    tables.rating_of(TABLE, "nest"),
    tables.lobby(ruleset="nest", seats=3, running=True, after=TABLE),
    tables.featured(),
    tables.find_match("nest", seats=3, nonce_hash=HASH),
    tables.ladder("nest", page=2),
    tables.bot_ladder("nest", seats=3, page=2),
    tables.rulesets(),
    challenges.my_challenges(),
    challenges.see(TABLE),
    challenges.make(TABLE, TERMS, nonce_hash=HASH),
    challenges.accept(TABLE, nonce_hash=HASH),
    challenges.decline(TABLE, "clock"),
    challenges.withdraw(TABLE),
]


OFFERED = (
    "/api/tables",
    "/api/lobby",
    "/api/matches",
    "/api/players",
    "/api/ladder",
    "/api/challenges",
    "/api/me/stream",
)
NOT_ASKED = {"table_stream", "lobby_stream", "my_stream", "replay", "line"}
"""Routes without a request: streams are followed, and a program replays and tries lines itself."""


async def test_every_request_has_a_route_that_takes_its_body_and_its_query(service: Service) -> None:
    routing = Routing(map(Endpoint, service.routes))
    for request in REQUESTS:
        route = _route_of(routing, request)
        if request.content is None:
            assert route.body is None, request
        else:
            assert route.body is not None, request
            assert msgspec.json.decode(request.content, type=route.body) == request.body
        if request.query:
            assert route.query is not None, request
            assert request.query.keys() <= {field.name for field in msgspec.structs.fields(route.query)}


async def test_whatever_a_table_or_the_lobby_offers_can_be_asked(service: Service) -> None:
    routing = Routing(map(Endpoint, service.routes))
    asked = {_route_of(routing, request).name for request in REQUESTS}
    offered = {route.name for route in service.routes if route.path.startswith(OFFERED)}
    assert offered - asked == NOT_ASKED


def _route_of(routing: Routing, request: Request[Any]) -> Route:
    found = routing.find(request.path)
    assert found is not None, request
    return found[0].endpoints[request.method].route


def test_terms_are_sent_without_defaults_that_an_older_node_may_not_know() -> None:
    assert encode(TERMS) == b'{"ruleset":"nest","seats":3}'


# How answers are read.


def test_a_refusal_is_an_error_with_code_rule_and_current() -> None:
    problem = ProblemMessage(code="no_company_behind", message="no", rule="R4.6")
    body = encode(ErrorMessage(error=problem, current=Update(seq=9)))
    with pytest.raises(Refused) as caught:
        REQUESTS[0].answer(422, body)
    error = caught.value
    assert (error.status, error.code, error.rule, error.retry_after) == (
        422,
        "no_company_behind",
        "R4.6",
        None,
    )
    assert error.current == Update(seq=9)
    assert not isinstance(error, Stale)


@pytest.mark.parametrize("code", ["stale", "too_late"])
def test_a_choice_that_came_too_late_is_an_error_of_its_own(code: str) -> None:
    body = encode(ErrorMessage(error=ProblemMessage(code=code, message="no"), current=Update(seq=9)))
    with pytest.raises(Stale) as caught:
        REQUESTS[0].answer(409, body)
    assert caught.value.current == Update(seq=9)


def test_a_refusal_does_not_print_anybodys_cards() -> None:
    current = Update(seq=9)
    error = Refused(409, ProblemMessage(code="stale", message="no"), current)
    assert "Update" not in f"{error!r} {error}"


@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"{}", b"", b"\xff\xfe"])
def test_what_the_service_never_says_is_misunderstood(body: bytes) -> None:
    with pytest.raises(Misunderstood):
        tables.see(TABLE).answer(500, body)
    with pytest.raises(Misunderstood):
        tables.see(TABLE).answer(200, body)
    with pytest.raises(Misunderstood):
        tables.record(TABLE).answer(200, body)


def test_an_update_of_another_version_is_misunderstood() -> None:
    strange = encode(Update(version=99, seq=1))
    with pytest.raises(Misunderstood, match="version 99"):
        tables.leave(TABLE).answer(200, strange)
    answer = b'{"id":"x","seat":null,"invite":null,"current":%b}' % strange
    with pytest.raises(Misunderstood, match="version 99"):
        tables.see(TABLE).answer(200, answer)


def test_a_table_without_its_whole_state_is_misunderstood() -> None:
    answer = b'{"id":"x","seat":null,"invite":null,"current":%b}' % encode(Update(seq=1))
    with pytest.raises(Misunderstood, match="whole state"):
        tables.see(TABLE).answer(200, answer)


def test_a_request_does_not_print_its_secrets() -> None:
    assert "00" not in repr(tables.show_nonce("t", bytes(32)))
    assert "Bearer" not in repr(tables.become_guest("Anne"))
