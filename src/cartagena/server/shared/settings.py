"""The operator's settings, read from the environment once, at the start."""

import enum
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from typing import Final
from urllib.parse import urlsplit

from cartagena.server.shared.club_settings import Club, read_club
from cartagena.server.shared.settings_parsing import (
    NATS_EXAMPLE,
    Reading,
    SettingsError,
    is_base64_key,
    is_dsn,
    is_http,
    is_readable,
    is_safe_nats,
    is_this_machine,
    network,
    origin_of,
)

HOME_DATABASE: Final = "postgresql:///cartagena"
"""The database `cartagena` of the PostgreSQL on this machine, entered as the user who runs the program."""

LOOPBACK: Final = {"localhost": "localhost", "127.0.0.1": "127.0.0.1", "::1": "[::1]"}
"""Names under which a machine knows itself, and how each is written in an address."""

SHORTEST_TOKEN: Final = 16
"""A metrics token with fewer letters could be guessed."""


class LogStyle(enum.Enum):
    """How the log is written: a line of JSON for programs, or columns for people."""

    JSON = "json"
    CONSOLE = "console"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vapid:
    """The P-256 key that signs a web push, and a contact for the push service."""

    private_key: str = field(repr=False)
    subject: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Nats:
    """Where the bus between several processes is, and the files that open it, if any are needed."""

    url: str = field(repr=False)
    credentials: str | None = None
    authority: str | None = None

    @property
    def servers(self) -> tuple[str, ...]:
        """The address of each server."""
        return tuple(part.strip() for part in self.url.split(","))

    def trusted(self) -> ssl.SSLContext | None:
        """Whom to trust; raises SettingsError if a file cannot be used.

        Not a part of reading the settings: an upgrade reads the same ones as another user, and no bus.
        """
        if self.credentials is not None and not is_readable(self.credentials):
            raise _unusable(
                "CARTAGENA_NATS_CREDENTIALS", self.credentials, "a file", "/etc/cartagena/bus.creds"
            )
        if self.authority is None:
            return None
        try:
            return ssl.create_default_context(cafile=self.authority)
        except OSError as error:
            wanted, example = "a file with certificates as PEM", "/etc/cartagena/ca.pem"
            raise _unusable("CARTAGENA_NATS_CA", self.authority, wanted, example) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that differs from one place to another; secrets stay out of its repr.

    >>> Settings.read({"CARTAGENA_URL": "https://play.example.org"}).secure
    True
    """

    directory: str = field(default=HOME_DATABASE, repr=False)
    """The database of players, lobby and ratings."""
    shards: str = field(default=HOME_DATABASE, repr=False)
    """The databases of the games, as `store.shards` reads them."""
    pool: int = 8
    """The most connections of one process to one database of games."""
    directory_pool: int = 8
    """The most connections of one process to the directory."""
    nats: Nats | None = None
    """The bus between processes; without one the service is a single process."""
    host: str = "127.0.0.1"
    port: int = 8000
    url: str = "http://localhost:8000"
    """Where browsers find the service: scheme, host and port, nothing after them."""
    origins: tuple[str, ...] = ()
    """Other origins whose pages may call the service."""
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    """Proxies that are believed about the address of a client."""
    metrics_token: str | None = field(default=None, repr=False)
    vapid: Vapid | None = None
    club: Club | None = None
    """The provider that people may sign in with, besides all other ways."""
    log: LogStyle | None = None
    """The style of the log; if not set, columns in a terminal, else JSON."""
    bot_workers: int = 1
    """How many processes of one worker think for bots."""
    bot_games: int = 200
    """How many games against bots the account of a bot may begin in a day."""
    private_notices: bool = False
    """Whether a webhook or push may go to a private network address."""
    traces: str | None = None
    """The collector to which traced requests are sent; without one nothing is traced."""
    traces_share: float = 0.01
    """The fraction of requests that are traced."""
    pace: int = 1
    """Factor on every limit, for a load test or a whole school behind one address."""
    unknown: tuple[tuple[str, str | None], ...] = ()
    """Variables that look like ours and mean nothing here, each with the nearest name that does."""

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """The settings of an environment; raises SettingsError, which says what to set."""
        reading = Reading(environment)
        directory = _dsn(reading, "CARTAGENA_DIRECTORY", HOME_DATABASE)
        port = reading.number("CARTAGENA_PORT", 8000, least=1, most=65535)
        return cls(
            directory=directory,
            shards=reading.text("CARTAGENA_SHARDS") or directory,
            pool=reading.number("CARTAGENA_POOL", 8, least=1, most=1000),
            directory_pool=reading.number("CARTAGENA_DIRECTORY_POOL", 8, least=1, most=1000),
            nats=_nats(reading),
            host=reading.text("CARTAGENA_HOST") or "127.0.0.1",
            port=port,
            url=_url(reading, f"http://localhost:{port}"),
            origins=tuple(_origin(reading, part) for part in reading.parts("CARTAGENA_ORIGINS")),
            trusted_proxies=tuple(
                _proxy(reading, part) for part in reading.parts("CARTAGENA_TRUSTED_PROXIES")
            ),
            metrics_token=_metrics_token(reading),
            vapid=_vapid(reading),
            club=read_club(reading),
            log=_log(reading),
            bot_workers=reading.number("CARTAGENA_BOT_WORKERS", 1, least=0, most=256),
            bot_games=reading.number("CARTAGENA_BOT_GAMES", 200, least=0, most=1_000_000),
            private_notices=reading.yes("CARTAGENA_PRIVATE_NOTICES"),
            traces=_traces(reading),
            traces_share=reading.share("CARTAGENA_TRACES_SHARE", 0.01),
            pace=reading.number("CARTAGENA_PACE", 1, least=1, most=1_000_000),
            # Arguments are evaluated in order: by now every other name has been asked for.
            unknown=reading.unknown(),
        )

    @property
    def secure(self) -> bool:
        """Whether cookies travel by https only."""
        return self.url.startswith("https://")

    @property
    def lacks_url(self) -> bool:
        """Whether others reach the service, and are told an address that means their own machine.

        >>> Settings.read({"CARTAGENA_HOST": "0.0.0.0"}).lacks_url
        True
        """
        return is_this_machine(self.rp_id) and not is_this_machine(self.host)

    @property
    def rp_id(self) -> str:
        """The name that passkeys are bound to: the host of the public address."""
        return urlsplit(self.url).hostname or ""

    @property
    def own_origins(self) -> frozenset[str]:
        """The origins of our own pages: the public address; on loopback, under each of its names.

        >>> sorted(Settings.read({"CARTAGENA_URL": "http://localhost:8000"}).own_origins)
        ['http://127.0.0.1:8000', 'http://[::1]:8000', 'http://localhost:8000']
        """
        url = urlsplit(self.url)
        if url.hostname not in LOOPBACK:
            return frozenset({self.url})
        behind = "" if url.port is None else f":{url.port}"
        return frozenset({f"{url.scheme}://{name}{behind}" for name in LOOPBACK.values()})

    @property
    def all_origins(self) -> tuple[str, ...]:
        """The service's own address and the others whose pages may call it."""
        return (self.url, *self.origins)


