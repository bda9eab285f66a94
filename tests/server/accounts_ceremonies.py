"""Whole ceremonies with passkeys, as a browser and the service carry them out."""

from cartagena.messages.accounts import FinishPasskey, PasskeyMadeMessage
from cartagena.server.accounts.passkeys.keys import RelyingParty
from cartagena.server.accounts.passkeys.registration import begin_registration, finish_registration
from cartagena.server.accounts.passkeys.sign_in import begin_sign_in, finish_sign_in
from cartagena.server.accounts.sessions.tokens import Admission
from harness.authenticator import Authenticator
from tests.server.accounts_world import BROWSER, World

ORIGIN = "https://play.example.org"
PARTY = RelyingParty(id="play.example.org", name="Cartagena", origins=(ORIGIN, "https://example.org:8443"))


async def registered(
    here: World, admission: Admission, device: Authenticator, name: str | None = None
) -> PasskeyMadeMessage:
    """Add a passkey of this device to a player."""
    session = await here.found(admission)
    options = await begin_registration(here.directory, PARTY, session, name)
    answer = FinishPasskey(credential=device.create(options.public_key), label="my key")
    made, renewed = await finish_registration(here.sessions, PARTY, session, answer)
    here.keep(renewed)
    return made


async def signed_in(here: World, device: Authenticator) -> Admission:
    """Sign in with the newest passkey of this device."""
    options = await begin_sign_in(here.directory, PARTY)
    return await finish_sign_in(here.directory, PARTY, device.get(options.public_key), BROWSER)
