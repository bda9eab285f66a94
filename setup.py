"""The build: the hot modules by mypyc, and the words of every language. The pages are another wheel (web/).

CARTAGENA_COMPILE=1 demands the compiled engine, 0 the interpreted one. Unset or ``auto`` compiles if it
can and says so if it cannot; an editable install then stays interpreted, or edits would have no effect.
With SOURCE_DATE_EPOCH, the same sources give the same bytes: the wheel, and the package of the sources.
"""

import gzip
import os
import shutil
import struct
import sys
import sysconfig
import tarfile
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import Distribution, Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import BaseError, CCompilerError, OptionError

COMPILED = [
    "src/cartagena/rules/places.py",
    "src/cartagena/rules/ruleset.py",
    "src/cartagena/rules/families/facts.py",
    "src/cartagena/rules/board.py",
    "src/cartagena/rules/codes.py",
    "src/cartagena/rules/choices.py",
    "src/cartagena/rules/crew.py",
    "src/cartagena/rules/position.py",
    "src/cartagena/rules/draw.py",
    "src/cartagena/rules/preview.py",
    "src/cartagena/rules/families/family.py",
    "src/cartagena/rules/families/retreat.py",
    "src/cartagena/rules/families/escape.py",
    "src/cartagena/rules/families/sloop.py",
    "src/cartagena/rules/families/freebooter.py",
    "src/cartagena/rules/families/islands.py",
    "src/cartagena/rules/families/push.py",
    "src/cartagena/rules/families/nest.py",
    "src/cartagena/rules/families/table.py",
    "src/cartagena/rules/endings.py",
    "src/cartagena/rules/turn.py",
    "src/cartagena/rules/legality.py",
    "src/cartagena/rules/setup.py",
    "src/cartagena/rules/outcomes.py",
    "src/cartagena/rules/laws.py",
    "src/cartagena/rules/perft.py",
    "src/cartagena/rules/hidden/knowledge.py",
    "src/cartagena/rules/hidden/view.py",
    "src/cartagena/rules/explain.py",
    "src/cartagena/rules/hidden/slots.py",
    "src/cartagena/rules/hidden/provenance.py",
    "src/cartagena/rules/hidden/world.py",
    "src/cartagena/messages/json_writer.py",
    "src/cartagena/bots/random_games.py",
    "src/cartagena/bots/law_check.py",
    "src/cartagena/bots/evaluation/linear.py",
    "src/cartagena/bots/evaluation/incremental.py",
    "src/cartagena/bots/evaluation/network.py",
    "src/cartagena/bots/search/turn_candidates.py",
    "src/cartagena/bots/search/uct.py",
    "src/cartagena/envs/encoding.py",
    "src/cartagena/envs/dealing.py",
    "src/cartagena/envs/batched_games.py",
]
"""The one list of the modules that mypyc compiles (docs/decisions/0001)."""

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or None
"""The one timestamp of everything in a reproducible build; None if none was asked for."""

INLINING = ["-fvisibility=hidden", "-fno-semantic-interposition", "-finline-limit=300"]
"""Only the engine calls its functions, and they are small: inlined, they do a fifth less work an action.

Clang inlines more than gcc by itself, and passes over the last flag (docs/decisions/0053).
"""

# Anything that links against Python proves a compiler, a linker and Python's headers at once.
PROBE = "#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n"


def extensions(command_line: list[str]) -> list[Extension]:
    """The compiled modules that this run of the build asks for."""
    wish = os.environ.get("CARTAGENA_COMPILE") or "auto"
    if wish not in {"0", "1", "auto"}:
        raise OptionError(f"CARTAGENA_COMPILE is {wish!r}; it may be 0, 1 or auto")
    if wish == "0" or not {"bdist_wheel", "build_ext", "editable_wheel"}.intersection(command_line):
        return []
    if wish == "1":
        return by_mypyc()
    if "editable_wheel" in command_line:
        return interpreted("an editable install")
    if not compiler_works():
        return interpreted("no working C compiler")
    try:
        return by_mypyc()
    except (ImportError, SystemExit) as failure:
        return interpreted(f"mypyc gave up ({failure})")


def interpreted(reason: str) -> list[Extension]:
    """Return no extension at all, and say why."""
    print(f"cartagena: {reason}, so the engine stays interpreted (same rules, several times slower)")
    return []


