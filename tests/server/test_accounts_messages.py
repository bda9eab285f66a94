"""Messages of accounts: they go over the wire and back, are documented, and print no secret."""

import inspect
from uuid import UUID

import msgspec
import pytest

from cartagena.messages import accounts
from cartagena.messages.accounts import (
    AccountMessage,
    BecomeGuest,
    ChangeMe,
    FinishPasskey,
    PasskeyOptionsMessage,
    PlayerMessage,
    ReportPlayer,
    SecretMessage,
    SignedInMessage,
    SubscribePush,
    TokenMadeMessage,
    UseCode,
    WebhookMessage,
)

MESSAGES = [
    kind
    for _, kind in inspect.getmembers(accounts, inspect.isclass)
    if issubclass(kind, AccountMessage) and kind not in (AccountMessage, SecretMessage)
]
SOMEBODY = UUID("018cc251-f400-7000-8000-000000000001")


def test_every_message_is_documented_and_has_a_schema() -> None:
    schemas, components = msgspec.json.schema_components(MESSAGES)
    assert len(schemas) == len(MESSAGES) >= 35
    for kind in MESSAGES:
        assert components[kind.__name__]["description"] == inspect.getdoc(kind)
        assert kind.__struct_config__.frozen


def test_a_message_is_read_as_it_was_written() -> None:
    player = PlayerMessage(id=SOMEBODY, name="Anne", is_guest=True, created=1_700_000_000_000)
    text = msgspec.json.encode(player)
    assert text == (
        b'{"id":"018cc251-f400-7000-8000-000000000001","name":"Anne","is_guest":true,'
        b'"created":1700000000000,"is_bot":false}'
    )
    assert msgspec.json.decode(text, type=PlayerMessage) == player


def test_what_is_left_out_has_its_default() -> None:
    assert msgspec.json.decode(b"{}", type=BecomeGuest) == BecomeGuest(name=None, bearer=False)
    assert msgspec.json.decode(b"{}", type=ChangeMe) == ChangeMe()


def test_a_browser_finds_its_options_under_its_own_name() -> None:
    options = PasskeyOptionsMessage(public_key=msgspec.Raw(b'{"challenge":"AA"}'))
    assert msgspec.json.encode(options) == b'{"publicKey":{"challenge":"AA"}}'


def test_a_subscription_is_taken_as_a_browser_gives_it() -> None:
    text = b'{"endpoint":"https://p.org/x","expirationTime":null,"keys":{"p256dh":"BA","auth":"AA"}}'
    assert msgspec.json.decode(text, type=SubscribePush).keys.auth == "AA"


@pytest.mark.parametrize("text", ["", "x" * 1_001])
def test_a_report_has_a_text_of_some_length(text: str) -> None:
    told = {"key": str(SOMEBODY), "player": str(SOMEBODY), "text": text}
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(told), type=ReportPlayer)


def test_no_secret_is_printed() -> None:
    me = accounts.MeMessage(
        id=SOMEBODY,
        name="Anne",
        is_guest=True,
        is_admin=False,
        created=0,
        banned_until=None,
        settings={},
        passkeys=0,
        recovery_codes=0,
        webhook=False,
    )
    made = accounts.TokenMessage(id=SOMEBODY, name="bot", scopes=("read",), created=0, seen=0)
    secret = "xyzzy"  # noqa: S105 - none in earnest
    for message in (
        SignedInMessage(me=me, token=secret),
        TokenMadeMessage(token=secret, made=made),
        UseCode(code="xyzzy"),
        FinishPasskey(credential=msgspec.Raw(b'"xyzzy"')),
        WebhookMessage(url="https://xyzzy.org/", created=0, secret=secret),
        accounts.PushKeys(p256dh="xyzzy", auth="xyzzy"),
        accounts.RecoveryCodesMessage(recovery_codes=("xyzzy",)),
        accounts.ClubLinkMessage(issuer="https://xyzzy.org", subject="xyzzy", created=0, used=0),
        accounts.DeviceCodeMessage(code="xyzzy", expires=0, qr="xyzzy"),
    ):
        assert secret not in repr(message)
        assert repr(message).startswith(type(message).__name__)
