"""The metrics of a worker: for this machine, and from elsewhere for clients that bring the token."""

from typing import Any

import pytest

from cartagena.server.worker.metrics import guarded

TOKEN = "a token that nobody guesses"  # noqa: S105 - for this test alone


def status_of(token: str | None, **request: str) -> str:
    """How a request is answered."""
    told: list[str] = []

    def page(_: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("200 OK", [])
        return [b"metrics"]

    guarded(page, token)(dict(request), lambda status, _: told.append(status))
    return told[0]


@pytest.mark.parametrize(
    ("token", "request_", "status"),
    [
        (None, {"REMOTE_ADDR": "127.0.0.1"}, "200 OK"),
        (TOKEN, {"REMOTE_ADDR": "::1"}, "200 OK"),
        (TOKEN, {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.1"}, "403 Forbidden"),
        (TOKEN, {"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=192.0.2.1"}, "403 Forbidden"),
        (TOKEN, {"REMOTE_ADDR": "192.0.2.1"}, "403 Forbidden"),
        (TOKEN, {"REMOTE_ADDR": "192.0.2.1", "HTTP_AUTHORIZATION": "Bearer wrong"}, "403 Forbidden"),
        (TOKEN, {"REMOTE_ADDR": "192.0.2.1", "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}, "200 OK"),
        (None, {"REMOTE_ADDR": "192.0.2.1", "HTTP_AUTHORIZATION": "Bearer "}, "403 Forbidden"),
    ],
)
def test_who_may_read_them(token: str | None, request_: dict[str, str], status: str) -> None:
    assert status_of(token, **request_) == status
