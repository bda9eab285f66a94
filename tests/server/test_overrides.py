"""A library whose inner parts have changed is refused at the start, not in the middle of a game."""

import pytest
from nats.aio.client import Client
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cartagena.server.bus.nats import NatsBus
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.shared.library_checks import LibraryChanged


async def app(*_: object) -> None:
    """An app that gets no requests."""


def start() -> None:
    """Start a service up to the point where it would listen."""
    uvicorn_config(app)
    NatsBus("nats://127.0.0.1:4222", prefix="test")


def test_the_libraries_of_today_are_those_that_we_know() -> None:
    start()


@pytest.mark.parametrize(("whole", "name"), [(Client, "_process_msg"), (HttpToolsProtocol, "data_received")])
def test_a_library_with_other_parts_is_refused(
    whole: type, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole, name, lambda self, something, new: None)  # noqa: ARG005
    with pytest.raises(LibraryChanged, match=f"{whole.__name__}.{name} is not what it was"):
        start()
