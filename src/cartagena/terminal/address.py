"""The address of a table, as people copy it from a browser."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a service is, which table, and the invitation code if there is one."""

    service: str
    table_id: str
    invite: str | None

    @property
    def link(self) -> str:
        """The address as text, for others to copy."""
        code = "" if self.invite is None else f"?invite={self.invite}"
        return f"{self.service}/table/{self.table_id}{code}"


def is_address(text: str) -> bool:
    """Whether something leads to a service rather than to a file."""
    return text.startswith(("http://", "https://"))


def address_of(text: str) -> Address | None:
    """The table that an address leads to; None if there is none.

    >>> address_of("https://here.example/table/01a1de9f-0000-7000-8000-000000000000?invite=K7")
    Address(service='https://here.example', table_id='01a1de9f-0000-7000-8000-000000000000', invite='K7')
    """
    service, parts = service_of(text), urlsplit(text)
    found = _ID.search(parts.path)
    if service is None or found is None:
        return None
    [invite] = parse_qs(parts.query).get("invite", [None])[:1]
    return Address(service=service, table_id=found[0], invite=invite)


def service_of(text: str) -> str | None:
    """The service that an address leads to; None if there is none.

    >>> service_of("http://localhost:8000/lobby"), service_of("localhost")
    ('http://localhost:8000', None)
    """
    parts = urlsplit(text)
    return f"{parts.scheme}://{parts.netloc}" if is_address(text) and parts.netloc else None
