"""Players on the wire: what they send about themselves, and what they are told.

Moments are milliseconds since 1970, ids are UUIDs. What is shown once (a token, a code, a secret) is in
the one answer that makes it and in no other.
"""

from typing import Annotated, Final, Literal, TypeAlias
from uuid import UUID

from msgspec import Meta, Raw, Struct, field

LONGEST_REPORT: Final = 1_000
MOST_BAN_DAYS: Final = 3_650
LONGEST_ENGINE: Final = 60
ScopeWord: TypeAlias = Literal["read", "play", "account"]
SessionKind: TypeAlias = Literal["cookie", "bearer", "token"]
Setting: TypeAlias = str | int | bool


class AccountMessage(Struct, frozen=True, kw_only=True):
    """Something sent or told."""


class SecretMessage(AccountMessage, frozen=True, kw_only=True):
    """Something with a secret in it: printed, it says only what it is."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"


# --- The players themselves ------------------------------------------------------------------------


class BecomeGuest(AccountMessage, frozen=True, kw_only=True):
    """Come in as a guest; without a name you are given one. `bearer` asks for a token instead of a cookie."""

    name: str | None = None
    bearer: bool = False


class ChangeMe(AccountMessage, frozen=True, kw_only=True):
    """Change your name, what your client remembers, or your consent; what is left out stays."""

    name: str | None = None
    settings: dict[str, Setting] | None = None
    open_data: bool | None = None


class PlayerMessage(AccountMessage, frozen=True, kw_only=True):
    """What everybody may know of a player."""

    id: UUID
    name: str
    is_guest: bool
    created: int
    is_bot: bool = False


class MeMessage(AccountMessage, frozen=True, kw_only=True):
    """What you may know of yourself: codes left, webhook, club, whether your public games are open data."""

    id: UUID
    name: str
    is_guest: bool
    is_admin: bool
    created: int
    banned_until: int | None
    settings: dict[str, Setting]
    passkeys: int
    recovery_codes: int
    webhook: bool
    club: bool = False
    open_data: bool = False
    is_bot: bool = False


class WhoMessage(AccountMessage, frozen=True, kw_only=True):
    """Who you are; `me` is null for a visitor without a session."""

    me: MeMessage | None


class SignedInMessage(SecretMessage, frozen=True, kw_only=True):
    """You are in; `token` is there if you asked for a bearer's and not for a cookie."""

    me: MeMessage
    token: str | None = None


# --- Sessions, personal tokens and bots ------------------------------------------------------------


class SessionMessage(AccountMessage, frozen=True, kw_only=True):
    """A place where you are signed in; `is_this` marks the one you ask from."""

    id: UUID
    kind: SessionKind
    label: str
    created: int
    seen: int
    expires: int | None
    is_this: bool


class OpenCodeMessage(AccountMessage, frozen=True, kw_only=True):
    """A code with which another device could still come in as you; the code itself was shown once."""

    id: UUID
    expires: int


class SessionsMessage(AccountMessage, frozen=True, kw_only=True):
    """Where you are signed in, the latest seen first, and by which codes another device could still be."""

    sessions: tuple[SessionMessage, ...]
    codes: tuple[OpenCodeMessage, ...] = ()


class MakeToken(AccountMessage, frozen=True, kw_only=True):
    """Make a token for a program of yours, with some of your own scopes."""

    name: str
    scopes: tuple[ScopeWord, ...]


class TokenMessage(AccountMessage, frozen=True, kw_only=True):
    """A personal token; the token itself was told when it was made."""

    id: UUID
    name: str
    scopes: tuple[ScopeWord, ...]
    created: int
    seen: int


class TokensMessage(AccountMessage, frozen=True, kw_only=True):
    """Your personal tokens, the newest first."""

    tokens: tuple[TokenMessage, ...]


class TokenMadeMessage(SecretMessage, frozen=True, kw_only=True):
    """A new personal token: keep it, it is shown this once."""

    token: str
    made: TokenMessage


class MakeBot(AccountMessage, frozen=True, kw_only=True):
    """Make an account for a bot of yours: what it is called, and what plays there."""

    name: str
    engine: Annotated[str, Meta(min_length=1, max_length=LONGEST_ENGINE)]


class BotMessage(AccountMessage, frozen=True, kw_only=True):
    """A bot of yours; `seen` is when its token was last used, null if it has none any more."""

    id: UUID
    name: str
    engine: str
    created: int
    seen: int | None


class BotsMessage(AccountMessage, frozen=True, kw_only=True):
    """Your bots, the newest first, and how many you may have."""

    bots: tuple[BotMessage, ...]
    most: int


class BotTokenMessage(SecretMessage, frozen=True, kw_only=True):
    """A bot and its new token: keep it, it is shown this once."""

    token: str
    bot: BotMessage


# --- Passkeys and codes ----------------------------------------------------------------------------


class BeginPasskey(AccountMessage, frozen=True, kw_only=True):
    """Ask for a passkey; a guest keeps this name with it, or else the current one."""

    name: str | None = None


class PasskeyOptionsMessage(AccountMessage, frozen=True, kw_only=True):
    """What the browser needs: `navigator.credentials.create` or `.get` takes `publicKey` as JSON."""

    public_key: Raw = field(name="publicKey")


class FinishPasskey(SecretMessage, frozen=True, kw_only=True):
    """The browser's answer, as `credential.toJSON()` gives it, and what you call this passkey."""

    credential: Raw
    label: str = ""


class RenamePasskey(AccountMessage, frozen=True, kw_only=True):
    """Call a passkey something else."""

    label: str


