"""A request for every route that succeeds if the sender is allowed to, and what must be there for it."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cartagena.endpoints.events import StreamFrom
from cartagena.endpoints.tables import Invitation, LineQuery
from tests.server.authorisation_scene import Prepare, Scene, keyed
from tests.server.authorisation_world import NONCE, NONCE_HASH, Json, Who

RECORD = Path("tests/records/jamaica-2.record").read_text()
TERMS: Json = {"ruleset": "jamaica", "seats": 3}


def _nothing(_: Scene) -> Json | None:
    return None


@dataclass(frozen=True, slots=True)
class Request:
    """What has to be there first, and the body and query that are sent."""

    prepare: Prepare = Scene.nothing
    body: Callable[[Scene], Json | None] = _nothing
    query: Callable[[Scene], Json | None] = _nothing


def _keyed(scene: Scene) -> Json:
    del scene  # whatever the scene, a key is a key
    return keyed()


def _example(scene: Scene) -> Json:
    shown = scene.service.example(scene.route.name)
    return shown | keyed() if "key" in shown else shown


def _terms(scene: Scene) -> Json:
    return keyed(terms=TERMS | {"listed": scene.listed})


def _act(scene: Scene) -> Json:
    return keyed(seq=scene.current["seq"], code=scene.current["view"]["legal"][0])


def _taking_up(_: Scene) -> Json:
    return keyed(record=RECORD, step=4, levels=[None, None])


AT_TABLES: dict[str, Request] = {
    "show_table": Request(Scene.dealt),
    "record": Request(Scene.dealt),
    "replay": Request(Scene.dealt),
    "table_stream": Request(Scene.dealt),
    "line": Request(Scene.over, query=lambda _: {"step": 0}),
    "branch": Request(Scene.over, lambda _: keyed(step=0)),
    "rematch": Request(Scene.over, _keyed),
    "sit": Request(Scene.open, _keyed),
    "leave": Request(Scene.open, _keyed),
    "promise": Request(Scene.open, lambda _: keyed(nonce_hash=NONCE_HASH)),
    "nonce": Request(Scene.starting, lambda _: keyed(nonce=NONCE)),
    "start": Request(Scene.full, _keyed),
    "kick": Request(Scene.open, lambda _: keyed(seat=1)),
    "bots": Request(Scene.open, lambda _: keyed(seat=2, level="deckhand")),
    "bots_remove": Request(Scene.with_bot, lambda _: keyed(seat=2)),
    "order": Request(Scene.open, lambda _: keyed(order=[1, 0, 2])),
    "terms": Request(Scene.open, _terms),
    "mute": Request(Scene.open, lambda _: keyed(seat=1)),
    "actions": Request(Scene.dealt, _act),
    "undo": Request(Scene.acted, lambda scene: keyed(seq=scene.current["seq"])),
    "resign": Request(Scene.dealt, _keyed),
    "take_back": Request(Scene.dealt, _keyed),
    "abandon": Request(Scene.dealt, _keyed),
    "chat": Request(Scene.dealt, lambda _: keyed(text="ahoy")),
    "remove_line": Request(Scene.spoken, _keyed),
    "ask_hint": Request(Scene.dealt),
    "read_hint": Request(Scene.hinted),
    "ask_analysis": Request(Scene.over),
    "read_analysis": Request(Scene.analysed),
}
"""Whatever has a table in its path."""

ELSEWHERE: dict[str, Request] = {
    "open_table": Request(body=_example),
    "take_up": Request(body=_taking_up),
    "lobby": Request(),
    "lobby_stream": Request(),
    "featured_replay": Request(),
    "match": Request(body=_example),
    "rulesets": Request(),
    "my_games": Request(),
    "my_stream": Request(),
    "my_challenges": Request(Scene.challenged),
    "challenge": Request(Scene.challenged),
    "make_challenge": Request(
        Scene.own_bot, lambda scene: keyed(opponent=scene.places["bot_id"], terms={"ruleset": "jamaica"})
    ),
    "withdraw_challenge": Request(Scene.challenged),
    "accept_challenge": Request(Scene.challenged, lambda _: {}),
    "decline_challenge": Request(Scene.challenged, lambda _: {}),
    "player": Request(Scene.target),
    "games_of_player": Request(Scene.target),
    "rating_of_player": Request(Scene.target, query=lambda _: {"ruleset": "jamaica"}),
    "ladder": Request(query=lambda _: {"ruleset": "jamaica"}),
    "bot_ladder": Request(query=lambda _: {"ruleset": "jamaica"}),
    "become_guest": Request(body=_example),
    "sign_out": Request(),
    "who_am_i": Request(),
    "ways_in": Request(),
    "go_to_club": Request(),
    "back_from_club": Request(query=lambda _: {"state": "unknown", "code": "unknown"}),
    "begin_sign_in": Request(),
    "finish_sign_in": Request(body=lambda _: {"credential": {}}),
    "recovery_sign_in": Request(body=_example),
    "device_sign_in": Request(body=_example),
    "me": Request(),
    "change_me": Request(body=lambda _: {"name": f"Mate {secrets.token_hex(6)}"}),
    "export_me": Request(),
    "delete_me": Request(),
    "my_sessions": Request(),
    "end_session": Request(Scene.other_session),
    "end_other_sessions": Request(),
    "begin_passkey": Request(body=lambda _: {}),
    "finish_passkey": Request(body=lambda _: {"credential": {}}),
    "prove_myself": Request(body=lambda _: {"credential": {}}),
    "my_passkeys": Request(),
    "rename_passkey": Request(Scene.own_passkeys, _example),
    "remove_passkey": Request(Scene.own_passkeys),
    "renew_recovery_codes": Request(Scene.own_passkeys),
    "make_device_code": Request(),
    "end_device_code": Request(Scene.own_code),
    "my_tokens": Request(),
    "make_token": Request(body=_example),
    "revoke_token": Request(Scene.own_token),
    "my_bots": Request(),
    "make_bot": Request(body=lambda _: {"name": f"Bot {secrets.token_hex(6)}", "engine": "furthest"}),
    "renew_bot_token": Request(Scene.own_bot),
    "delete_bot": Request(Scene.own_bot),
    "my_blocks": Request(),
    "block_player": Request(Scene.target),
    "unblock_player": Request(Scene.target),
    "report_player": Request(
        Scene.target, lambda scene: keyed(player=scene.places["player_id"], text="lies")
    ),
    "push_key": Request(),
    "my_browsers": Request(),
    "subscribe_push": Request(body=_example),
    "unsubscribe_push": Request(Scene.own_browser),
    "my_webhook": Request(Scene.webhooks),
    "set_webhook": Request(body=_example),
    "remove_webhook": Request(Scene.webhooks),
    "reports": Request(Scene.reported),
    "close_report": Request(Scene.reported, _example),
    "ban_player": Request(Scene.target, _example),
    "lift_ban": Request(Scene.target),
    "report_failure": Request(body=_example),
    "picture": Request(Scene.pictured),
    "health": Request(),
    "ready": Request(),
    "metrics": Request(),
    "openapi": Request(),
    "docs": Request(),
}
"""Everything else."""

REQUESTS = AT_TABLES | ELSEWHERE
INVITING_BODIES = frozenset({"sit", "chat", "remove_line", "branch"})


def takes_invitation(scene: Scene) -> bool:
    """Whether a route asks for the invitation code of a private table."""
    return scene.route.query in {Invitation, LineQuery, StreamFrom} or scene.route.name in INVITING_BODIES


def shaped(scene: Scene, invite: str | None = None) -> tuple[str, Json | None, Json | None]:
    """Path, body and query of the route's request, with an invitation code if there is one to show."""
    request, path = REQUESTS[scene.route.name], scene.route.template
    for name, value in scene.places.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, f"{path}: nothing to put there"
    body, query = request.body(scene), request.query(scene)
    if invite is None:
        return path, body, query
    if scene.route.name in INVITING_BODIES:
        return path, {**(body or {}), "invite": invite}, query
    return path, body, {**(query or {}), "invite": invite}


def code_shown(scene: Scene, who: Who) -> str | None:
    """The invitation code, which a spectator shows wherever it is asked for; None for everybody else."""
    return scene.invite if who is Who.SPECTATOR and takes_invitation(scene) else None
