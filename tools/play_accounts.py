"""Accounts for rated games: players with a passkey, made by the use cases themselves."""

from typing import Final

from cartagena.messages.accounts import FinishPasskey, MeMessage
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.guests import become_guest
from cartagena.server.accounts.passkeys.keys import RelyingParty
from cartagena.server.accounts.passkeys.registration import begin_registration, finish_registration
from cartagena.server.accounts.players import me
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import Arrival, SessionKind
from tests.server.accounts_authenticator import Authenticator

PROGRAM: Final = Arrival(kind=SessionKind.BEARER, label="cartagena")


async def make_account(directory: Directory, party: RelyingParty, name: str) -> tuple[str, MeMessage]:
    """Make an account with this name; return the token of its session, and the player."""
    admission = await become_guest(directory, name, PROGRAM)
    sessions = SessionCache(directory, on_close=lambda _: None)
    options = await begin_registration(directory, party, admission.session, name)
    credential = Authenticator(party.origins[0]).create(options.public_key)
    answer = FinishPasskey(credential=credential)
    _, renewed = await finish_registration(sessions, party, admission.session, answer)
    return renewed.token, await me(directory, admission.session.player_id)
