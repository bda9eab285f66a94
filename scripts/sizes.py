"""Keep files and functions short enough to read at one sitting; prints what is too long."""

import ast
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

FILE_LIMIT = 400
FUNCTION_LIMIT = 50


def functions_in(path: Path) -> Iterator[tuple[str, int]]:
    """Each function of a file: where it stands, and how many lines it takes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield f"{path}:{node.lineno} {node.name}", node.end_lineno - node.lineno + 1


def main(names: list[str]) -> int:
    """Check files and folders; 1 if anything is too long."""
    files = sorted(
        {file for name in map(Path, names) for file in (name.rglob("*.py") if name.is_dir() else [name])}
    )
    file_sizes = [(str(file), len(file.read_text(encoding="utf-8").splitlines())) for file in files]
    function_sizes = [function for file in files for function in functions_in(file)]
    too_long = [
        f"{name}: {lines} lines, the limit is {limit}"
        for sizes, limit in ((file_sizes, FILE_LIMIT), (function_sizes, FUNCTION_LIMIT))
        for name, lines in sizes
        if lines > limit
    ]
    print(*too_long, sep="\n", end="\n" if too_long else "")
    middle = statistics.median(lines for _, lines in function_sizes) if function_sizes else 0
    print(f"{len(files)} files, {len(function_sizes)} functions, median {middle:g} lines a function")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
