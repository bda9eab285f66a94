"""Accounts over HTTP: all their routes, in one table."""

from cartagena.endpoints.routing import Route
from cartagena.server.http.api.accounts_base import AccountKit, account_kit
from cartagena.server.http.api.accounts_bots import bot_routes
from cartagena.server.http.api.accounts_me import me_routes
from cartagena.server.http.api.accounts_notices import notice_routes
from cartagena.server.http.api.accounts_others import other_routes
from cartagena.server.http.api.admin import admin_routes
from cartagena.server.http.api.club import club_routes
from cartagena.server.http.api.sign_in import passkey_routes, sign_in_routes

__all__ = ["AccountKit", "account_kit", "account_routes"]


def account_routes(kit: AccountKit) -> tuple[Route, ...]:
    """Routes for coming in, accounts, passkeys and codes, bots, other players, notices and admins."""
    return (
        *me_routes(kit),
        *sign_in_routes(kit),
        *club_routes(kit),
        *passkey_routes(kit),
        *bot_routes(kit),
        *other_routes(kit),
        *notice_routes(kit),
        *admin_routes(kit),
    )
