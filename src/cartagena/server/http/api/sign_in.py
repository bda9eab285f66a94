"""Signing in over HTTP: with a passkey, a recovery code, or the code that another device shows."""

from typing import Final
from uuid import UUID

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.limits import AT_THE_DOOR, CREATING
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer
from cartagena.endpoints.routing import Example, Handler, Route
from cartagena.messages.accounts import (
    BeginPasskey,
    DeviceCodeMessage,
    FinishPasskey,
    FinishSignIn,
    PasskeyMadeMessage,
    PasskeyMessage,
    PasskeyOptionsMessage,
    PasskeysMessage,
    ProveMyself,
    RecoveryCodesMessage,
    RenamePasskey,
    SignedInMessage,
    UseCode,
)
from cartagena.server.accounts.passkeys.keys import passkeys_of, remove_passkey, rename_passkey
from cartagena.server.accounts.passkeys.registration import begin_registration, finish_registration
from cartagena.server.accounts.passkeys.sign_in import (
    begin_sign_in,
    finish_sign_in,
    prove_oneself,
    renew_recovery_codes,
    use_recovery_code,
)
from cartagena.server.accounts.sessions.devices import end_device_code, make_device_code, redeem_device_code
from cartagena.server.http.api.accounts_base import (
    COOKIE_RENEWED,
    COOKIE_SET,
    LARGE,
    MANAGING,
    AccountKit,
    admitted,
    arrival_of,
    browser_cookie,
)
from cartagena.server.http.api.accounts_me import ANNE, COMING_IN
from cartagena.tables.errors import Problem


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


# Ways to come back, over HTTP: passkeys, recovery codes, a code for another device.

PASSKEYS: Final = "passkeys"


class PasskeyApi:
    """The handlers."""

    def __init__(self, kit: AccountKit) -> None:
        self._kit = kit

    async def begin(self, call: Call) -> PasskeyOptionsMessage:
        """Ask the caller's browser for a passkey."""
        kit, name = self._kit, call.body(BeginPasskey).name
        return await begin_registration(kit.directory, kit.party, call.player, name)

    async def finish(self, call: Call) -> Answer:
        """Keep the passkey that the browser made."""
        kit, answer = self._kit, call.body(FinishPasskey)
        made, renewed = await finish_registration(kit.sessions, kit.party, call.player, answer)
        is_browser = renewed.session.by_cookie
        return Answer(content=made, cookies=(await browser_cookie(kit, call, renewed),) if is_browser else ())

    async def prove(self, call: Call) -> Answer:
        """Note that callers have shown who they are."""
        kit, credential = self._kit, call.body(ProveMyself).credential
        return await admitted(
            kit, call, await prove_oneself(kit.sessions, kit.party, call.player, credential)
        )

    async def passkeys(self, call: Call) -> PasskeysMessage:
        """The caller's passkeys."""
        return PasskeysMessage(passkeys=await passkeys_of(self._kit.directory, call.player.player_id))

    async def rename(self, call: Call) -> PasskeyMessage:
        """Call a passkey something else."""
        player_id, passkey_id = call.player.player_id, call.uuid("passkey_id")
        return await rename_passkey(
            self._kit.directory, player_id, passkey_id, call.body(RenamePasskey).label
        )

    async def remove(self, call: Call) -> None:
        """Take a passkey away."""
        await remove_passkey(self._kit.directory, call.player, call.uuid("passkey_id"))

    async def renew_codes(self, call: Call) -> RecoveryCodesMessage:
        """New recovery codes."""
        return RecoveryCodesMessage(
            recovery_codes=await renew_recovery_codes(self._kit.directory, call.player)
        )

    async def device_code(self, call: Call) -> DeviceCodeMessage:
        """A code for another device."""
        return await make_device_code(self._kit.directory, call.player, self._kit.code_page)

    async def end_device_code(self, call: Call) -> None:
        """Make a code for another device worthless."""
        await end_device_code(self._kit.directory, call.player.player_id, call.uuid("code_id"))


KEY_RING: Final = PasskeyMessage(
    id=UUID("019a4b1c-7d30-7789-aabc-0123456789ab"),
    label="my phone",
    created=1_767_225_600_000,
    used=1_767_312_000_000,
)

SHOWN: Final = DeviceCodeMessage(code=DEVICE_CODE, expires=1_767_226_200_000, qr="<svg>...</svg>")


def passkey_routes(kit: AccountKit) -> tuple[Route, ...]:
    """How players make and keep their ways in."""
    api = PasskeyApi(kit)
    return (*_making_routes(api), *_keeping_routes(api), *_code_routes(api), _proof_route(api))


