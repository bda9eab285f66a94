"""How a process gets its traces, if it has any."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cartagena.install import install_command, installed_from
from cartagena.rules.refusals import CartagenaError
from cartagena.server.shared.settings import Settings
from cartagena.server.tracing.spans import Traces


class NoTraces(CartagenaError):
    """Traces are wanted, but their packages are not installed; the message says what to do."""


@asynccontextmanager
async def opened_traces(settings: Settings, *, program: str) -> AsyncIterator[Traces | None]:
    """The traces of a process while the block lasts; None unless a collector is set."""
    if settings.traces is None:
        yield None
        return
    try:
        from cartagena.server.tracing.otlp import OtlpTraces  # noqa: PLC0415 - only who traces pays for it
    except ModuleNotFoundError as missing:
        command = install_command("server,traces", installed_from())
        raise NoTraces(f"CARTAGENA_TRACES needs {missing.name}: {command}, or unset it") from missing
    traces = OtlpTraces(settings.traces, share=settings.traces_share, program=program)
    try:
        yield traces
    finally:
        await traces.close()
