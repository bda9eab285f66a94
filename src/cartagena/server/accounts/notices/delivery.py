"""Notices: "it is your turn", told to a player's browsers and program."""

import asyncio
import enum
import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import httpx
import msgspec

from cartagena.messages.accounts import NoticeMessage
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.notices import web_push, webhooks
from cartagena.server.accounts.notices.safe_http import Poster
from cartagena.server.accounts.notices.web_push import (
    MOST_FAILURES,
    Subscription,
    sealed,
    signed,
    to_base64url,
)
from cartagena.server.accounts.notices.webhooks import Webhook, signature
from cartagena.server.shared.settings import Vapid

WAITS: Final = timedelta(days=1)
"""How long a push service keeps a notice for a browser that is switched off."""

TOPIC_BYTES: Final = 24
"""As many bytes as fit into the 32 letters that a topic may have."""

_NO_SUCH_BROWSER: Final = (404, 410)
_NO_SUCH_PROGRAM: Final = (410,)
"""A program that is being replaced may answer 404 for a while."""


class Delivery(enum.Enum):
    """The outcome of a notice: it was taken, its receiver is gone, or a later try may succeed."""

    DELIVERED = "delivered"
    GONE = "gone"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notices:
    """Tells players what waits for them; without `vapid` their browsers are not told."""

    directory: Directory
    poster: Poster
    vapid: Vapid | None

    async def tell(self, player_id: UUID, notice: NoticeMessage) -> tuple[Delivery, ...]:
        """Tell a player in every way they asked for, all at once; receivers that are gone are removed."""
        vapid, directory = self.vapid, self.directory
        browsers = () if vapid is None else await web_push.subscriptions_of(directory, player_id)
        ways = [self._tell_browser(vapid, browser, notice) for browser in browsers if vapid is not None]
        webhook = await webhooks.webhook_of(directory, player_id)
        if webhook is not None:
            ways.append(self._tell_program(player_id, webhook, notice))
        return tuple(await asyncio.gather(*ways))

    async def _tell_browser(self, vapid: Vapid, browser: Subscription, notice: NoticeMessage) -> Delivery:
        outcome = await send_push(self.poster, browser, notice, vapid=vapid, now=self.directory.clock())
        pool = self.directory.pool
        match outcome:
            case Delivery.DELIVERED:
                await pool.execute(web_push.WORKED, browser.id)
            case Delivery.GONE:
                await pool.execute(web_push.GONE, browser.id)
            case Delivery.FAILED:
                await pool.execute(web_push.FAILED, browser.id, MOST_FAILURES)
        return outcome

    async def _tell_program(self, player_id: UUID, webhook: Webhook, notice: NoticeMessage) -> Delivery:
        outcome = await send_webhook(self.poster, webhook, notice, now=self.directory.clock())
        pool = self.directory.pool
        match outcome:
            case Delivery.DELIVERED:
                await pool.execute(webhooks.WORKED, player_id)
            case Delivery.GONE:
                await pool.execute(webhooks.GONE, player_id, webhook.url)
            case Delivery.FAILED:
                await pool.execute(webhooks.FAILED, player_id, MOST_FAILURES)
        return outcome


async def send_push(
    poster: Poster, browser: Subscription, notice: NoticeMessage, *, vapid: Vapid, now: datetime
) -> Delivery:
    """Tell one browser, encrypted for it alone; a newer notice about the table replaces this one."""
    # Sealing takes a millisecond of computation: in a thread it holds up no game.
    body = await asyncio.to_thread(sealed, browser, msgspec.json.encode(notice))
    headers = await asyncio.to_thread(signed, vapid, browser.endpoint, now)
    topic = {} if notice.table is None else {"Topic": topic_of(notice.table)}
    told = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(WAITS.total_seconds())),
        "Urgency": "normal",
    }
    status = await poster.post(browser.endpoint, {**headers, **told, **topic}, body)
    return _outcome(status, _NO_SUCH_BROWSER)


def topic_of(table_id: UUID) -> str:
    """What a push service may know of a table: only that two notices are about the same one."""
    return to_base64url(hashlib.sha256(table_id.bytes).digest()[:TOPIC_BYTES])


async def send_webhook(poster: Poster, webhook: Webhook, notice: NoticeMessage, *, now: datetime) -> Delivery:
    """Tell one program, signed with its secret."""
    body = msgspec.json.encode(notice)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Cartagena",
        "Cartagena-Signature": signature(webhook.secret, int(now.timestamp()), body),
    }
    return _outcome(await poster.post(webhook.url, headers, body), _NO_SUCH_PROGRAM)


def _outcome(status: int | None, gone: tuple[int, ...]) -> Delivery:
    if status in gone:
        return Delivery.GONE
    return Delivery.DELIVERED if status is not None and httpx.codes.is_success(status) else Delivery.FAILED