def _making_routes(api: PasskeyApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/me/passkeys/begin",
            name="begin_passkey",
            tag=PASSKEYS,
            summary="Begin to add a passkey",
            description=(
                "With his first passkey a guest keeps his name, his games and his id. Give `publicKey` to "
                "`navigator.credentials.create` within five minutes."
            ),
            handler=api.begin,
            body=BeginPasskey,
            answer=PasskeyOptionsMessage,
            scope=Scope.ACCOUNT,
            limit=AT_THE_DOOR,
            problems=(Problem.UNFIT, Problem.NAME_TAKEN, Problem.FORBIDDEN, Problem.NEEDS_PROOF),
            example=Example(body=BeginPasskey(name="Anne Bonny")),
        ),
        Route(
            method="POST",
            path="/api/me/passkeys/finish",
            name="finish_passkey",
            tag=PASSKEYS,
            summary="Add a passkey",
            description=(
                "The first one brings ten recovery codes, which are shown this once. Your session gets a new "
                "token, and the old one is worth nothing any more."
            ),
            handler=api.finish,
            body=FinishPasskey,
            answer=PasskeyMadeMessage,
            answer_headers=COOKIE_RENEWED,
            status=201,
            scope=Scope.ACCOUNT,
            limit=AT_THE_DOOR,
            body_limit=LARGE,
            problems=(
                Problem.WRONG_PROOF,
                Problem.FORBIDDEN,
                Problem.UNFIT,
                Problem.NAME_TAKEN,
                Problem.NO_SUCH_PLAYER,
            ),
            example=Example(answer=PasskeyMadeMessage(passkey=KEY_RING, recovery_codes=CODES)),
        ),
    )


def _keeping_routes(api: PasskeyApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/passkeys",
            name="my_passkeys",
            tag=PASSKEYS,
            summary="See your passkeys",
            handler=api.passkeys,
            answer=PasskeysMessage,
            scope=Scope.ACCOUNT,
            example=Example(answer=PasskeysMessage(passkeys=(KEY_RING,))),
        ),
        Route(
            method="PATCH",
            path="/api/me/passkeys/{passkey_id:uuid}",
            name="rename_passkey",
            tag=PASSKEYS,
            summary="Call a passkey something else",
            handler=api.rename,
            body=RenamePasskey,
            answer=PasskeyMessage,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
            example=Example(body=RenamePasskey(label="my phone"), answer=KEY_RING),
        ),
        Route(
            method="DELETE",
            path="/api/me/passkeys/{passkey_id:uuid}",
            name="remove_passkey",
            tag=PASSKEYS,
            summary="Take a passkey away",
            description="The last one stays, or you could not come back.",
            handler=api.remove,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
            problems=(Problem.UNFIT, Problem.NEEDS_PROOF, Problem.NO_SUCH_PLAYER),
        ),
    )


def _code_routes(api: PasskeyApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/me/recovery-codes",
            name="renew_recovery_codes",
            tag=PASSKEYS,
            summary="Get new recovery codes",
            description="Ten codes, shown this once; older ones have lost their worth.",
            handler=api.renew_codes,
            answer=RecoveryCodesMessage,
            status=201,
            scope=Scope.ACCOUNT,
            limit=CREATING,
            problems=(
                Problem.NEEDS_ACCOUNT,
                Problem.NEEDS_PROOF,
                Problem.FORBIDDEN,
                Problem.NO_SUCH_PLAYER,
            ),
            example=Example(answer=RecoveryCodesMessage(recovery_codes=CODES)),
        ),
        Route(
            method="POST",
            path="/api/me/device-codes",
            name="make_device_code",
            tag=PASSKEYS,
            summary="Get a code with which another device comes in as you",
            description="It counts once and for ten minutes; a new one replaces it. `qr` shows its address.",
            handler=api.device_code,
            answer=DeviceCodeMessage,
            status=201,
            scope=Scope.ACCOUNT,
            limit=CREATING,
            problems=(Problem.FORBIDDEN, Problem.NO_SUCH_PLAYER),
            example=Example(answer=SHOWN),
        ),
        Route(
            method="DELETE",
            path="/api/me/device-codes/{code_id:uuid}",
            name="end_device_code",
            tag=PASSKEYS,
            summary="End a code for another device",
            description="Those that were not used yet are listed with your sessions.",
            handler=api.end_device_code,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
        ),
    )


def _proof_route(api: PasskeyApi) -> Route:
    return Route(
        method="POST",
        path="/api/me/proof",
        name="prove_myself",
        tag=PASSKEYS,
        summary="Show once more who you are",
        description=(
            "After `needs_proof`: begin as for signing in, and bring here what one of your passkeys says. "
            "For fifteen minutes you may change your ways in. Signing in again does as well. Your session "
            "gets a new token, and the old one is worth nothing any more."
        ),
        handler=api.prove,
        body=ProveMyself,
        answer=SignedInMessage,
        answer_headers=COOKIE_RENEWED,
        scope=Scope.ACCOUNT,
        limit=AT_THE_DOOR,
        body_limit=LARGE,
        problems=(Problem.WRONG_PROOF, Problem.FORBIDDEN),
    )
