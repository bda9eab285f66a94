"""Signing in over HTTP: with a passkey, a recovery code, or the code that another device shows."""

from typing import Final

from cartagena.messages.accounts import FinishSignIn, PasskeyOptionsMessage, SignedInMessage, UseCode
from cartagena.server.accounts.passkeys.recovery import use_recovery_code
from cartagena.server.accounts.passkeys.sign_in import begin_sign_in, finish_sign_in
from cartagena.server.accounts.sessions.devices import redeem_device_code
from cartagena.server.http.api.accounts_base import COOKIE_SET, LARGE, AccountKit, admitted, arrival_of
from cartagena.server.http.api.accounts_me import ANNE, COMING_IN
from cartagena.server.http.rate_limits import AT_THE_DOOR
from cartagena.server.http.request import Call
from cartagena.server.http.responses import Answer
from cartagena.server.http.routing import Example, Handler, Route
from cartagena.server.shared.errors import Problem


class SignInApi:
    """The handlers."""

    def __init__(self, kit: AccountKit) -> None:
        self._kit = kit

    async def begin(self, _: Call) -> PasskeyOptionsMessage:
        """Ask a visitor for one of their passkeys."""
        return await begin_sign_in(self._kit.directory, self._kit.party)

    async def finish(self, call: Call) -> Answer:
        """Let in the player whose passkey signed."""
        kit, body = self._kit, call.body(FinishSignIn)
        arrival = arrival_of(call, bearer=body.bearer)
        return await admitted(
            kit, call, await finish_sign_in(kit.directory, kit.party, body.credential, arrival)
        )

    async def use_recovery_code(self, call: Call) -> Answer:
        """Let in the player whose recovery code this is."""
        kit, body = self._kit, call.body(UseCode)
        arrival = arrival_of(call, bearer=body.bearer)
        return await admitted(kit, call, await use_recovery_code(kit.directory, body.code, arrival))

    async def use_device_code(self, call: Call) -> Answer:
        """Let in the player whose other device shows this code."""
        kit, body = self._kit, call.body(UseCode)
        arrival = arrival_of(call, bearer=body.bearer)
        return await admitted(kit, call, await redeem_device_code(kit.directory, body.code, arrival))


CODES: Final = ("ABCDE-FGHJK-MNPQR-STVWX", "XWVTS-RQPNM-KJHGF-EDCBA")
"""Two of ten."""
DEVICE_CODE: Final = "ABCD-EFGH"


def sign_in_routes(kit: AccountKit) -> tuple[Route, ...]:
    """Every way in except as a guest."""
    api = SignInApi(kit)
    return (
        Route(
            method="POST",
            path="/api/sign-in/begin",
            name="begin_sign_in",
            tag=COMING_IN,
            summary="Begin to sign in with a passkey",
            description="Give `publicKey` to `navigator.credentials.get` within five minutes.",
            handler=api.begin,
            answer=PasskeyOptionsMessage,
            limit=AT_THE_DOOR,
        ),
        _sign_in("finish", "Sign in with a passkey", api.finish, FinishSignIn),
        _sign_in(
            "recovery",
            "Sign in with a recovery code, which is used up",
            api.use_recovery_code,
            UseCode,
            example=UseCode(code=CODES[0]),
        ),
        _sign_in(
            "device",
            "Sign in with the code that another device shows",
            api.use_device_code,
            UseCode,
            example=UseCode(code=DEVICE_CODE),
        ),
    )


def _sign_in(
    word: str,
    summary: str,
    handler: Handler,
    body: type[FinishSignIn | UseCode],
    *,
    example: UseCode | None = None,
) -> Route:
    return Route(
        method="POST",
        path=f"/api/sign-in/{word}",
        name=f"{word}_sign_in",
        tag=COMING_IN,
        summary=summary,
        description=(
            "The answer sets the cookie `cartagena`, and the session of an older one ends; with `bearer` it "
            "brings a token instead."
        ),
        handler=handler,
        body=body,
        answer=SignedInMessage,
        limit=AT_THE_DOOR,
        body_limit=LARGE,
        problems=(Problem.WRONG_PROOF, Problem.NO_SUCH_PLAYER),
        answer_headers=COOKIE_SET,
        example=Example(body=example, answer=SignedInMessage(me=ANNE)),
    )
