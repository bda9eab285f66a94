"""Whom this machine trusts when it calls others."""

import ssl
from functools import cache


@cache
def machine_trusts() -> ssl.SSLContext:
    """The machine's own certificates, read once: reading takes longer than most requests."""
    return ssl.create_default_context()
