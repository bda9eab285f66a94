"""How settings are read: what each may look like, and what to say if it does not."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from cartagena.rules.refusals import CartagenaError

PREFIX: Final = "CARTAGENA_"
ELSEWHERE: Final = frozenset({"CARTAGENA_TOKEN", "CARTAGENA_COMPILE", "CARTAGENA_PAGES"})
"""What a client and the build of the package read."""
NATS_EXAMPLE: Final = "nats://127.0.0.1:4222"

_P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class SettingsError(CartagenaError):
    """A variable of the environment is wrong or missing; the sentence says what to set it to."""

    def __init__(self, name: str, trouble: str, example: str) -> None:
        super().__init__(f"{name} {trouble}; for example {name}={example}")
        self.name = name


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """The environment that settings are read from; an empty variable counts as not set."""

    environment: Mapping[str, str]
    asked: set[str] = field(default_factory=set)
    """Every name that was looked up so far."""

    def unknown(self) -> tuple[tuple[str, str | None], ...]:
        """Variables of ours that are set and that nobody asked for, each with the nearest name that is known.

        >>> reading = Reading({"CARTAGENA_PROT": "8001"})
        >>> reading.number("CARTAGENA_PORT", 8000, least=1, most=65535), reading.unknown()
        (8000, (('CARTAGENA_PROT', 'CARTAGENA_PORT'),))
        """
        found = (name for name, text in self.environment.items() if name.startswith(PREFIX) and text.strip())
        return tuple((name, self._near(name)) for name in sorted(set(found) - self.asked - ELSEWHERE))

    def _near(self, name: str) -> str | None:
        # The beginning that all share would make any two alike.
        ends = [known.removeprefix(PREFIX) for known in self.asked]
        near = get_close_matches(name.removeprefix(PREFIX), ends, 1)
        return PREFIX + near[0] if near else None

    def text(self, name: str) -> str | None:
        """The value of a variable."""
        self.asked.add(name)
        return self.environment.get(name, "").strip() or None

    def parts(self, name: str) -> list[str]:
        """The values between the commas."""
        return [part.strip() for part in (self.text(name) or "").split(",") if part.strip()]

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        """A whole number within bounds."""
        text = self.text(name) or str(default)
        if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise self.trouble(name, f"a number from {least} to {most}", str(default))
        return int(text)

    def share(self, name: str, default: float) -> float:
        """A fraction, from 0 to 1."""
        text = self.text(name) or str(default)
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) or float(text) > 1:
            raise self.trouble(name, "a number from 0 to 1", str(default))
        return float(text)

    def yes(self, name: str) -> bool:
        """Whether a variable says yes; unset means no."""
        text = self.text(name) or "no"
        if text not in {"yes", "no"}:
            raise self.trouble(name, "yes or no", "yes")
        return text == "yes"

    def trouble(self, name: str, wanted: str, example: str) -> SettingsError:
        """The error for a value that may be shown."""
        text = self.text(name)
        found = "is not set" if text is None else f"is {text[:100]!r}"
        return SettingsError(name, f"{found}; it must be {wanted}", example)

    def secret_trouble(self, name: str, wanted: str, example: str) -> SettingsError:
        """The error for a value that may hold a secret."""
        found = "is not set; it" if self.text(name) is None else "is not right: it"
        return SettingsError(name, f"{found} must be {wanted}", example)


def is_dsn(text: str) -> bool:
    """Whether this is the address of a PostgreSQL database.

    >>> is_dsn("postgresql:///cartagena"), is_dsn("localhost:5432")
    (True, False)
    """
    return text.startswith(("postgresql://", "postgres://")) and not re.search(r"\s", text)


def without_secret(dsn: str) -> str:
    """An address as it may be shown: no password, and nothing after the name of the database.

    >>> without_secret("postgresql://anne:secret@db.example.org:5432/cartagena?sslmode=require")
    'postgresql://anne@db.example.org:5432/cartagena'
    """
    address = re.split(r"[?#]", dsn, maxsplit=1)[0]
    scheme, _, place = address.partition("://")
    if "@" in dsn.removeprefix(address):
        # It is unclear whether the password or the address ends there.
        return f"{scheme}://..."
    user, at, host = place.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{host}"


def origin_of(url: str) -> str | None:
    """The origin as a browser writes it, or None for an address that is more or less than an origin.

    >>> origin_of("HTTPS://Play.example.org:443/"), origin_of("play.example.org")
    ('https://play.example.org', None)
    """
    parts = _split(url)
    if parts is None or parts.scheme not in _DEFAULT_PORTS or not parts.hostname or "@" in parts.netloc:
        return None
    if parts.path not in {"", "/"} or parts.query or parts.fragment or re.search(r"\s", url):
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    is_default = parts.port is None or parts.port == _DEFAULT_PORTS[parts.scheme]
    return f"{parts.scheme}://{host}" if is_default else f"{parts.scheme}://{host}:{parts.port}"


def is_http(url: str) -> bool:
    """Whether this is an http or https address without user, password, query or fragment.

    >>> is_http("http://127.0.0.1:4318"), is_http("https://me:secret@collector.example.org")
    (True, False)
    """
    parts = _split(url)
    if parts is None or parts.scheme not in _DEFAULT_PORTS or not parts.hostname or "@" in parts.netloc:
        return False
    return not (parts.query or parts.fragment or re.search(r"\s", url))


def is_safe_nats(url: str) -> bool:
    """Whether this NATS server is safe from eavesdroppers: on this machine, or by TLS.

    >>> is_safe_nats("nats://127.0.0.1:4222"), is_safe_nats("nats://10.0.0.7"), is_safe_nats("tls://10.0.0.7")
    (True, False, True)
    """
    parts = _split(url)
    if parts is None or not parts.hostname:
        return False
    return parts.scheme == "tls" or (parts.scheme == "nats" and is_this_machine(parts.hostname))


def is_safe_web(url: str) -> bool:
    """Whether this address is safe from eavesdroppers: by https, or by http on this machine.

    >>> is_safe_web("https://id.example.org"), is_safe_web("http://id.example.org"), is_safe_web("http://[::1]")
    (True, False, True)
    """
    parts = _split(url)
    if parts is None or not parts.hostname or "@" in parts.netloc or not url.isascii():
        return False
    if re.search(r"[\s\x00-\x1f\\]", url):
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_this_machine(parts.hostname))


def network(text: str) -> IPv4Network | IPv6Network | None:
    """A network, or a single address as a network; None if it is neither."""
    try:
        return ip_network(text)
    except ValueError:
        return None


def is_readable(path: str) -> bool:
    """Whether this user can read a file.

    >>> is_readable("/no/such/file")
    False
    """
    try:
        Path(path).read_bytes()
    except OSError:
        return False
    return True


def is_base64_key(text: str) -> bool:
    """Whether this is a private key of the curve P-256: 32 bytes in base64url, below its order."""
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return False
    return len(key) == 32 and 0 < int.from_bytes(key) < _P256_ORDER  # noqa: PLR2004  # as the docstring says


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port, parts.hostname  # parsed only now; wrong ones raise
    except ValueError:
        return None
    return parts


def is_this_machine(host: str) -> bool:
    """Whether only this machine itself is reached under a name or address.

    >>> is_this_machine("localhost"), is_this_machine("127.0.0.1"), is_this_machine("0.0.0.0")
    (True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
