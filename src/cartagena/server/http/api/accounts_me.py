"""Your account over HTTP: coming in as a guest, your name, where you are signed in, and going for good."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from cartagena.endpoints.callers import Scope, check_scope
from cartagena.endpoints.limits import AT_THE_DOOR, CREATING
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import SAVED, Answer, kept_as
from cartagena.endpoints.routing import Example, Route
from cartagena.messages.accounts import (
    BecomeGuest,
    ChangeMe,
    ExportMessage,
    MeMessage,
    OpenCodeMessage,
    SessionMessage,
    SessionsMessage,
    SignedInMessage,
    WhoMessage,
)
from cartagena.server.accounts.personal_data import export_me, leave_for_good
from cartagena.server.accounts.players import become_guest, change_me, me
from cartagena.server.accounts.sessions.devices import device_codes_of
from cartagena.server.accounts.sessions.tokens import refuse_token, sessions_of
from cartagena.server.http.api.accounts_base import (
    COOKIE_GONE,
    COOKIE_KEPT,
    COOKIE_SET,
    LARGE,
    MANAGING,
    AccountKit,
    admitted,
    arrival_of,
    cookie_gone,
    renewed_cookie,
)
from cartagena.tables.errors import Problem

ME: Final = "me"
COMING_IN: Final = "coming in"


class EndedMessage(Struct, frozen=True, kw_only=True):
    """From how many places you were signed out."""

    ended: int


class MeApi:
    """The handlers."""

    def __init__(self, kit: AccountKit) -> None:
        self._kit = kit

    async def become_guest(self, call: Call) -> Answer:
        """Let a visitor in as a guest; one who is already signed in keeps their account."""
        kit, body = self._kit, call.body(BecomeGuest)
        if call.session is not None:
            check_scope(call.session, Scope.READ)
            known = await me(kit.directory, call.session.player_id)
            return Answer(content=SignedInMessage(me=known), status=200)
        arrival = arrival_of(call, bearer=body.bearer)
        return await admitted(kit, call, await become_guest(kit.directory, body.name, arrival))

    async def who(self, call: Call) -> Answer:
        """Tell visitors who they are, if anybody; a session that has ended is none."""
        if call.session is None:
            return Answer(content=WhoMessage(me=None))
        check_scope(call.session, Scope.READ)
        known = await me(self._kit.directory, call.session.player_id)
        return Answer(content=WhoMessage(me=known), cookies=renewed_cookie(self._kit, call))

    async def me(self, call: Call) -> Answer:
        """Tell callers who they are, and let their browser keep the cookie."""
        known = await me(self._kit.directory, call.player.player_id)
        return Answer(content=known, cookies=renewed_cookie(self._kit, call))

    async def change(self, call: Call) -> MeMessage:
        """Change name or settings."""
        return await change_me(self._kit.sessions, call.player.player_id, call.body(ChangeMe))

    async def delete(self, call: Call) -> Answer:
        """Forget who the caller was."""
        await leave_for_good(self._kit.sessions, call.player, self._kit.forget)
        return Answer(cookies=cookie_gone(self._kit, call))

    async def export(self, call: Call) -> Answer:
        """Everything that is kept about the caller."""
        told = await export_me(self._kit.directory, call.player, self._kit.parts)
        return Answer(content=told, headers=(kept_as("cartagena.json"),))

    async def sessions(self, call: Call) -> SessionsMessage:
        """Where the caller is signed in."""
        directory, player = self._kit.directory, call.player
        return SessionsMessage(
            sessions=await sessions_of(directory, player),
            codes=await device_codes_of(directory, player.player_id),
        )

    async def end_session(self, call: Call) -> Answer:
        """Sign the caller out at one place."""
        session_id = call.uuid("session_id")
        await self._kit.sessions.revoke(call.player.player_id, session_id)
        return Answer(cookies=cookie_gone(self._kit, call) if session_id == call.player.id else ())

    async def end_others(self, call: Call) -> EndedMessage:
        """Sign the caller out everywhere else."""
        return EndedMessage(ended=await self._kit.sessions.revoke_others(call.player))

    async def sign_out(self, call: Call) -> Answer:
        """Sign the caller out here; without a session this does no harm.

        A personal token is ended by its owner: what only carries it, such as a bot, must not end it.
        """
        if call.session is not None:
            await refuse_token(self._kit.directory.pool, call.session)
            await self._kit.sessions.sign_out(call.session)
        return Answer(cookies=cookie_gone(self._kit, call))


ANNE: Final = MeMessage(
    id=UUID("019a4b1c-7d2e-7123-8abc-0123456789ab"),
    name="Anne Bonny",
    is_guest=True,
    is_admin=False,
    created=1_767_225_600_000,
    banned_until=None,
    settings={"sound": True},
    passkeys=0,
    recovery_codes=0,
    webhook=False,
)
LAPTOP: Final = SessionMessage(
    id=UUID("019a4b1c-7d2f-7456-9abc-0123456789ab"),
    kind="cookie",
    label="Firefox, Linux",
    created=1_767_225_600_000,
    seen=1_767_312_000_000,
    expires=1_775_088_000_000,
    is_this=True,
)


CODE: Final = OpenCodeMessage(id=UUID("019a4b1c-7d31-7abc-8abc-0123456789ab"), expires=1_767_226_200_000)


def me_routes(kit: AccountKit) -> tuple[Route, ...]:
    """Everything about your own account."""
    api = MeApi(kit)
    return (*_coming_routes(api), *_own_routes(api), *_leaving_routes(api), *_session_routes(api))


BECOMING_A_GUEST: Final = (
    "The answer sets the cookie `cartagena`; with `bearer` it brings a token instead. A caller with a "
    "session keeps their account: nothing is made or renamed."
)
SIGNING_OUT: Final = (
    "Ends the session that you bring, its streams too; without one nothing happens. "
    "Not for personal tokens: their owner ends them."
)


def _coming_routes(api: MeApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/guest",
            name="become_guest",
            tag=COMING_IN,
            summary="Come in as a guest",
            description=BECOMING_A_GUEST,
            handler=api.become_guest,
            body=BecomeGuest,
            answer=SignedInMessage,
            status=201,
            limit=AT_THE_DOOR,
            problems=(Problem.UNFIT, Problem.NAME_TAKEN, Problem.MISSING_SCOPE, Problem.NO_SUCH_PLAYER),
            other_answers={200: "You have an account already."},
            answer_headers=COOKIE_SET,
            example=Example(body=BecomeGuest(name="Anne Bonny"), answer=SignedInMessage(me=ANNE)),
        ),
        Route(
            method="POST",
            path="/api/sign-out",
            name="sign_out",
            tag=COMING_IN,
            summary="Sign out here",
            description=SIGNING_OUT,
            handler=api.sign_out,
            limit=MANAGING,
            problems=(Problem.FORBIDDEN,),
            answer_headers=COOKIE_GONE,
        ),
        Route(
            method="GET",
            path="/api/session",
            name="who_am_i",
            tag=COMING_IN,
            summary="See whether you have a session, and whose it is",
            description=(
                "What a page asks first: without a session `me` is null, and nothing is refused. A browser's "
                "cookie is set again, so that it lasts as long as the session."
            ),
            handler=api.who,
            answer=WhoMessage,
            problems=(Problem.MISSING_SCOPE, Problem.NO_SUCH_PLAYER),
            answer_headers=COOKIE_KEPT,
            example=Example(answer=WhoMessage(me=None)),
        ),
    )


def _own_routes(api: MeApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me",
            name="me",
            tag=ME,
            summary="See who you are",
            description="A browser's cookie is set again, so that it lasts as long as the session.",
            handler=api.me,
            answer=MeMessage,
            scope=Scope.READ,
            problems=(Problem.NO_SUCH_PLAYER,),
            answer_headers=COOKIE_KEPT,
            example=Example(answer=ANNE),
        ),
        Route(
            method="PATCH",
            path="/api/me",
            name="change_me",
            tag=ME,
            summary="Change your name, your settings or your consent",
            description=(
                "With `open_data` your finished public games may be given away without your name, "
                "as soon as all who played them agree; false takes that back for later dumps. "
                "The id of a game is kept: its public page still shows the names. "
                "An owner's consent counts for their bots too."
            ),
            handler=api.change,
            body=ChangeMe,
            answer=MeMessage,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
            body_limit=LARGE,
            problems=(Problem.UNFIT, Problem.NAME_TAKEN, Problem.NO_SUCH_PLAYER),
            example=Example(body=ChangeMe(name="Anne Bonny", settings={"sound": True}), answer=ANNE),
        ),
    )


def _leaving_routes(api: MeApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/export",
            name="export_me",
            tag=ME,
            summary="Take along everything that is kept about you",
            handler=api.export,
            answer=ExportMessage,
            scope=Scope.ACCOUNT,
            limit=CREATING,
            problems=(Problem.NO_SUCH_PLAYER,),
            answer_headers=SAVED,
        ),
        Route(
            method="DELETE",
            path="/api/me",
            name="delete_me",
            tag=ME,
            summary="Go for good",
            description=(
                "All that is kept about you is deleted at once; your games stay, without your name. A player "
                "with a kept name proves first who they are, unless they did in the last fifteen minutes; a "
                "personal token never does."
            ),
            handler=api.delete,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
            problems=(Problem.FORBIDDEN, Problem.NEEDS_PROOF, Problem.NO_SUCH_PLAYER),
            answer_headers=COOKIE_GONE,
        ),
    )


def _session_routes(api: MeApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/sessions",
            name="my_sessions",
            tag=ME,
            summary="See where you are signed in, and the codes by which you could be",
            handler=api.sessions,
            answer=SessionsMessage,
            scope=Scope.ACCOUNT,
            example=Example(answer=SessionsMessage(sessions=(LAPTOP,), codes=(CODE,))),
        ),
        Route(
            method="DELETE",
            path="/api/me/sessions/{session_id:uuid}",
            name="end_session",
            tag=ME,
            summary="Sign out at one place",
            handler=api.end_session,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
            answer_headers=COOKIE_GONE,
        ),
        Route(
            method="POST",
            path="/api/me/sessions/revoke-others",
            name="end_other_sessions",
            tag=ME,
            summary="Sign out everywhere else",
            description=(
                "A code for another device that was not used yet ends as well. Personal tokens go on; they "
                "are revoked one by one."
            ),
            handler=api.end_others,
            answer=EndedMessage,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
            problems=(Problem.NO_SUCH_PLAYER,),
            example=Example(answer=EndedMessage(ended=2)),
        ),
    )
