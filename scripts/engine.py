"""Tell whether this Python runs the compiled or the interpreted engine, and fail if it is not the wanted one.

Usage: python scripts/engine.py compiled|interpreted
"""

import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

SETUP = Path(__file__).parent.parent / "setup.py"


def module_name(path: str) -> str:
    """The name by which a source file under src is imported."""
    return ".".join(Path(path).with_suffix("").parts[1:])


def is_compiled(name: str) -> bool:
    """Whether a module would be loaded from machine code; not so if it is missing."""
    found = find_spec(name)
    return found is not None and not str(found.origin).endswith(".py")


def main(wanted: str) -> int:
    """Compare every module of the list in setup.py with what is wanted."""
    listed = map(module_name, runpy.run_path(str(SETUP))["COMPILED"])
    wrong = [name for name in listed if is_compiled(name) != (wanted == "compiled")]
    print(f"not {wanted}: {', '.join(wrong)}" if wrong else f"the engine is {wanted}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
