"""The version of a bot: a short hash of all the code and weights that decide what it chooses.

Comments and docstrings do not change it, nor does anything that the bot never uses. It covers what the bot
needs from the module that makes it, and every module of the bots' package behind that, with its weights.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from cartagena.bots.players.registry import LEVELS

SOURCE = Path(__file__).parents[1] / "src"
PACKAGE = "cartagena.bots"
LENGTH = 10

Bound = dict[str, ast.stmt]
"""The statements of a module by the names that they bind."""


@cache
def version_of(*names: str) -> str:
    """Return one hash for the levels with these names; any other bot is known by its name alone.

    It is read once: a long run plays with the code that it started with, even if the files change meanwhile.
    """
    digest = hashlib.sha256()
    for name in sorted(names):
        digest.update(name.encode())
        if name in LEVELS:
            module, _, maker = LEVELS[name].partition(":")
            digest.update(recipe(module, maker).encode())
            for file in files_behind(imports_of(needed(module, maker).values())):
                digest.update(file.name.encode() + essence(file))
    return digest.hexdigest()[:LENGTH]


# The module that makes a bot.


def recipe(module: str, maker: str) -> str:
    """The code that makes a bot, and everything it needs from its own module."""
    lines = needed(module, maker)
    return "\n".join(ast.dump(lines[name]) for name in sorted(lines) if not is_import(lines[name]))


def needed(module: str, maker: str) -> Bound:
    """The statements that a maker needs, its imports among them."""
    bound = {name: line for line in tree_of(path_of(module)).body for name in names_in(line)}
    found: Bound = {}
    waiting = [maker]
    while waiting:
        name = waiting.pop()
        if name in bound and name not in found:
            found[name] = bound[name]
            waiting += [node.id for node in ast.walk(bound[name]) if isinstance(node, ast.Name)]
    return found


def names_in(line: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module binds."""
    match line:
        case ast.FunctionDef() | ast.ClassDef():
            yield line.name
        case ast.Import() | ast.ImportFrom():
            yield from (alias.asname or alias.name for alias in line.names)
        case ast.Assign() | ast.AnnAssign():
            targets = line.targets if isinstance(line, ast.Assign) else [line.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def is_import(line: ast.stmt) -> bool:
    """Whether a statement imports."""
    return isinstance(line, ast.Import | ast.ImportFrom)


# The modules behind it.


def files_behind(modules: Iterable[str]) -> list[Path]:
    """Every file of the bots' package that these modules need, sorted."""
    waiting = list(modules)
    found: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module not in found and path_of(module).exists():
            found.add(module)
            waiting += imports_of(ast.walk(tree_of(path_of(module))))
    return sorted({file for module in found for file in all_of(path_of(module))})


def path_of(module: str) -> Path:
    """The file of a module."""
    place = SOURCE / module.replace(".", "/")
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def all_of(file: Path) -> Iterator[Path]:
    """A module alone, or a package with its data: weights lie beside the module that reads them."""
    yield file
    if file.name == "__init__.py":
        yield from (beside for beside in file.parent.iterdir() if beside.is_file())


def imports_of(lines: Iterable[ast.AST]) -> Iterator[str]:
    """The modules of the bots' package imported here; an imported name may itself be a module."""
    for line in lines:
        imported: list[str] = []
        if isinstance(line, ast.ImportFrom) and line.module:
            imported = [line.module, *(f"{line.module}.{alias.name}" for alias in line.names)]
        elif isinstance(line, ast.Import):
            imported = [alias.name for alias in line.names]
        yield from (module for module in imported if module.startswith(f"{PACKAGE}."))


# What a file says.


def essence(file: Path) -> bytes:
    """The code of a module without its docstrings; every byte of any other file."""
    return ast.dump(tree_of(file)).encode() if file.suffix == ".py" else file.read_bytes()


def tree_of(file: Path) -> ast.Module:
    """The code of a module without its docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [line for line in node.body if not is_docstring(line)]
    return tree


def is_docstring(line: ast.stmt) -> bool:
    """Whether a line is only words: a docstring, or the words below a constant."""
    return (
        isinstance(line, ast.Expr)
        and isinstance(line.value, ast.Constant)
        and isinstance(line.value.value, str)
    )
