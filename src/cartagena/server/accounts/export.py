"""Everything stored about a player, in one piece, for the player."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias
from uuid import UUID

from msgspec import Raw

from cartagena.messages.accounts import ExportMessage
from cartagena.server.accounts.blocks import blocked_by
from cartagena.server.accounts.club_links import links_of
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.passkeys import passkeys_of
from cartagena.server.accounts.personal_tokens import tokens_of
from cartagena.server.accounts.players import me
from cartagena.server.accounts.reports import reports_by
from cartagena.server.accounts.sessions import sessions_of
from cartagena.server.accounts.subscriptions import exported_browsers
from cartagena.server.accounts.webhooks import webhook_message
from cartagena.server.shared.session import Session

Part: TypeAlias = Callable[[UUID], Awaitable[Raw]]
"""What another part of the service keeps about a player, as JSON."""


async def export_me(directory: Directory, session: Session, parts: Mapping[str, Part]) -> ExportMessage:
    """Everything about a player; games, results and ratings come from the parts that store them."""
    player_id = session.player_id
    return ExportMessage(
        me=await me(directory, player_id),
        sessions=await sessions_of(directory, session),
        tokens=await tokens_of(directory, player_id),
        passkeys=await passkeys_of(directory, player_id),
        clubs=await links_of(directory, player_id),
        blocks=await blocked_by(directory, player_id),
        reports=await reports_by(directory, player_id),
        browsers=await exported_browsers(directory, player_id),
        webhook=await webhook_message(directory, player_id),
        elsewhere={name: await part(player_id) for name, part in parts.items()},
    )
