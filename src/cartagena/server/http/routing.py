"""From a path to the routes behind it: a tree of words and places, built once."""

from collections.abc import Iterable
from typing import Final

from cartagena.server.http.door import Door
from cartagena.server.http.template import PathValue, Place, PlaceKind, parts_of

_API: Final = "/api"
"""For programs: an unknown path below it is never answered with a page."""


class Node:
    """One step of a path: the words and the one kind of place that may follow, and the methods known here."""

    __slots__ = ("beyond", "doors", "kind", "words")

    def __init__(self) -> None:
        self.words: dict[str, Node] = {}
        self.kind: PlaceKind | None = None
        self.beyond: Node | None = None
        self.doors: dict[str, Door] = {}

    def step(self, part: str | Place) -> "Node":
        """Return the node behind a word or a place; it is made if missing."""
        if isinstance(part, str):
            return self.words.setdefault(part, Node())
        assert self.kind in {None, part.kind}, f"two kinds of {part.name} at one place"
        self.kind = part.kind
        self.beyond = self.beyond or Node()
        return self.beyond

    @property
    def allow(self) -> str:
        """The methods of this path, as the Allow header lists them."""
        methods = {*self.doors, "OPTIONS", *(["HEAD"] if "GET" in self.doors else [])}
        return ", ".join(sorted(methods))


class Routing:
    """Finds the routes of a path. A word takes precedence over a place, and there is no backtracking."""

    def __init__(self, doors: Iterable[Door], *, elsewhere: Door | None = None) -> None:
        self._root = Node()
        self._elsewhere = Node()
        if elsewhere is not None:
            self._elsewhere.doors[elsewhere.route.method] = elsewhere
        for door in doors:
            node = self._root
            for part in parts_of(door.route.path):
                node = node.step(part)
            assert door.route.method not in node.doors, f"{door.route.name}: this path is taken"
            node.doors[door.route.method] = door

    def find(self, path: str) -> tuple[Node, list[PathValue]] | None:
        """Return the node of a path and the values of its places; None if no route has that path."""
        found = self._in_tree(path)
        if found is not None or not self._elsewhere.doors or f"{path}/".startswith(f"{_API}/"):
            return found
        return self._elsewhere, [path]

    def _in_tree(self, path: str) -> tuple[Node, list[PathValue]] | None:
        node, values = self._root, []
        for part in path.split("/")[1:]:
            child = node.words.get(part)
            if child is None:
                if node.kind is None or (value := node.kind.read(part)) is None:
                    return None
                values.append(value)
                child = node.beyond
                assert child is not None
            node = child
        return (node, values) if node.doors else None
