"""Make the archives that Python in a browser imports from; run by web/scripts/device.js inside that Python.

Only the Python that will read them can compile them: the numbers of its bytecode are its own. Modules are
stored compiled and uncompressed, because the files are compressed once more for their way to the browser,
and a compressed zip in a compressed file is larger and slower to open.
"""

import io
import py_compile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

# Never imported at a table in a browser: the largest parts of the standard library, by their folders.
NEVER_USED: Final = frozenset({
    "_pyrepl", "asyncio/windows_events.py", "bdb.py", "cProfile.py", "compression", "concurrent/interpreters",
    "curses", "dbm", "distutils", "doctest.py", "encodings/cp1", "encodings/cp7", "encodings/cp8",
    "encodings/cp9", "encodings/mac", "ensurepip", "ftplib.py", "http", "idlelib", "imaplib.py", "lib2to3",
    "mailbox.py", "multiprocessing", "optparse.py", "pdb.py", "pickletools.py", "poplib.py", "profile.py",
    "pstats.py", "pydoc.py", "pydoc_data", "smtplib.py", "socketserver.py", "sqlite3", "ssl.py", "tarfile.py",
    "test", "tkinter", "tomllib", "trace.py", "turtle.py", "turtledemo", "unittest", "venv", "wsgiref", "xml",
    "xmlrpc",
})  # fmt: skip
_OLDEST: Final = (1980, 1, 1, 0, 0, 0)
"""The one timestamp: the same modules give the same bytes."""

File: TypeAlias = tuple[str, bytes]


def archive(files: Iterable[File]) -> bytes:
    """A zip of these files, with their modules compiled and every byte decided by their content."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as zipped:
        for name, content in sorted(map(_compiled, files)):
            zipped.writestr(zipfile.ZipInfo(name, _OLDEST), content)
    return packed.getvalue()


def library(standard: bytes) -> Iterator[File]:
    """The files of the standard library that a table needs."""
    with zipfile.ZipFile(io.BytesIO(standard)) as zipped:
        for name in zipped.namelist():
            if not name.endswith("/") and not any(name.startswith(never) for never in NEVER_USED):
                yield name, zipped.read(name)


def folder(path: str) -> Iterator[File]:
    """Every file below a folder, by its path from there."""
    top = Path(path)
    for file in sorted(top.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file.relative_to(top).as_posix(), file.read_bytes()


def _compiled(file: File) -> File:
    name, content = file
    if not name.endswith(".py"):
        return file
    with tempfile.TemporaryDirectory() as place:
        source, target = Path(place, "source.py"), Path(place, "compiled.pyc")
        source.write_bytes(content)
        # Without the check of the source, which is not there. Assertions and docstrings are left out.
        py_compile.compile(
            str(source),
            str(target),
            dfile=name,
            doraise=True,
            optimize=2,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        return f"{name}c", target.read_bytes()
