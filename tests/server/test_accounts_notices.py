"""Notices: real bytes to an endpoint on this machine, opened and checked as the other side would."""

import hashlib
import hmac
import json
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from uuid import uuid4

import pytest
from asyncpg import Pool
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from cartagena.endpoints.callers import Session
from cartagena.messages.accounts import NoticeMessage, PushKeys, SubscribePush
from cartagena.server.accounts.notices.delivery import Delivery, Notices, topic_of
from cartagena.server.accounts.notices.safe_http import IpAddress, Poster
from cartagena.server.accounts.notices.web_push import (
    MOST_BROWSERS,
    MOST_FAILURES,
    application_server_key,
    browsers_of,
    subscribe,
    subscriptions_of,
    unsubscribe,
)
from cartagena.server.accounts.notices.webhooks import (
    remove_webhook,
    set_webhook,
    webhook_message,
    webhook_of,
)
from cartagena.server.shared.settings import Vapid
from harness.authenticator import decoded, encoded
from tests.server.accounts_endpoint import Browser, endpoint, tls_for
from tests.server.accounts_world import World, problem_of, world

VAPID = Vapid(private_key=encoded(bytes(31) + b"\x07"), subject="mailto:harbour@example.org")
TURN = NoticeMessage(kind="your_turn", table=uuid4(), seq=7, at=1_700_000_000_000)


def notices(here: World, poster: Poster, vapid: Vapid | None = VAPID) -> Notices:
    """The notices for the players of this world."""
    return Notices(directory=here.directory, poster=poster, vapid=vapid)


async def told_by_hook(here: World, session: Session, poster: Poster) -> tuple[Delivery, ...]:
    """What came of one notice."""
    return await notices(here, poster).tell(session.player_id, TURN)


async def test_a_browser_is_told_in_words_that_only_it_can_open(directory: Pool) -> None:
    here, browser, stranger = world(directory), Browser(), Browser()
    session = (await here.guest()).session
    async with endpoint() as push, Poster(private=True) as poster:
        wanted = browser.subscription(push.url("/push/abc"))
        await subscribe(here.directory, session, wanted, private=True)
        assert await notices(here, poster).tell(session.player_id, TURN) == (Delivery.DELIVERED,)
    (got,) = push.received
    assert got.line == "POST /push/abc HTTP/1.1"
    assert json.loads(browser.opened(got.body)) == {
        "kind": "your_turn",
        "table": str(TURN.table),
        "seq": 7,
        "at": 1_700_000_000_000,
    }
    assert str(TURN.table).encode() not in got.body
    with pytest.raises(Exception, match="Decryption error"):
        stranger.opened(got.body)
    assert got.headers["content-encoding"] == "aes128gcm"
    assert got.headers["ttl"] == "86400"
    assert TURN.table is not None
    assert got.headers["topic"] == topic_of(TURN.table) != topic_of(uuid4())
    assert len(got.headers["topic"]) == 32


async def test_the_push_service_can_check_who_is_sending(directory: Pool) -> None:
    here, browser = world(directory), Browser()
    session = (await here.guest()).session
    async with endpoint() as push, Poster(private=True) as poster:
        await subscribe(here.directory, session, browser.subscription(push.url()), private=True)
        await notices(here, poster).tell(session.player_id, TURN)
    scheme, _, rest = push.received[0].headers["authorization"].partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert parts["k"] == application_server_key(VAPID)
    head, claims, signature = parts["t"].split(".")
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
    r, s = (int.from_bytes(half) for half in (decoded(signature)[:32], decoded(signature)[32:]))
    public.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    assert json.loads(decoded(claims)) == {
        "sub": "mailto:harbour@example.org",
        "aud": f"http://127.0.0.1:{push.port}",
        "exp": int(here.clock().timestamp()) + 12 * 3600,
    }


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_told_no_more(directory: Pool, status: int) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint(status=status) as push, Poster(private=True) as poster:
        await subscribe(here.directory, session, Browser().subscription(push.url()), private=True)
        assert await notices(here, poster).tell(session.player_id, TURN) == (Delivery.GONE,)
        assert await notices(here, poster).tell(session.player_id, TURN) == ()
    assert await browsers_of(here.directory, session.player_id) == ()


