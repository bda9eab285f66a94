"""Parts: how copy and pickle take an object of the engine apart and put it together again.

mypyc could do it by itself, but then every attribute might be missing and would be checked at each use,
in the hottest loops too.
"""

from typing import Any


def parts_of(thing: object) -> dict[str, Any]:
    """Every attribute of an object by its name, whether it is compiled or not."""
    names = getattr(type(thing), "__mypyc_attrs__", None) or vars(thing)
    return {name: getattr(thing, name) for name in names}


def put_together(kind: type, arguments: tuple[object, ...], parts: dict[str, Any]) -> object:
    """An object of a kind with these attributes; the arguments are what its constructor asks for."""
    thing = kind(*arguments)
    for name, part in parts.items():
        setattr(thing, name, part)
    return thing
