"""The bus of many nodes: NATS core, without streams or acknowledgements, because the store is the truth."""

import asyncio
import contextlib
import functools
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import structlog
from nats import errors
from nats.aio.client import Client, Srv
from nats.aio.msg import Msg
from nats.aio.transport import TcpTransport

from cartagena.server.bus.interface import Handler, Handlers
from cartagena.server.bus.messages import AnyMessage, BusMessage, Subjects, UnreadableMessage, pack, unpack
from cartagena.server.shared.library_checks import require_parts

MOST_WAITING: Final = 8 * 1024 * 1024
"""How many bytes may wait to be sent; if the server takes them too slowly, the newest are lost."""
PATIENCE: Final = 2
"""Seconds that a node waits for NATS when it starts and when it ends."""

_PAUSE: Final = 1
_PING: Final = 20
logger = structlog.get_logger(__name__)


OVERRIDDEN: Final = {
    "_process_msg": ("sid", "subject", "reply", "data", "headers"),
    "_connect_to_server": ("s",),
    "_process_info": ("info", "initial_connection"),
}
"""Private methods of nats-py's client that ours overrides."""


class NatsBus:
    """Hands messages over to this node at once, and to all others through NATS; reconnects for ever."""

    def __init__(
        self, url: str, *, prefix: str, tls: ssl.SSLContext | None = None, credentials: str | None = None
    ) -> None:
        require_parts("nats-py", Client, OVERRIDDEN)
        self._servers = _servers_of(url)
        self._tls = tls
        self._credentials = credentials
        self._subjects = Subjects(prefix)
        self._handlers = Handlers()
        self._outbox: deque[tuple[str, bytes]] = deque()
        self._waiting = 0
        self._is_filled = asyncio.Event()
        self._has_met = asyncio.Event()
        self._is_closed = False
        self._client: _Client | None = None
        self._listening: set[type[BusMessage]] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._trouble = ""
        self._lost = 0
        self._unreadable = 0

    @property
    def connected(self) -> bool:
        """Whether other nodes can hear us now."""
        return self._client is not None and self._client.is_connected

    @property
    def lost(self) -> int:
        """How many messages are known not to have arrived everywhere."""
        return self._lost

    @property
    def unreadable(self) -> int:
        """How many incoming messages could not be read, such as those of another version."""
        return self._unreadable

    async def open(self) -> None:
        """Connect; if NATS does not answer soon, go on trying in the background."""
        self._tasks = [asyncio.create_task(self._stay_connected()), asyncio.create_task(self._send())]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._has_met.wait(), PATIENCE)
        if not self.connected:
            logger.warning("bus_not_reached")

    def publish(self, message: BusMessage) -> None:
        """Send a message to all listeners; never waits and never fails."""
        if self._is_closed:
            self._lost += 1
            return
        asyncio.get_running_loop().call_soon(self._handlers.hand_over, message)
        # What waited while NATS was away would come too late: the streams have healed themselves by then.
        if not self.connected:
            self._lost += 1
            return
        payload = pack(message)
        if self._waiting + len(payload) > MOST_WAITING:
            self._lost += 1
            return
        self._waiting += len(payload)
        self._outbox.append((self._subjects.of(message), payload))
        self._is_filled.set()

    async def subscribe(self, kind: type[AnyMessage], handler: Handler[AnyMessage]) -> None:
        """Listen to all messages of a kind from now on."""
        self._handlers.add(kind, handler)
        if self._client is not None:
            await self._listen(self._client)

    async def close(self) -> None:
        """Deliver everything published so far, then hang up; later messages are lost."""
        self._is_closed = True
        self._is_filled.set()
        await asyncio.sleep(0)
        connecting, sending = self._tasks
        await asyncio.wait({sending}, timeout=PATIENCE if self.connected else 0)
        self._lost += len(self._outbox)
        self._outbox.clear()
        await _end(sending)
        await _end(connecting)
        if self._client is not None:
            await self._client.hang_up()

    async def _stay_connected(self) -> None:
        # Nats-py finds its way back from a lost connection, but gives up when a server refuses it; we do not.
        while True:
            is_over = asyncio.Event()
            client = await self._connect(is_over)
            self._client, self._listening = client, set()
            await self._listen(client)
            self._has_met.set()
            await is_over.wait()
            logger.warning("bus_refused", error=type(client.last_error).__name__)
            await asyncio.sleep(_PAUSE)

    async def _connect(self, is_over: asyncio.Event) -> "_Client":
        async def end() -> None:
            is_over.set()

        client = _Client()
        try:
            await client.connect(
                self._servers,
                name="cartagena",
                # Our own messages were already handed over, without a round trip.
                no_echo=True,
                max_reconnect_attempts=-1,
                reconnect_time_wait=_PAUSE,
                connect_timeout=PATIENCE,
                flush_timeout=PATIENCE,
                drain_timeout=PATIENCE,
                ping_interval=_PING,
                # All subjects are our own.
                skip_subject_validation=True,
                tls=self._tls,
                user_credentials=self._credentials,
                error_cb=self._fail,
                disconnected_cb=self._leave,
                reconnected_cb=self._return,
                closed_cb=end,
            )
        except asyncio.CancelledError:
            await client.hang_up()
            raise
        self._trouble = ""
        return client

    async def _listen(self, client: "_Client") -> None:
        """Subscribe to what is not subscribed yet, and make sure that the server knows it."""
        new = [kind for kind in self._handlers.kinds if kind not in self._listening]
        self._listening.update(new)
        # A client that was closed meanwhile has a successor, which listens to everything.
        with contextlib.suppress(errors.Error):
            for kind in new:
                hear = functools.partial(self._hear, kind)
                for subject in self._subjects.all_of(kind):
                    await client.listen(subject, hear)
            # Without a connection nats-py subscribes as soon as it has one again.
            if client.is_connected:
                # The ping of a flush overtakes what nats-py still holds back, which is out by the pong;
                # so the pong of a second flush says that the server has read it.
                await client.flush(PATIENCE)
                await client.flush(PATIENCE)

    def _hear(self, kind: type[BusMessage], packed: bytes) -> None:
        try:
            message = unpack(kind, packed)
        except UnreadableMessage:
            self._unreadable += 1
            return
        self._handlers.hand_over(message)

    async def _send(self) -> None:
        while self._outbox or not self._is_closed:
            await self._is_filled.wait()
            while self._outbox:
                subject, payload = self._outbox.popleft()
                self._waiting -= len(payload)
                await self._send_one(subject, payload)
            if not self._is_closed:
                self._is_filled.clear()

    async def _send_one(self, subject: str, payload: bytes) -> None:
        client = self._client
        assert client is not None, "only what a client can send is put into the outbox"
        try:
            await client.publish(subject, payload)
        except (errors.Error, OSError) as error:
            self._lost += 1
            await self._fail(error)

    async def _fail(self, error: Exception) -> None:
        # A server that is away is tried every second; the log tells each kind of trouble once.
        trouble = type(error).__name__
        if trouble != self._trouble:
            self._trouble = trouble
            logger.warning("bus_trouble", error=trouble)

    async def _leave(self) -> None:
        if not self._is_closed:
            logger.warning("bus_disconnected")

    async def _return(self) -> None:
        self._trouble = ""
        logger.info("bus_reconnected")