class PasskeyMessage(AccountMessage, frozen=True, kw_only=True):
    """One of your passkeys."""

    id: UUID
    label: str
    created: int
    used: int | None


class PasskeysMessage(AccountMessage, frozen=True, kw_only=True):
    """Your passkeys, the oldest first."""

    passkeys: tuple[PasskeyMessage, ...]


class PasskeyMadeMessage(SecretMessage, frozen=True, kw_only=True):
    """A new passkey; with the first one recovery codes, shown this once; `token` is a bearer's new one."""

    passkey: PasskeyMessage
    recovery_codes: tuple[str, ...]
    token: str | None = None


class FinishSignIn(SecretMessage, frozen=True, kw_only=True):
    """The browser's answer to a sign-in, as `credential.toJSON()` gives it."""

    credential: Raw
    bearer: bool = False


class ProveMyself(SecretMessage, frozen=True, kw_only=True):
    """The browser's answer to what `begin_sign_in` asked, by a passkey of the player who is here already."""

    credential: Raw


class UseCode(SecretMessage, frozen=True, kw_only=True):
    """Come in by a recovery code, or by the code shown on another device; hyphens and case do not matter."""

    code: Annotated[str, Meta(max_length=100)]
    bearer: bool = False


class WaysInMessage(AccountMessage, frozen=True, kw_only=True):
    """How you may come in here besides the usual ways: `club` is what its provider's button says, if any."""

    club: str | None


class ClubLinkMessage(SecretMessage, frozen=True, kw_only=True):
    """By whom you are known: the provider, and what it calls you."""

    issuer: str
    subject: str
    created: int
    used: int


class RecoveryCodesMessage(SecretMessage, frozen=True, kw_only=True):
    """New recovery codes; older ones no longer work."""

    recovery_codes: tuple[str, ...]


class DeviceCodeMessage(SecretMessage, frozen=True, kw_only=True):
    """A code with which another device comes in as you, once; `qr` is a picture (SVG) of its address."""

    code: str
    expires: int
    qr: str


# --- Other players ---------------------------------------------------------------------------------


class BlocksMessage(AccountMessage, frozen=True, kw_only=True):
    """The players you blocked, the latest first."""

    players: tuple[PlayerMessage, ...]


class ReportPlayer(AccountMessage, frozen=True, kw_only=True):
    """Tell the people who run this place about a player, about a table, and about a line said there."""

    key: UUID
    player: UUID
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_REPORT)]
    table: UUID | None = None
    line: Annotated[int, Meta(ge=1, le=2**31 - 1, description="its number in the chat")] | None = None
    invite: Annotated[str, Meta(min_length=1, max_length=40)] | None = None


class ReportMessage(AccountMessage, frozen=True, kw_only=True):
    """A report as those who run this place see it; `verdict` and `closed` once it is dealt with."""

    id: UUID
    reporter: PlayerMessage
    player: PlayerMessage
    table: UUID | None
    text: str
    created: int
    closed: int | None
    verdict: str | None
    line: int | None = None
    said: Annotated[str, Meta(description="the line as it was, empty if it was gone already")] | None = None


class ReportsMessage(AccountMessage, frozen=True, kw_only=True):
    """Reports, the oldest first; the next page begins after the last id."""

    reports: tuple[ReportMessage, ...]


class CloseReport(AccountMessage, frozen=True, kw_only=True):
    """Say what came of a report."""

    verdict: Annotated[str, Meta(min_length=1, max_length=LONGEST_REPORT)]


class BanPlayer(AccountMessage, frozen=True, kw_only=True):
    """Let a player only watch for `days` days."""

    days: Annotated[int, Meta(ge=1, le=MOST_BAN_DAYS)]


# --- Notices ---------------------------------------------------------------------------------------


class PushKeys(SecretMessage, frozen=True, kw_only=True):
    """The keys of a browser's subscription, in base64url."""

    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class SubscribePush(SecretMessage, frozen=True, kw_only=True):
    """Be told by this browser: what `subscription.toJSON()` gives."""

    endpoint: Annotated[str, Meta(max_length=2_000)]
    keys: PushKeys


class PushMessage(AccountMessage, frozen=True, kw_only=True):
    """A browser that tells you when it is your turn."""

    id: UUID
    host: str
    created: int


class PushesMessage(AccountMessage, frozen=True, kw_only=True):
    """The browsers that tell you."""

    browsers: tuple[PushMessage, ...]


class SetWebhook(AccountMessage, frozen=True, kw_only=True):
    """Be told by a POST to this address."""

    url: Annotated[str, Meta(max_length=2_000)]


class WebhookMessage(SecretMessage, frozen=True, kw_only=True):
    """Where your notices are posted; `secret` signs them and is shown when the address is set."""

    url: str
    created: int
    secret: str | None = None


class NoticeMessage(AccountMessage, frozen=True, kw_only=True):
    """What a browser or a webhook is told: that something waits for you at a table."""

    kind: Literal["your_turn", "started", "over", "test"]
    table: UUID | None = None
    seq: int | None = None
    at: int


class ExportMessage(SecretMessage, frozen=True, kw_only=True):
    """Everything that is kept about you; `elsewhere` holds your games, results, ratings, chat, challenges."""

    me: MeMessage
    sessions: tuple[SessionMessage, ...]
    tokens: tuple[TokenMessage, ...]
    bots: tuple[BotMessage, ...]
    passkeys: tuple[PasskeyMessage, ...]
    clubs: tuple[ClubLinkMessage, ...]
    blocks: tuple[PlayerMessage, ...]
    reports: tuple[ReportMessage, ...]
    browsers: tuple[SubscribePush, ...]
    webhook: WebhookMessage | None
    elsewhere: dict[str, Raw]
