"""Both proxies before a real node: streams come at once, go on after a break, and end with their reader."""

import asyncio
import shutil
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest

from harness.servers import free_port, write_nginx
from tests.deploy.running import DEPLOY
from tests.server.databases import migrated_database, settings_for
from tests.server.service_nodes import Listener, Node, Person, listening, running_node
from tests.waiting import PATIENCE, STARTING, until

pytestmark = pytest.mark.processes

AT_ONCE = 12.0
"""Seconds: less than a heartbeat, which would push along what a proxy holds back; enough when busy."""


@asynccontextmanager
async def proxy(name: str, upstream: str, folder: Path, *, plain: int | None = None) -> AsyncIterator[str]:
    """Run a proxy as in deploy/ in front of a node; yield its address. `plain` is its port without TLS."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed on this machine")
    place = upstream.removeprefix("http://")
    port = free_port()
    url = f"{'https' if name == 'nginx' else 'http'}://127.0.0.1:{port}"
    plain = plain or free_port()
    command = caddy(folder, url, place, plain) if name == "caddy" else nginx(folder, port, place, plain)
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, env=paths(folder), stdout=log, stderr=log
        )
    try:
        async with httpx.AsyncClient(verify=False, trust_env=False) as client:  # noqa: S501 - good for today only

            async def is_ready() -> bool:
                assert process.returncode is None, (folder / "log").read_text()
                return await answers(client, url)

            await until(is_ready, seconds=STARTING, what=(folder / "log").read_text)
        yield url
    finally:
        process.terminate()
        await process.wait()


def paths(folder: Path) -> dict[str, str]:
    return {"PATH": "/usr/bin:/usr/sbin:/bin:/sbin", "HOME": str(folder), "XDG_DATA_HOME": str(folder)}


def caddy(folder: Path, url: str, place: str, plain: int) -> Sequence[str]:
    file = folder / "Caddyfile"
    text = (DEPLOY / "club" / "Caddyfile").read_text(encoding="utf-8")
    text = text.replace("http://{$SITE}", f"http://127.0.0.1:{plain}")
    text = text.replace("{$SITE}", url).replace("{$UPSTREAM}", place)
    assert text.startswith("{\n"), "the options for all sites come first"
    # Nobody restarts the node of a trial.
    text = text.replace("lb_try_duration 10s", "lb_try_duration 1s")
    file.write_text(text.replace("{\n", "{\n\tadmin off\n", 1), encoding="utf-8")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]


def nginx(folder: Path, port: int, place: str, plain: int) -> Sequence[str]:
    places = {
        "listen 80": f"listen 127.0.0.1:{plain}",
        "listen 443": f"listen 127.0.0.1:{port}",
        "127.0.0.1:8001": place,
        # The other node is away.
        "127.0.0.1:8002": f"127.0.0.1:{free_port()}",
    }
    return ["nginx", "-p", str(folder), "-c", str(write_nginx(folder, places))]


async def answers(client: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await client.get(f"{url}/ready")).is_success
    except httpx.TransportError:
        return False


@asynccontextmanager
async def person(url: str, name: str) -> AsyncIterator[Person]:
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, verify=False, trust_env=False) as client:  # noqa: S501
        told = (await client.post("/api/guest", json={"name": name, "bearer": True})).json()
        yield Person(client=client, id=told["me"]["id"], token=told["token"])


async def heard(listener: Listener, text: str) -> None:
    await until(lambda: text in [told.get("text") for _, _, told in listener.events], seconds=AT_ONCE)


@pytest.mark.parametrize("name", ["caddy", "nginx"])
async def test_a_table_is_followed_through_a_proxy(name: str, tmp_path: Path) -> None:
    async with migrated_database() as dsn:
        settings = settings_for(dsn, CARTAGENA_TRUSTED_PROXIES="127.0.0.1")
        async with (
            running_node(settings) as node,
            proxy(name, node.url, tmp_path) as url,
            person(url, "Anne") as anne,
        ):
            table = await anne.post("/api/tables", status=201, terms={"ruleset": "tortuga", "seats": 2})
            path = f"/api/tables/{table['id']}"
            async with listening(anne, f"{path}/stream") as listener:
                await listener.until(0)
                await anne.post(f"{path}/chat", status=201, text="Ahoy")
                await heard(listener, "Ahoy")
            await nobody_listens(node)
            await anne.post(f"{path}/chat", status=201, text="Anybody there?")
            async with listening(anne, f"{path}/stream", last=listener.last_id) as again:
                await heard(again, "Anybody there?")
                assert [event for event, _, _ in again.events] == ["chat"], "it went on where it was"
            # The node knows that the request comes from a client, not from the proxy itself.
            assert (await anne.client.get("/metrics")).status_code == 403


async def nobody_listens(node: Node) -> None:
    """Wait until the node has noticed that a reader has left."""
    await until(lambda: not len(node.web.hub), seconds=AT_ONCE)


async def test_nginx_speaks_http_2(tmp_path: Path) -> None:
    async with migrated_database() as dsn, running_node(settings_for(dsn)) as node:
        async with proxy("nginx", node.url, tmp_path) as url:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            context.set_alpn_protocols(["h2"])
            host, port = url.removeprefix("https://").split(":")
            _, writer = await asyncio.open_connection(host, int(port), ssl=context)
            spoken = writer.get_extra_info("ssl_object").selected_alpn_protocol()
            writer.close()
        assert spoken == "h2"


@asynccontextmanager
async def echo() -> AsyncIterator[str]:
    """Run a service that answers every request with its head; yield its address."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(head) + head)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize("name", ["caddy", "nginx"])