async def test_an_address_that_fails_is_tried_again_but_not_for_ever(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint(status=503) as push, Poster(private=True) as poster:
        await subscribe(here.directory, session, Browser().subscription(push.url()), private=True)
        await set_webhook(here.directory, session.player_id, push.url(), private=True)
        told = notices(here, poster)
        for _ in range(MOST_FAILURES):
            assert await told.tell(session.player_id, TURN) == (Delivery.FAILED,) * 2
        push.status = 200
        assert await told.tell(session.player_id, TURN) == (Delivery.DELIVERED,) * 2
        push.status = 500
        for _ in range(MOST_FAILURES + 1):
            assert await told.tell(session.player_id, TURN) == (Delivery.FAILED,) * 2
        assert await told.tell(session.player_id, TURN) == ()


async def test_without_a_key_of_our_own_no_browser_is_told(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint() as push, Poster(private=True) as poster:
        await subscribe(here.directory, session, Browser().subscription(push.url()), private=True)
        assert await notices(here, poster, None).tell(session.player_id, TURN) == ()
    assert push.received == []


async def test_of_more_than_five_browsers_the_oldest_falls_silent(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    for number in range(MOST_BROWSERS + 2):
        here.clock.after(seconds=1)
        wanted = Browser().subscription(f"https://push{number}.example.org/x")
        await subscribe(here.directory, session, wanted, private=False)
    listed = await browsers_of(here.directory, session.player_id)
    assert [one.host for one in listed] == [f"push{number}.example.org" for number in range(2, 7)]


async def test_a_browser_belongs_to_who_signed_in_last(directory: Pool) -> None:
    here = world(directory)
    first, second = (await here.guest()).session, (await here.guest()).session
    wanted = Browser().subscription("https://push.example.org/x")
    await subscribe(here.directory, first, wanted, private=False)
    made = await subscribe(here.directory, second, wanted, private=False)
    assert await browsers_of(here.directory, first.player_id) == ()
    assert await browsers_of(here.directory, second.player_id) == (made,)
    assert await problem_of(unsubscribe(here.directory, first.player_id, made.id)) == "no_such_thing"
    await unsubscribe(here.directory, second.player_id, made.id)
    assert await browsers_of(here.directory, second.player_id) == ()


async def test_a_browser_that_is_signed_out_falls_silent(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    wanted = Browser().subscription("https://push.example.org/x")
    await subscribe(here.directory, session, wanted, private=False)
    await here.sessions.sign_out(session)
    assert await browsers_of(here.directory, session.player_id) == ()


@pytest.mark.parametrize(
    ("endpoint_url", "keys"),
    [
        ("http://push.example.org/x", None),
        ("https://127.0.0.1/x", None),
        ("https://push.example.org/x", PushKeys(p256dh="", auth="")),
        (
            "https://push.example.org/x",
            PushKeys(p256dh=encoded(b"\x04" + bytes(64)), auth=encoded(bytes(16))),
        ),
        ("https://push.example.org/x", PushKeys(p256dh="é", auth="é")),
    ],
)
async def test_a_subscription_that_cannot_work_is_refused(
    directory: Pool, endpoint_url: str, keys: PushKeys | None
) -> None:
    here = world(directory)
    session = (await here.guest()).session
    good = Browser().subscription(endpoint_url)
    wanted = good if keys is None else SubscribePush(endpoint=endpoint_url, keys=keys)
    assert await problem_of(subscribe(here.directory, session, wanted, private=False)) == "unfit"
    short = SubscribePush(endpoint="https://x.org/", keys=PushKeys(p256dh=good.keys.p256dh, auth="AAAA"))
    assert await problem_of(subscribe(here.directory, session, short, private=False)) == "unfit"
    assert good.endpoint not in repr(good)


async def test_a_program_is_told_and_can_prove_who_told_it(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint(status=204) as hook, Poster(private=True) as poster:
        made = await set_webhook(here.directory, session.player_id, hook.url("/my?x=1"), private=True)
        assert await told_by_hook(here, session, poster) == (Delivery.DELIVERED,)
    (got,) = hook.received
    assert got.line == "POST /my?x=1 HTTP/1.1"
    assert got.headers["host"] == f"127.0.0.1:{hook.port}"
    assert got.headers["content-type"] == "application/json"
    assert json.loads(got.body)["kind"] == "your_turn"
    moment, proof = (part.split("=", 1)[1] for part in got.headers["cartagena-signature"].split(","))
    assert int(moment) == int(here.clock().timestamp())
    assert made.secret is not None
    expected = hmac.new(made.secret.encode(), f"{moment}.".encode() + got.body, hashlib.sha256)
    assert proof == expected.hexdigest()


async def test_the_secret_of_a_webhook_is_shown_once_and_changes_with_it(directory: Pool) -> None:
    here = world(directory)
    player_id = (await here.guest()).session.player_id
    first = await set_webhook(here.directory, player_id, "https://bot.example.org/", private=False)
    again = await set_webhook(here.directory, player_id, "https://bot.example.org/", private=False)
    assert first.secret != again.secret
    shown = await webhook_message(here.directory, player_id)
    assert shown is not None
    assert (shown.url, shown.secret) == ("https://bot.example.org/", None)
    assert again.secret is not None
    assert again.secret not in repr(again) + repr(await webhook_of(here.directory, player_id))
    await remove_webhook(here.directory, player_id)
    await remove_webhook(here.directory, player_id)
    assert await webhook_message(here.directory, player_id) is None


@pytest.mark.parametrize(("status", "outcome"), [(404, Delivery.FAILED), (410, Delivery.GONE)])
async def test_a_program_goes_only_if_it_says_so(directory: Pool, status: int, outcome: Delivery) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint(status=status) as hook, Poster(private=True) as poster:
        await set_webhook(here.directory, session.player_id, hook.url(), private=True)
        assert await told_by_hook(here, session, poster) == (outcome,)
    kept = await webhook_message(here.directory, session.player_id)
    assert (kept is None) == (outcome is Delivery.GONE)


async def test_a_redirect_is_not_followed(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint() as inside, endpoint(status=307) as hook, Poster(private=True) as poster:
        hook.headers = f"location: {inside.url()}\r\n"
        await set_webhook(here.directory, session.player_id, hook.url(), private=True)
        assert await told_by_hook(here, session, poster) == (Delivery.FAILED,)
    assert len(hook.received) == 1
    assert inside.connections == 0


@pytest.mark.parametrize(("pause", "drip"), [(5.0, 0.0), (0.0, 0.1)])
async def test_a_slow_program_keeps_nobody_waiting(directory: Pool, pause: float, drip: float) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint(pause=pause, drip=drip) as hook, Poster(private=True, seconds=0.2) as poster:
        await set_webhook(here.directory, session.player_id, hook.url(), private=True)
        # A poster that waited for the whole answer would have found the notice delivered.
        assert await told_by_hook(here, session, poster) == (Delivery.FAILED,)


async def test_a_name_that_leads_into_our_network_is_not_called(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint() as inside, Poster(private=False) as poster:
        for host in ("localhost", "127.1", "2130706433"):
            url = inside.url(host=host, scheme="https")
            await set_webhook(here.directory, session.player_id, url, private=False)
            assert await told_by_hook(here, session, poster) == (Delivery.FAILED,)
        push = inside.url(host="localhost", scheme="https")
        await subscribe(here.directory, session, Browser().subscription(push), private=False)
        assert await told_by_hook(here, session, poster) == (Delivery.FAILED, Delivery.FAILED)
        assert inside.connections == 0


async def test_what_was_kept_when_it_was_allowed_is_not_called_when_it_no_longer_is(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint() as inside, Poster(private=False) as poster:
        await set_webhook(here.directory, session.player_id, inside.url(), private=True)
        assert await told_by_hook(here, session, poster) == (Delivery.FAILED,)
        assert inside.connections == 0


async def test_a_host_is_looked_up_once_and_called_at_the_address_that_was_checked(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    asked: list[str] = []

    async def turncoat(host: str, _: int) -> Sequence[IpAddress]:
        asked.append(host)
        return [ip_address("127.0.0.1" if len(asked) == 1 else "127.0.0.9")]

    async with endpoint() as hook, Poster(private=True, resolve=turncoat) as poster:
        url = hook.url(host="bot.invalid")
        await set_webhook(here.directory, session.player_id, url, private=True)
        assert await told_by_hook(here, session, poster) == (Delivery.DELIVERED,)
        assert asked == ["bot.invalid"]
        assert hook.received[0].headers["host"] == f"bot.invalid:{hook.port}"


async def test_a_host_with_several_addresses_is_called_at_one_that_answers(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session

    async def several(_: str, __: int) -> Sequence[IpAddress]:
        return [ip_address("127.0.0.9"), ip_address("127.0.0.1")]

    async with endpoint() as hook, Poster(private=True, resolve=several) as poster:
        await set_webhook(here.directory, session.player_id, hook.url(host="bot.invalid"), private=True)
        assert await told_by_hook(here, session, poster) == (Delivery.DELIVERED,)


async def test_no_proxy_of_the_environment_comes_between(
    directory: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint() as proxy, endpoint() as hook:
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(variable, proxy.url(""))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        async with Poster(private=True) as poster:
            await set_webhook(here.directory, session.player_id, hook.url(), private=True)
            assert await told_by_hook(here, session, poster) == (Delivery.DELIVERED,)
        assert (proxy.connections, len(hook.received)) == (0, 1)


async def test_no_address_is_written_to_a_log(directory: Pool, caplog: pytest.LogCaptureFixture) -> None:
    here = world(directory)
    session = (await here.guest()).session
    caplog.set_level("DEBUG")
    async with endpoint() as hook, Poster(private=True) as poster:
        await set_webhook(here.directory, session.player_id, hook.url("/xyzzy"), private=True)
        wanted = Browser().subscription(hook.url("/push/xyzzy"))
        await subscribe(here.directory, session, wanted, private=True)
        assert await told_by_hook(here, session, poster) == (Delivery.DELIVERED,) * 2
    assert "xyzzy" not in caplog.text


async def test_the_certificate_must_be_that_of_the_host(directory: Pool, tmp_path: Path) -> None:
    here = world(directory)
    session = (await here.guest()).session
    for name, outcome in (("localhost", Delivery.DELIVERED), ("elsewhere.example", Delivery.FAILED)):
        served, trusted = tls_for(name, tmp_path)
        async with endpoint(tls=served) as hook, Poster(private=True, trusted=trusted) as poster:
            url = hook.url(host="localhost", scheme="https")
            await set_webhook(here.directory, session.player_id, url, private=True)
            assert await told_by_hook(here, session, poster) == (outcome,)


async def test_nobody_at_home_is_a_failure_and_no_error(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    async with endpoint() as hook:
        gone = hook.url()
    async with Poster(private=True) as poster:
        for url in (gone, "https://no-such-host.invalid/"):
            await set_webhook(here.directory, session.player_id, url, private=True)
            assert await told_by_hook(here, session, poster) == (Delivery.FAILED,)


@pytest.mark.parametrize(
    "url", ["http://bot.example.org/", "https://10.0.0.1/", "https://[::1]/", "nonsense"]
)
async def test_a_webhook_inside_our_network_is_refused(directory: Pool, url: str) -> None:
    here = world(directory)
    player_id = (await here.guest()).session.player_id
    assert await problem_of(set_webhook(here.directory, player_id, url, private=False)) == "unfit"


async def test_a_subscription_prints_no_secret(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    await subscribe(here.directory, session, Browser().subscription("https://p.org/secret"), private=False)
    (kept,) = await subscriptions_of(here.directory, session.player_id)
    assert "secret" not in repr(kept)
    assert repr(kept.auth) not in repr(kept)