def compiler_works() -> bool:
    """Whether a C extension can be built on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text(PROBE)
        command = build_ext(Distribution({"ext_modules": [Extension("probe", [str(source)])]}))
        command.build_lib = command.build_temp = folder
        command.ensure_finalized()
        try:
            command.run()
        except (BaseError, CCompilerError):
            return False
    return True


def width_of_size_t() -> int:
    """The bytes of a size_t where the engine will run, which need not be on this machine."""
    return 4 if "wasm32" in sysconfig.get_platform() else struct.calcsize("N")


def by_mypyc() -> list[Extension]:
    """The hot modules as C extensions; exits with mypyc's message if they are not clean."""
    # mypyc asks when it is imported; without an answer it takes the width of the Python that builds. Whole
    # numbers are a size_t in the C that it writes: made for the wrong width, they overflow unnoticed.
    sysconfig.get_config_vars()["SIZEOF_SIZE_T"] = width_of_size_t()
    # Imported here: an interpreted build must not need mypy.
    from mypyc.build import mypycify  # noqa: PLC0415

    present = [module for module in COMPILED if Path(module).exists()]
    print(f"cartagena: mypyc compiles {len(present)} of {len(COMPILED)} modules")
    # Without the project's configuration: `make check` judges the style, the build only needs the types.
    flags = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]
    modules = mypycify(
        [*flags, *present], opt_level="3", debug_level="0", group_name="cartagena", target_dir="build"
    )
    for module in modules:
        # A new warning of some future compiler must not stop an install.
        module.extra_compile_args = [flag for flag in module.extra_compile_args if flag != "-Werror"]
        if sys.platform != "win32":
            module.extra_compile_args += INLINING
    return [module for module in modules if isinstance(module, Extension)]


class BuildPyWithWords(build_py):
    """Copy the modules and, before that, compile the words beside their sources."""

    def run(self) -> None:
        """Build words, then the rest; an editable install reads all of it from the source."""
        for catalogue in Path("src/cartagena/words").glob("locale/*/LC_MESSAGES/*.po"):
            compile_catalogue(catalogue)
        super().run()


class WheelFromNothing(bdist_wheel):
    """A wheel of this build alone: setuptools would also pack what an earlier one left in its folders."""

    def run(self) -> None:
        """Empty the folders, then build."""
        for folder in (self.get_finalized_command("build").build_lib, self.bdist_dir):
            shutil.rmtree(str(folder), ignore_errors=True)
        super().run()


def compile_catalogue(catalogue: Path) -> None:
    """Write the .mo that gettext reads from the .po that translators write."""
    with catalogue.open("rb") as source:
        words = read_po(source, locale=catalogue.parts[-3], abort_invalid=True)
    # The time of the build says nothing about the words and would make every build different.
    words.creation_date = datetime.fromtimestamp(EPOCH or 0, UTC)
    with catalogue.with_suffix(".mo").open("wb") as target:
        write_mo(target, words)


class ReproducibleSdist(sdist):
    """The package of the sources; with SOURCE_DATE_EPOCH set, nothing in it tells who packed it or when."""

    def make_distribution(self) -> None:
        """Pack the sources."""
        super().make_distribution()
        packed = Path(str(self.dist_dir), f"{self.distribution.get_fullname()}.tar.gz")
        if EPOCH and packed.exists():
            pack_again(packed)


def pack_again(packed: Path) -> None:
    """Pack a .tar.gz once more: in order, without owners, and with one timestamp."""
    with tempfile.TemporaryFile() as tape:
        with (
            tarfile.open(packed) as old,
            gzip.GzipFile("", "wb", fileobj=tape, mtime=EPOCH) as stream,
            tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as new,
        ):
            for entry in sorted(old.getmembers(), key=lambda entry: entry.name):
                new.addfile(nameless(entry), old.extractfile(entry) if entry.isfile() else None)
        tape.seek(0)
        packed.write_bytes(tape.read())


def nameless(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return an entry without its owner and with the one timestamp."""
    entry.pax_headers = {}
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = EPOCH or 0
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    return entry


if __name__ == "__main__":
    setup(
        cmdclass={
            "bdist_wheel": WheelFromNothing,
            "build_py": BuildPyWithWords,
            "sdist": ReproducibleSdist,
        },
        ext_modules=extensions(sys.argv),
    )