async def test_a_proxy_hands_on_nothing_that_the_service_believes_of_it(name: str, tmp_path: Path) -> None:
    forged = {
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "x-forwarded-for": "198.51.100.7",
    }
    async with (
        echo() as upstream,
        proxy(name, upstream, tmp_path) as url,
        httpx.AsyncClient(verify=False, trust_env=False) as client,  # noqa: S501 - good for today only
    ):
        head = (await client.get(f"{url}/api/me", headers=forged)).text.lower()
    assert "traceparent" not in head
    hops = head.partition("x-forwarded-for: ")[2].partition("\r\n")[0].split(", ")
    assert hops[-1] == "127.0.0.1", "the nearest hop is the proxy's own word"


@pytest.mark.parametrize("name", ["caddy", "nginx"])
async def test_without_tls_people_are_sent_on_and_programs_refused(name: str, tmp_path: Path) -> None:
    plain = free_port()
    async with (
        echo() as upstream,
        proxy(name, upstream, tmp_path, plain=plain),
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{plain}", trust_env=False) as client,
    ):
        page = await client.get("/table/1?invite=2")
        program = await client.get("/api/me", headers={"Authorization": "Bearer ct_swordfish"})
    assert (page.status_code, page.headers["location"]) == (301, "https://127.0.0.1/table/1?invite=2")
    assert (program.status_code, program.headers.get("location")) == (403, None)


def logs_in(folder: Path) -> dict[str, str]:
    """All that a proxy wrote, by the name of the file."""
    return {file.name: file.read_text() for file in (folder / "log", *folder.glob("*.log"))}


@pytest.mark.parametrize("name", ["caddy", "nginx"])
async def test_no_invitation_or_token_reaches_a_log(name: str, tmp_path: Path) -> None:
    plain, secrets = free_port(), ("swordfish", "ct_parrot", "cookie_anchor")
    headers = {
        "Authorization": "Bearer ct_parrot",
        "Cookie": "cartagena=cookie_anchor",
        "Referer": "https://127.0.0.1/table/1?invite=swordfish",
    }
    async with AsyncExitStack() as upstream:
        place = await upstream.enter_async_context(echo())
        async with (
            proxy(name, place, tmp_path, plain=plain) as url,
            httpx.AsyncClient(verify=False, trust_env=False, timeout=PATIENCE, headers=headers) as client,  # noqa: S501
        ):
            sent_on = await client.get(f"http://127.0.0.1:{plain}/table/1?invite=swordfish")
            served = await client.get(f"{url}/table/2?invite=swordfish")
            await upstream.aclose()
            failed = await client.get(f"{url}/table/3?invite=swordfish")
    assert (sent_on.status_code, served.status_code, failed.status_code) == (301, 200, 502)
    written = logs_in(tmp_path)
    assert "/table/3" in "".join(written.values()), "the request itself is logged"
    assert not [name for name, text in written.items() if any(secret in text for secret in secrets)], written


async def test_nginx_takes_no_cipher_without_forward_secrecy_and_integrity(tmp_path: Path) -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    async with echo() as upstream, proxy("nginx", upstream, tmp_path) as url:
        host, port = url.removeprefix("https://").split(":")
        context.set_ciphers("ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA")
        with pytest.raises(ssl.SSLError):
            await asyncio.open_connection(host, int(port), ssl=context)
        context.set_ciphers("ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384")
        _, writer = await asyncio.open_connection(host, int(port), ssl=context)
        assert writer.get_extra_info("cipher")[0] == "ECDHE-ECDSA-AES256-GCM-SHA384", "the stronger one"
        writer.close()
