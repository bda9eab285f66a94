"""Notices over HTTP: the browsers and the program that are told when it is your turn."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.limits import CREATING
from cartagena.endpoints.request import Call
from cartagena.endpoints.routing import Example, Route
from cartagena.messages.accounts import (
    PushesMessage,
    PushKeys,
    PushMessage,
    SetWebhook,
    SubscribePush,
    WebhookMessage,
)
from cartagena.server.accounts.notices.web_push import (
    application_server_key,
    browsers_of,
    subscribe,
    unsubscribe,
)
from cartagena.server.accounts.notices.webhooks import remove_webhook, set_webhook, webhook_message
from cartagena.server.http.api.accounts_base import LARGE, MANAGING, AccountKit
from cartagena.tables.errors import Problem, ServiceError

NOTICES: Final = "notices"


class PushKeyMessage(Struct, frozen=True, kw_only=True):
    """The key that a browser wants as `applicationServerKey`, in base64url."""

    key: str


class NoticesApi:
    """The handlers."""

    def __init__(self, kit: AccountKit) -> None:
        self._kit = kit
        self._directory = kit.directory
        self._push_key = None if kit.vapid is None else application_server_key(kit.vapid)

    async def push_key(self, _: Call) -> PushKeyMessage:
        """The public half of our key."""
        return PushKeyMessage(key=self._known_push_key())

    def _known_push_key(self) -> str:
        if self._push_key is None:
            raise ServiceError(Problem.NO_SUCH_THING, "no web push is sent from here")
        return self._push_key

    async def browsers(self, call: Call) -> PushesMessage:
        """The browsers that notify the caller."""
        return PushesMessage(browsers=await browsers_of(self._directory, call.player.player_id))

    async def subscribe(self, call: Call) -> PushMessage:
        """Notify the caller by a browser; a server that sends no push keeps no browsers."""
        self._known_push_key()
        private = self._kit.private_notices
        return await subscribe(self._directory, call.player, call.body(SubscribePush), private=private)

    async def unsubscribe(self, call: Call) -> None:
        """Stop notifying a browser."""
        await unsubscribe(self._directory, call.player.player_id, call.uuid("push_id"))

    async def webhook(self, call: Call) -> WebhookMessage:
        """Where the caller's program is notified."""
        known = await webhook_message(self._directory, call.player.player_id)
        if known is None:
            raise ServiceError(Problem.NO_SUCH_THING, "you have no webhook")
        return known

    async def set_webhook(self, call: Call) -> WebhookMessage:
        """Notify a program of the caller's."""
        url, private = call.body(SetWebhook).url, self._kit.private_notices
        return await set_webhook(self._directory, call.player.player_id, url, private=private)

    async def remove_webhook(self, call: Call) -> None:
        """Stop notifying it."""
        await remove_webhook(self._directory, call.player.player_id)


BROWSER: Final = PushMessage(
    id=UUID("019a4b1c-7d34-7345-aabc-0123456789ab"), host="push.example.org", created=1_767_225_600_000
)
SUBSCRIPTION: Final = SubscribePush(
    endpoint="https://push.example.org/send/4711",
    # The keys that the appendix of RFC 8291 shows.
    keys=PushKeys(
        p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth="BTBZMqHH6r4Tts7J_aSIgg",
    ),
)
HOOK: Final = SetWebhook(url="https://bot.example.org/my-turn")
TOLD: Final = WebhookMessage(url=HOOK.url, created=1_767_225_600_000)


def notice_routes(kit: AccountKit) -> tuple[Route, ...]:
    """Web push and webhook."""
    api = NoticesApi(kit)
    return (_key_route(api), *_push_routes(api), *_webhook_routes(api))


def _key_route(api: NoticesApi) -> Route:
    return Route(
        method="GET",
        path="/api/push-key",
        name="push_key",
        tag=NOTICES,
        summary="Get the key with which a browser subscribes",
        handler=api.push_key,
        answer=PushKeyMessage,
        anonymous=True,
        problems=(Problem.NO_SUCH_THING,),
    )


def _push_routes(api: NoticesApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/push",
            name="my_browsers",
            tag=NOTICES,
            summary="See which browsers tell you",
            handler=api.browsers,
            answer=PushesMessage,
            scope=Scope.ACCOUNT,
            example=Example(answer=PushesMessage(browsers=(BROWSER,))),
        ),
        Route(
            method="POST",
            path="/api/me/push",
            name="subscribe_push",
            tag=NOTICES,
            summary="Be told by this browser",
            description="Until you sign out of it; of more than five browsers the oldest falls silent.",
            handler=api.subscribe,
            body=SubscribePush,
            answer=PushMessage,
            status=201,
            scope=Scope.ACCOUNT,
            limit=CREATING,
            body_limit=LARGE,
            problems=(Problem.UNFIT, Problem.NO_SUCH_THING, Problem.NO_SUCH_PLAYER),
            example=Example(body=SUBSCRIPTION, answer=BROWSER),
        ),
        Route(
            method="DELETE",
            path="/api/me/push/{push_id:uuid}",
            name="unsubscribe_push",
            tag=NOTICES,
            summary="Let a browser fall silent",
            handler=api.unsubscribe,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
        ),
    )


def _webhook_routes(api: NoticesApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/webhook",
            name="my_webhook",
            tag=NOTICES,
            summary="See where your program is told",
            handler=api.webhook,
            answer=WebhookMessage,
            scope=Scope.ACCOUNT,
            problems=(Problem.NO_SUCH_THING,),
            example=Example(answer=TOLD),
        ),
        Route(
            method="PUT",
            path="/api/me/webhook",
            name="set_webhook",
            tag=NOTICES,
            summary="Be told by a POST to an address of yours",
            description=(
                "The answer brings a new `secret`, shown this once. Each notice is signed with it: "
                "`Cartagena-Signature: t=<seconds>,sha256=<hex>` is the HMAC of the seconds, a full stop and "
                "the body."
            ),
            handler=api.set_webhook,
            body=SetWebhook,
            answer=WebhookMessage,
            scope=Scope.ACCOUNT,
            limit=CREATING,
            body_limit=LARGE,
            problems=(Problem.UNFIT, Problem.NO_SUCH_PLAYER),
            example=Example(body=HOOK),
        ),
        Route(
            method="DELETE",
            path="/api/me/webhook",
            name="remove_webhook",
            tag=NOTICES,
            summary="Have your program told no more",
            handler=api.remove_webhook,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
        ),
    )
