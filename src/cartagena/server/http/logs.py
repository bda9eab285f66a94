"""Structured logs: one line of JSON for machines, a readable one in a terminal."""

import logging
import sys
import time
import traceback
from collections.abc import Callable, MutableMapping
from datetime import UTC, datetime
from typing import Any, BinaryIO, Final, TextIO

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger, Processor, WrappedLogger

from cartagena.server.shared.settings import LogStyle

# Any: structlog's own type for what goes through its processors.
Entry = MutableMapping[str, Any]

_MOST_FRAMES: Final = 20


def frames_of(error: BaseException) -> list[str]:
    """List where an error came from: files, lines and functions; never values, never its message."""
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]


class Stamp:
    """Adds the time to each entry, in UTC and to the millisecond.

    >>> Stamp(lambda: 1700000000.25)(None, "info", {})
    {'at': '2023-11-14T22:13:20.250Z'}
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._second = -1
        self._text = ""

    def __call__(self, _logger: WrappedLogger, _method: str, entry: Entry) -> Entry:
        """Add `at`."""
        now = self._clock()
        second = int(now)
        # Thousands of entries share a second, and formatting it is most of the work.
        if second != self._second:
            self._second = second
            self._text = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        entry["at"] = f"{self._text}.{int((now - second) * 1000):03d}Z"
        return entry


def discreet_errors(_logger: WrappedLogger, _method: str, entry: Entry) -> Entry:
    """Log the type of an error and where it happened; its message may hold cards, tokens or addresses."""
    if "exc_info" not in entry:
        return entry
    error = entry.pop("exc_info")
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        entry["error"] = type(error).__qualname__
        entry["where"] = frames_of(error)
    return entry


def json_log(stream: BinaryIO, *, level: int = logging.INFO) -> FilteringBoundLogger:
    """A log with one JSON object per line."""
    return _log(structlog.BytesLogger(stream), (*_processors(), _json), level)


def console_log(stream: TextIO, *, level: int = logging.INFO) -> FilteringBoundLogger:
    """A log for people at a terminal."""
    drawn = structlog.dev.ConsoleRenderer(colors=stream.isatty())
    return _log(structlog.WriteLogger(stream), (*_processors(), drawn), level)


def log_for(stream: TextIO, *, level: int = logging.INFO) -> FilteringBoundLogger:
    """The log that fits a stream: readable in a terminal, JSON anywhere else."""
    return console_log(stream, level=level) if stream.isatty() else json_log(stream.buffer, level=level)


def configure_logs(stream: TextIO, *, style: LogStyle | None = None, level: int = logging.INFO) -> None:
    """Send everything that this process logs, libraries included, to one stream in one form.

    Call it once, from a program, before it builds anything. Without a style, a terminal gets columns.
    """
    in_terminal = stream.isatty() if style is None else style is LogStyle.CONSOLE
    drawn: Processor = structlog.dev.ConsoleRenderer() if in_terminal else _json
    structlog.configure(
        processors=[*_processors(), drawn],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(stream)
        if in_terminal
        else structlog.BytesLoggerFactory(stream.buffer),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_Library()], level=max(level, logging.WARNING), force=True)


class _Library(logging.Handler):
    """Copies what libraries log into our log: the logger, the line, and the text without values."""

    def emit(self, record: logging.LogRecord) -> None:
        # With arguments the text is a template; without them, it may already contain values.
        words = str(record.msg) if record.args else None
        structlog.get_logger().log(
            record.levelno,
            "library",
            logger=record.name,
            words=words,
            line=f"{record.pathname}:{record.lineno} {record.funcName}",
            exc_info=record.exc_info,
        )


def _log(raw: WrappedLogger, processors: tuple[Processor, ...], level: int) -> FilteringBoundLogger:
    bound: FilteringBoundLogger = structlog.wrap_logger(
        raw,
        processors=list(processors),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    ).bind()
    return bound


def _processors() -> tuple[Processor, ...]:
    return (structlog.processors.add_log_level, Stamp(), discreet_errors)


def _json(_logger: WrappedLogger, _method: str, entry: Entry) -> bytes:
    return _ENCODER.encode(entry)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=repr)
