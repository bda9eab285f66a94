"""The JSON schemas of all messages that routes use."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import Struct

from cartagena.messages import ErrorMessage
from cartagena.server.http.route import Route

# Any: JSON schemas nest as they like.
Schema = dict[str, Any]

_TEMPLATE: Final = "#/components/schemas/{name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schemas:
    """Every message by its type, and the components they are made of."""

    references: dict[type[Struct], Schema]
    components: Schema
    queries: dict[type[Struct], Schema]

    def reference(self, kind: type[Struct]) -> Schema:
        """Return a reference to the schema of a message."""
        return self.references[kind]

    def query_parameters(self, kind: type[Struct]) -> list[Schema]:
        """The fields of a query, one parameter each."""
        schema = self.queries[kind]
        required = schema.get("required", ())
        return [
            _parameter(name, field, is_required=name in required)
            for name, field in schema["properties"].items()
        ]


def schemas_of(routes: Iterable[Route]) -> Schemas:
    """The schemas of all bodies, answers and queries, and of the one message that refuses."""
    routes = tuple(routes)
    spoken: dict[type[Struct], None] = {ErrorMessage: None}
    spoken |= dict.fromkeys(kind for route in routes for kind in _spoken(route))
    asked = dict.fromkeys(route.query for route in routes if route.query is not None)
    kinds: tuple[type[Struct], ...] = (*spoken, *asked)
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_TEMPLATE)
    references = dict(zip(kinds, schemas, strict=True))
    # A query is spelled out as parameters; it is never used as a message of its own.
    queries = {kind: components[_name(references[kind])] for kind in asked}
    for kind in asked.keys() - spoken:
        del components[_name(references[kind])]
    return Schemas(references=references, components=components, queries=queries)


def _spoken(route: Route) -> Iterable[type[Struct]]:
    if route.body is not None:
        yield route.body
    if route.answer is not None and not isinstance(route.answer, str):
        yield route.answer


def _name(reference: Schema) -> str:
    name: str = reference["$ref"].rpartition("/")[2]
    return name


def _parameter(name: str, field: Schema, *, is_required: bool) -> Schema:
    schema = dict(field)
    parameter = {"name": name, "in": "query", "required": is_required, "schema": schema}
    if "description" in schema:
        parameter["description"] = schema.pop("description")
    return parameter