def _unusable(name: str, path: str, wanted: str, example: str) -> SettingsError:
    return Reading({name: path}).trouble(name, f"{wanted} that this user can read", example)


def _dsn(reading: Reading, name: str, default: str) -> str:
    dsn = reading.text(name) or default
    if not is_dsn(dsn):
        raise reading.secret_trouble(name, "the address of a PostgreSQL database", HOME_DATABASE)
    return dsn


def _nats(reading: Reading) -> Nats | None:
    url = reading.text("CARTAGENA_NATS")
    files = {
        "credentials": reading.text("CARTAGENA_NATS_CREDENTIALS"),
        "authority": reading.text("CARTAGENA_NATS_CA"),
    }
    if url is None:
        if any(files.values()):
            raise reading.secret_trouble(
                "CARTAGENA_NATS", "set as well, to the server of these files", NATS_EXAMPLE
            )
        return None
    if not all(is_safe_nats(part.strip()) for part in url.split(",")):
        wanted = "addresses of NATS servers, tls:// outside this machine: messages carry hidden cards"
        raise reading.secret_trouble("CARTAGENA_NATS", wanted, NATS_EXAMPLE)
    return Nats(url=url, **files)


def _url(reading: Reading, default: str) -> str:
    name = "CARTAGENA_URL"
    url = origin_of(reading.text(name) or default)
    if url is None:
        wanted = "the address that people type: http or https, a host, a port if need be, nothing behind"
        raise reading.trouble(name, wanted, "https://play.example.org")
    return url


def _origin(reading: Reading, part: str) -> str:
    origin = origin_of(part)
    if origin is None:
        wanted = "origins with commas between them, each of scheme, host and port"
        raise reading.trouble("CARTAGENA_ORIGINS", wanted, "https://club.example.org,http://localhost:5173")
    return origin


def _proxy(reading: Reading, part: str) -> IPv4Network | IPv6Network:
    proxy = network(part)
    if proxy is None:
        wanted = "addresses or networks with commas between them"
        raise reading.trouble("CARTAGENA_TRUSTED_PROXIES", wanted, "127.0.0.1,10.0.0.0/8")
    return proxy


def _metrics_token(reading: Reading) -> str | None:
    token = reading.text("CARTAGENA_METRICS_TOKEN")
    if token is not None and len(token) < SHORTEST_TOKEN:
        wanted = f"at least {SHORTEST_TOKEN} letters that nobody guesses"
        raise reading.secret_trouble("CARTAGENA_METRICS_TOKEN", wanted, "$(openssl rand -hex 16)")
    return token


def _vapid(reading: Reading) -> Vapid | None:
    key, subject = reading.text("CARTAGENA_VAPID_PRIVATE_KEY"), reading.text("CARTAGENA_VAPID_SUBJECT")
    if key is None and subject is None:
        return None
    if key is None or not is_base64_key(key):
        wanted = "the 32 bytes of a P-256 key in base64url"
        example = "$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')"
        raise reading.secret_trouble("CARTAGENA_VAPID_PRIVATE_KEY", wanted, example)
    if subject is None or not subject.startswith(("mailto:", "https://")):
        wanted = "where a push service may write to, by mail or on a page"
        raise reading.trouble("CARTAGENA_VAPID_SUBJECT", wanted, "mailto:harbour@example.org")
    return Vapid(private_key=key, subject=subject)


def _traces(reading: Reading) -> str | None:
    url = reading.text("CARTAGENA_TRACES")
    if url is not None and not is_http(url):
        wanted = "the address of a collector that takes OTLP over HTTP, without user and password"
        raise reading.secret_trouble("CARTAGENA_TRACES", wanted, "http://127.0.0.1:4318")
    return url


def _log(reading: Reading) -> LogStyle | None:
    text = reading.text("CARTAGENA_LOG")
    if text is None:
        return None
    if text not in {style.value for style in LogStyle}:
        raise reading.trouble("CARTAGENA_LOG", "json or console", "json")
    return LogStyle(text)
