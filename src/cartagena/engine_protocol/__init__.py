"""Engines: bots that are programs of their own, in any language, spoken to in lines.

`docs/engine-protocol.md` tells the authors of engines what is said. To name an engine is to start a program
on this machine. So only the person at its command line, or a program of theirs, reaches this package. The
service never imports it, which the layers check.
"""

from cartagena.engine_protocol.naming import make

__all__ = ["make"]
