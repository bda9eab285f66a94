"""The OpenAPI document, made from the table of routes, with the schemas of all messages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import msgspec
from msgspec import Struct

from cartagena.endpoints.limits import Limit, Rate
from cartagena.endpoints.path_templates import places_of
from cartagena.endpoints.responses import JSON, SESSION_COOKIE, cookie_name
from cartagena.endpoints.routing import Route, codes_by_status
from cartagena.messages import ErrorMessage
from cartagena.messages.streams import EVENT_STREAM

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


# Any: the document is JSON of a shape that OpenAPI decides.
Json = dict[str, Any]

_TITLE: Final = "Cartagena"
_ABOUT: Final = """\
Tables for Cartagena and The Pirate's Nest, over HTTP.

A player is known by the cookie `cartagena` or by `Authorization: Bearer`. Bodies and answers are JSON.

Whatever is refused is answered with a `code` that programs may rely on, a `message` for people and, where the
rules of the game say no, the number of the `rule`. Every answer carries `X-Request-Id`: quote it when you ask
for help. A client that asks too often gets 429, and the seconds to wait in `Retry-After`."""

_REQUEST_ID: Final = {"$ref": "#/components/headers/RequestId"}
_RETRY_AFTER: Final = {"$ref": "#/components/headers/RetryAfter"}
_SCHEMAS: Final[Json] = {
    JSON: {},
    # How programs that read this document see an event of a stream.
    EVENT_STREAM: {
        "type": "object",
        "properties": {
            "event": {"type": "string", "description": "What kind of event it is."},
            "id": {"type": "string", "description": "Where to go on after a break, as `Last-Event-ID`."},
            "data": {"type": "string", "description": "JSON."},
            "retry": {"type": "integer", "description": "Milliseconds to wait before coming back."},
        },
    },
}
"""The schemas of answers that are not structs."""
_STATUSES_TO_WAIT: Final = frozenset({429, 503})


def document_of(routes: Sequence[Route], *, version: str, secure: bool = False) -> Json:
    """The whole document: every route, everything it may answer, and the schemas of all messages."""
    schemas = schemas_of(routes)
    paths: Json = {}
    for route in routes:
        paths.setdefault(route.template, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": _TITLE,
            "version": version,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "tags": [{"name": tag} for tag in dict.fromkeys(route.tag for route in routes)],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "headers": _headers(),
            "securitySchemes": {
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": cookie_name(SESSION_COOKIE, secure=secure),
                },
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _operation(route: Route, schemas: Schemas) -> Json:
    operation: Json = {
        "operationId": route.name,
        "tags": [route.tag],
        "summary": route.summary,
        "description": route.description,
        "parameters": _parameters(route, schemas),
        "responses": _responses(route, schemas),
        "security": _security(route),
        "x-limit": _limit(route.limit),
    }
    if route.body is not None:
        content = _content(schemas.reference(route.body), route.example.body)
        operation["requestBody"] = {"required": True, "content": {JSON: content}}
    return operation


def _parameters(route: Route, schemas: Schemas) -> list[Json]:
    in_path = [
        {"name": place.name, "in": "path", "required": True, "schema": place.kind.schema}
        for place in places_of(route.path)
    ]
    return in_path + ([] if route.query is None else schemas.query_parameters(route.query))


def _responses(route: Route, schemas: Schemas) -> Json:
    successes = {route.success: HTTPStatus(route.success).phrase, **route.other_answers}
    responses = {str(status): _success(route, schemas, told) for status, told in successes.items()}
    for status, codes in codes_by_status(route).items():
        responses[str(status)] = _refusal(status, codes, schemas)
    return responses


def _success(route: Route, schemas: Schemas, told: str) -> Json:
    own = {
        name: {"description": sentence, "schema": {"type": "string"}}
        for name, sentence in route.answer_headers.items()
    }
    response: Json = {"description": told, "headers": {"X-Request-Id": _REQUEST_ID, **own}}
    if isinstance(route.answer, str):
        media_type = route.answer.partition(";")[0]
        schema = _SCHEMAS.get(media_type, {"type": "string"})
        response["content"] = {media_type: _content(schema, route.example.answer)}
    elif route.answer is not None:
        response["content"] = {JSON: _content(schemas.reference(route.answer), route.example.answer)}
    return response


def _refusal(status: int, codes: tuple[str, ...], schemas: Schemas) -> Json:
    headers = {"X-Request-Id": _REQUEST_ID}
    if status in _STATUSES_TO_WAIT:
        headers["Retry-After"] = _RETRY_AFTER
    coded = {"properties": {"error": {"properties": {"code": {"enum": list(codes)}}}}}
    schema = {"allOf": [schemas.reference(ErrorMessage), coded]}
    return {"description": ", ".join(codes), "headers": headers, "content": {JSON: {"schema": schema}}}


def _content(schema: Json, example: Struct | str | None) -> Json:
    content: Json = {"schema": schema}
    if example is not None:
        content["example"] = msgspec.to_builtins(example)
    return content


def _security(route: Route) -> list[Json]:
    if route.scope is None:
        return []
    return [{"cookie": [route.scope.value]}, {"bearer": [route.scope.value]}]


def _limit(limit: Limit) -> Json:
    def told(rate: Rate) -> Json:
        return {"at_once": rate.burst, "per_second": rate.per_second}

    return {"group": limit.group, "player": told(limit.player), "address": told(limit.address)}


def _headers() -> Json:
    return {
        "RequestId": {
            "description": "Names this request in our logs.",
            "required": True,
            "schema": {"type": "string"},
        },
        "RetryAfter": {
            "description": "Seconds to wait before asking again.",
            "required": True,
            "schema": {"type": "integer", "minimum": 1},
        },
    }
