"""A class is found by its name alone: no public name stands for two things."""

import ast
from collections import defaultdict
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src"


def test_no_public_class_name_stands_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(f"{file.relative_to(SOURCES)}:{node.lineno}")
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
