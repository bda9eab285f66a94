"""A scene: one table at some stage, and everybody who comes to it, each made when first needed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.routing import Route
from cartagena.server.accounts.sessions.tokens import Admission
from tests.server.authorisation_world import NONCE, NONCE_HASH, Json, Service, Who

LACKING: dict[Scope | None, list[str]] = {
    None: ["account"],
    Scope.READ: ["play", "account"],
    Scope.PLAY: ["read", "account"],
    Scope.ACCOUNT: ["read", "play"],
    Scope.ADMIN: ["read", "play", "account"],
}
"""For each scope, what a token that lacks it may have; a route that names none takes any token."""

OWNERS = {Who.SCOPELESS: Who.SEAT, Who.REVOKED: Who.SEAT}


@dataclass(kw_only=True)
class Scene:
    """Who is there, and what the paths and bodies of requests are made of."""

    service: Service
    route: Route
    listed: bool = True
    spectators: bool = True
    seats: int = 3
    table: str = ""
    invite: str = ""
    secret: str = ""
    """What the host alone keeps until the end: the number that all shuffling comes from."""
    hands: tuple[tuple[int, ...], ...] = ()
    """The cards that were dealt to each seat, as the store has them."""
    current: Json = field(default_factory=dict)
    """The table as the seat to act, or its host, sees it."""
    places: dict[str, str] = field(default_factory=dict)
    people: dict[Who, Admission] = field(default_factory=dict)
    tokens: dict[Who, str | None] = field(default_factory=lambda: {Who.NOBODY: None})

    async def person(self, who: Who) -> Admission:
        """The player for `who`, made now unless they were needed before."""
        if who not in self.people:
            maker = self.service.admin if who is Who.ADMIN else self.service.guest
            self.people[who] = await maker()
        return self.people[who]

    async def token(self, who: Who) -> str | None:
        """The token that `who` shows; None for `Who.NOBODY`."""
        if who not in self.tokens:
            self.tokens[who] = await self._new_token(who)
        return self.tokens[who]

    async def _new_token(self, who: Who) -> str:
        owner = await self.person(OWNERS.get(who, who))
        if who is Who.SCOPELESS:
            body: Json = {"name": "a program", "scopes": LACKING[self.route.scope]}
            made = await self.service.done("POST", "/api/me/tokens", owner.token, **body)
            return str(made["token"])
        if who is Who.REVOKED:
            return await self._revoked(owner.session.player_id)
        return owner.token

    async def _revoked(self, player: UUID) -> str:
        """A session that was good, and known to be, until its player signed out."""
        token = (await self.service.again(player)).token
        assert (await self.service.ask("GET", "/api/me", token)).status == 200
        assert (await self.service.ask("POST", "/api/sign-out", token)).status == 204
        return token

    # The table.

    async def post(self, who: Who, verb: str, **body: object) -> Json:
        """Let `who` do something at the table that they may do."""
        token = (await self.person(who)).token
        return await self.service.done("POST", f"/api/tables/{self.table}/{verb}", token, **body)

    async def open(self) -> None:
        """A table with two players and a free seat; the host has sent a third player away."""
        host = await self.person(Who.SEAT)
        terms = {
            "ruleset": "jamaica",
            "seats": self.seats,
            "listed": self.listed,
            "spectators": self.spectators,
            "hints": True,
        }
        body: Json = {"terms": terms, "nonce_hash": NONCE_HASH}
        made = await self.service.done("POST", "/api/tables", host.token, **body)
        self.table, self.invite, self.places["table_id"] = made["id"], made["invite"], made["id"]
        await self.post(Who.KICKED, "sit", seat=1, invite=self.invite)
        await self.post(Who.SEAT, "kick", seat=1)
        heard = await self.service.ask("GET", f"/api/tables/{self.table}", host.token)
        self.invite = heard.json["invite"]
        await self.post(Who.OTHER, "sit", seat=1, invite=self.invite, nonce_hash=NONCE_HASH)
        self.secret = (await self.service.resources.tables.newest(UUID(self.table))).secret.hex()
        await self.look()

    async def look(self) -> Json:
        """The table as it stands for the first seat."""
        heard = await self.service.ask("GET", f"/api/tables/{self.table}", self.people[Who.SEAT].token)
        self.current = heard.json["current"]
        return self.current

    async def with_bot(self) -> None:
        """A bot sits on the free seat."""
        await self.open()
        await self.post(Who.SEAT, "bots", seat=2, level="deckhand")
        await self.look()

    async def full(self) -> None:
        """Both seats of a table for two are taken."""
        self.seats = 2
        await self.open()

    async def spoken(self) -> None:
        """The host has said something."""
        await self.open()
        said = await self.post(Who.SEAT, "chat", text="ahoy")
        self.places["number"] = str(said["number"])

    async def starting(self) -> None:
        """The promised numbers are awaited."""
        await self.full()
        await self.post(Who.SEAT, "start")
        await self.look()

    async def dealt(self) -> None:
        """A game for two has begun, and the first seat is the one to act."""
        await self.starting()
        await self.post(Who.SEAT, "nonce", nonce=NONCE)
        begun = await self.post(Who.OTHER, "nonce", nonce=NONCE)
        if begun["view"]["to_act"] == 1:
            people = self.people
            people[Who.SEAT], people[Who.OTHER] = people[Who.OTHER], people[Who.SEAT]
        assert (await self.look())["view"]["legal"]
        table = await self.service.resources.tables.newest(UUID(self.table))
        assert table.position is not None
        self.hands = tuple(tuple(crew.cards()) for crew in table.position.crews)

    async def acted(self) -> None:
        """The seat to act has acted once, and may take it back."""
        await self.dealt()
        await self.post(Who.SEAT, "actions", seq=self.current["seq"], code=self.current["view"]["legal"][0])
        await self.look()

    async def over(self) -> None:
        """All agreed to end the game."""
        await self.dealt()
        await self.post(Who.SEAT, "abandon")
        await self.post(Who.OTHER, "abandon")
        await self.look()

    async def hinted(self) -> None:
        """The seat to act has asked for a hint."""
        await self.dealt()
        token = (await self.person(Who.SEAT)).token
        heard = await self.service.ask("POST", f"/api/tables/{self.table}/hint", token)
        self.places["hint_id"] = heard.json["id"]

    async def analysed(self) -> None:
        """Somebody has asked for the analysis of a game that is over."""
        await self.over()
        token = (await self.person(Who.SEAT)).token
        assert (await self.service.ask("POST", f"/api/tables/{self.table}/analysis", token)).status == 202

    # What belongs to the first seat's player, or is about another player.

    async def nothing(self) -> None:
        """No table at all."""

    async def target(self) -> None:
        """Another player, whom the request is about."""
        self.places["player_id"] = str((await self.service.guest()).session.player_id)

    async def pictured(self) -> None:
        """Somebody whose picture may be drawn."""
        await self.target()
        self.places |= {"kind": "player", "file": f"{self.places['player_id']}.png"}

    async def other_session(self) -> None:
        """The first player is signed in somewhere else, too."""
        player = (await self.person(Who.SEAT)).session.player_id
        self.places["session_id"] = str((await self.service.again(player)).session.id)

    async def own_code(self) -> None:
        """The first player has a code for another device."""
        owner = await self.person(Who.SEAT)
        await self.service.done("POST", "/api/me/device-codes", owner.token)
        told = await self.service.ask("GET", "/api/me/sessions", owner.token)
        self.places["code_id"] = told.json["codes"][0]["id"]

    async def own_token(self) -> None:
        """The first player has a personal token."""
        owner = await self.person(Who.SEAT)
        body: Json = {"name": "mine", "scopes": ["read"]}
        made = await self.service.done("POST", "/api/me/tokens", owner.token, **body)
        self.places["token_id"] = made["made"]["id"]

    async def own_bot(self) -> None:
        """The first player has a bot."""
        await self.own_passkeys()
        owner = await self.person(Who.SEAT)
        body: Json = {"name": f"Bot {owner.session.player_id.hex[-12:]}", "engine": "furthest"}
        made = await self.service.done("POST", "/api/me/bots", owner.token, **body)
        self.places["bot_id"] = made["bot"]["id"]

    async def own_passkeys(self) -> None:
        """The first player has two passkeys."""
        owner = await self.person(Who.SEAT)
        await self.service.named(owner)
        # Their session was a guest's until now, and each new passkey gives it another token.
        await self.service.named(await self.service.again(owner.session.player_id))
        self.people[Who.SEAT] = owner = await self.service.again(owner.session.player_id)
        told = await self.service.ask("GET", "/api/me/passkeys", owner.token)
        self.places["passkey_id"] = told.json["passkeys"][0]["id"]

    async def challenged(self) -> None:
        """The second player has challenged the first."""
        await self.own_passkeys()
        other, first = await self.person(Who.OTHER), str(self.people[Who.SEAT].session.player_id)
        await self.service.named(other)
        self.people[Who.OTHER] = other = await self.service.again(other.session.player_id)
        body: Json = {"opponent": first, "terms": {"ruleset": "jamaica"}}
        made = await self.service.done("POST", "/api/challenges", other.token, **body)
        self.places["challenge_id"] = made["id"]

    async def own_browser(self) -> None:
        """The first player gets notices in a browser."""
        owner, body = await self.person(Who.SEAT), self.service.example("subscribe_push")
        heard = await self.service.ask("POST", "/api/me/push", owner.token, body)
        self.places["push_id"] = heard.json["id"]

    async def webhooks(self) -> None:
        """The first player has a webhook."""
        owner, body = await self.person(Who.SEAT), self.service.example("set_webhook")
        assert (await self.service.ask("PUT", "/api/me/webhook", owner.token, body)).status == 200

    async def reported(self) -> None:
        """A player was reported."""
        await self.target()
        body: Json = {"player": self.places["player_id"], "text": "swears"}
        made = await self.service.done("POST", "/api/reports", (await self.service.guest()).token, **body)
        self.places["report_id"] = made["id"]


Prepare = Callable[[Scene], Awaitable[None]]


def keyed(**body: object) -> Json:
    """A body with a key of its own."""
    return {"key": str(uuid4()), **body}