class _Client(Client):
    """nats-py's client without three of its faults; it hands over what it hears without a detour."""

    def __init__(self) -> None:
        super().__init__()
        self._hearers: dict[int, Callable[[bytes], None]] = {}

    async def listen(self, subject: str, hear: Callable[[bytes], None]) -> None:
        """Call `hear` with every message of a subject, at once and in their order."""
        subscription = await self.subscribe(subject, cb=_ignore)
        self._hearers[subscription._id] = hear  # noqa: SLF001 - under this number its messages come in

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        # Nats-py's queue and task for each subject cost more than all that we do with a message.
        hear = self._hearers.get(sid)
        if hear is None:
            await super()._process_msg(sid, subject, reply, data, headers)
        else:
            hear(data)

    async def hang_up(self) -> None:
        """Close, with everything sent if the server takes it; never wait long for one that does not."""
        if self.is_connected:
            with contextlib.suppress(errors.Error, OSError):
                await self.flush(PATIENCE)
                await self.flush(PATIENCE)
        # nats-py's own `close` waits for ever until the server has taken what is pending.
        self._pending, self._pending_data_size = [], 0
        if isinstance(self._transport, TcpTransport) and self._transport._io_writer is not None:  # noqa: SLF001
            self._transport._io_writer.transport.abort()  # noqa: SLF001 - it offers no way to cut a connection
        with contextlib.suppress(errors.Error, OSError):
            await self.close()

    async def _connect_to_server(self, s: Srv) -> None:
        # A connection that began with a refusal would be left open, one for every attempt.
        if self._transport:
            self._transport.close()  # type: ignore[no-untyped-call]  # nats-py types not all of itself
        await super()._connect_to_server(s)

    # As nats-py declares it: Any is what JSON holds.
    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:  # noqa: FBT001, FBT002
        # To nats-py `tls://` is a wish: a server without TLS, or a relay that hides it, gets the password.
        server = self._current_server
        if server is not None and server.uri.scheme == "tls" and not info.get("tls_required"):
            raise errors.SecureConnWantedError
        await super()._process_info(info, initial_connection)


async def _ignore(_message: Msg) -> None:
    """Do nothing: `_process_msg` hands messages to their hearers instead."""


def _servers_of(url: str) -> list[str]:
    servers = [server.strip() for server in url.split(",")]
    if not all(_is_server(server) for server in servers):
        # The address is not repeated: it may hold a password.
        raise ValueError("the address of NATS is nats:// or tls:// and a host, such as nats://127.0.0.1:4222")
    return servers


def _is_server(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in {"nats", "tls"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


async def _end(task: "asyncio.Task[None]") -> None:
    """Cancel a task until it ends: nats-py, and `wait_for` of Python 3.11, may swallow a cancellation."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_PAUSE)
