"""The document: what it says is what the routes do, and the other way round."""

import asyncio
import base64
import hashlib
import re
import sys
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import msgspec
import pytest
from msgspec import Struct

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.path_templates import plain
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer
from cartagena.endpoints.routing import Endpoint, Example, Route, Routing
from cartagena.messages import ErrorMessage
from cartagena.rules.refusals import Refusal
from cartagena.server.http.api_docs import docs_page
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.openapi import document_of
from cartagena.tables.errors import Problem
from tests.server.http_house import ACTIONS, ANNE, READER, House, house
from tests.server.http_sample import ERRORS, TABLE, Wish, act, sample_routes

# Any: JSON as it comes.
Json = dict[str, Any]


@pytest.fixture
async def home() -> AsyncIterator[House]:
    async with house() as running:
        yield running


@pytest.fixture
async def document(home: House) -> Json:
    answer = await home.client.get("/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    told: Json = answer.json()
    return told


def _operations(document: Json) -> dict[tuple[str, str], Json]:
    return {
        (method.upper(), path): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def _fits(document: Json, schema: Json, value: object) -> bool:
    """Whether JSON is what a schema of the document says."""
    whole = {**schema, "components": document["components"]}
    return jsonschema_rs.is_valid(whole, value)


def test_the_document_holds_the_routes_and_nothing_else() -> None:
    routes = sample_routes()
    told = _operations(document_of(routes, version="1"))
    assert set(told) == {(route.method, plain(route.path)) for route in routes}
    for route in routes:
        operation = told[route.method, route.template]
        assert operation["operationId"] == route.name
        assert ("requestBody" in operation) == (route.body is not None)
        assert bool(operation["security"]) == (route.scope is not None)


async def test_the_service_tells_of_its_own_routes_too(document: Json) -> None:
    paths = set(document["paths"])
    assert paths >= {"/health", "/ready", "/metrics", "/api/openapi.json", "/api/docs"}
    assert paths >= {route.template for route in sample_routes()}


def test_names_are_unique_and_paths_are_taken_once() -> None:
    names = [operation["operationId"] for operation in _operations(_document()).values()]
    assert len(set(names)) == len(names)
    with pytest.raises(AssertionError, match="taken"):
        Routing(Endpoint(route) for route in (*sample_routes(), *sample_routes()))


def _document(*more: Route) -> Json:
    return document_of((*sample_routes(), *more), version="1")


def test_the_document_is_openapi() -> None:
    document = _document()
    assert document["openapi"] == "3.1.0"
    for (_, path), operation in _operations(document).items():
        named = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
        assert named == set(re.findall(r"\{(\w+)\}", path))
        assert all(response["description"] for response in operation["responses"].values())
    text = msgspec.json.encode(document).decode()
    for name in set(re.findall(r'"#/components/schemas/(\w+)"', text)):
        assert name in document["components"]["schemas"]
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


async def test_every_answer_of_every_sample_route_is_documented(home: House, document: Json) -> None:
    answers = [
        *[await home.act(does) for does in ERRORS if does != "undocumented"],
        await home.act(),
        await home.client.post(ACTIONS, json={}, headers=ANNE),
        await home.client.post(ACTIONS, content=b"{}", headers=ANNE),
        await home.client.post(ACTIONS, json={"x": "x" * 5000}, headers=ANNE),
        await home.client.post(ACTIONS, json={}, headers=READER),
        await home.client.post(ACTIONS, json={}, headers={"cookie": "__Host-cartagena=ct_anne"}),
        await home.client.get(f"/api/tables/{TABLE}", headers=ANNE),
        await home.client.get(f"/api/tables/{TABLE}"),
        await home.client.get(f"/api/tables/{TABLE}?seat=x", headers=ANNE),
        await home.client.get("/api/tables/nowhere", headers=ANNE),
        await home.client.get(f"/api/tables/{TABLE}/seats/1"),
        await home.client.get(f"/api/tables/{TABLE}/seats/x"),
        await home.client.post("/api/guests"),
        await home.client.post("/api/guests", headers={"origin": "https://evil.example"}),
        await home.client.delete("/api/session", headers=ANNE),
        await home.client.delete("/api/session"),
        await home.client.put("/api/nothing"),
        *[await home.client.get(path, headers=ANNE) for path in ("/api/who", "/api/admin", "/api/fleeting")],
        *[await home.client.get("/api/slow") for _ in range(4)],
        await home.client.get("/api/pictures/skull"),
        *[await home.client.get(f"/{path}") for path in ("health", "ready", "metrics", "api/docs")],
        await home.client.get("/metrics", headers={"x-forwarded-for": "192.0.2.1"}),
    ]
    for answer in answers:
        _check_documented(document, answer)
    seen = {answer.status_code for answer in answers}
    assert seen == {200, 201, 204, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503}


# `make contract` sends the real service such requests in every run.
@pytest.mark.long
async def test_hundreds_of_odd_requests_get_documented_answers_and_none_of_5xx(tmp_path: Path) -> None:
    async with house(HttpSettings(pace=1e6)) as home:
        process = await asyncio.create_subprocess_exec(
            *(
                sys.executable,
                "-m",
                "schemathesis.cli",
                "run",
                f"http://127.0.0.1:{home.port}/api/openapi.json",
            ),
            *("--header", "Authorization: Bearer ct_anne", "--max-examples", "30", "--seed", "1697"),
            # A stream has no end, and an odd cookie beside a good bearer token is no failed authentication.
            *("--exclude-path-regex", "stream$", "--exclude-checks", "ignored_auth", "--no-color"),
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await process.communicate()
        assert process.returncode == 0, said.decode()
        assert len(home.lines()) > 200


def _check_documented(document: Json, answer: httpx.Response) -> None:
    operation = _operation_of(document, answer.request)
    response = operation["responses"].get(str(answer.status_code))
    assert response is not None, f"{answer.request.url}: {answer.status_code} {answer.text}"
    for name, header in response["headers"].items():
        assert name in answer.headers or "$ref" not in header, name
    media_type = answer.headers.get("content-type", "").partition(";")[0]
    assert set(response.get("content", {"": {}})) == {media_type}
    if media_type == "application/json":
        assert _fits(document, response["content"][media_type]["schema"], answer.json()), answer.text


def _operation_of(document: Json, request: httpx.Request) -> Json:
    for (method, path), operation in _operations(document).items():
        pattern = re.sub(r"\{\w+\}", "[^/]+", path)
        if method == request.method and re.fullmatch(pattern, request.url.path):
            return operation
    raise AssertionError(f"{request.url} is not in the document")


def test_a_code_that_is_not_documented_does_not_fit_the_document() -> None:
    document = _document()
    schema = _operations(document)["POST", "/api/tables/{table_id}/actions"]["responses"]["403"]["content"]
    told = {"error": {"code": "muted", "message": "hush"}}
    assert not _fits(document, schema["application/json"]["schema"], told)
    told["error"]["code"] = "not_seated"
    assert _fits(document, schema["application/json"]["schema"], told)


def test_a_refusal_of_the_rules_is_documented_by_all_codes_of_the_rules() -> None:
    responses = _operations(_document())["POST", "/api/tables/{table_id}/actions"]["responses"]
    assert set(responses["422"]["description"].split(", ")) == {refusal.code for refusal in Refusal}


def test_a_scope_brings_its_problems_with_it() -> None:
    operations = _operations(_document())
    assert {"401", "403"} <= set(operations["GET", "/api/tables/{table_id}"]["responses"])
    assert not {"401", "403"} & set(operations["GET", "/api/tables/{table_id}/seats/{seat}"]["responses"])


def test_examples_are_what_they_are_examples_of() -> None:
    document = _document()
    for operation in _operations(document).values():
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in (content for body in bodies for content in body.get("content", {}).values()):
            if "example" in content:
                assert _fits(document, content["schema"], content["example"])


def test_a_query_is_told_as_parameters() -> None:
    parameters = _operations(_document())["GET", "/api/tables/{table_id}"]["parameters"]
    seat = next(parameter for parameter in parameters if parameter["name"] == "seat")
    assert (seat["in"], seat["required"]) == ("query", False)
    assert "Look" not in _document()["components"]["schemas"]


def test_every_refusal_is_the_one_message() -> None:
    error = ErrorMessage.__name__
    for operation in _operations(_document()).values():
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                schema = response["content"]["application/json"]["schema"]
                assert schema["allOf"][0] == {"$ref": f"#/components/schemas/{error}"}


class _Reader(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if name in {"href", "src"} and value:
                self.links.append(value)
            if name.startswith("on") or name == "style":
                self.handlers.append(name)


async def test_the_page_for_people_shows_every_route_and_needs_nothing_from_elsewhere(
    home: House, document: Json
) -> None:
    answer = await home.client.get("/api/docs")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = _Reader()
    page.feed(answer.text)
    assert {operation["operationId"] for operation in _operations(document).values()} <= page.ids
    assert {link[1:] for link in page.links if link.startswith("#")} <= page.ids
    assert {link for link in page.links if not link.startswith("#")} == {"/api/openapi.json"}
    assert "script" not in page.tags
    assert page.handlers == []


async def test_the_pages_style_is_allowed_by_its_hash_and_nothing_else_is(home: House) -> None:
    answer = await home.client.get("/api/docs")
    styles = re.findall("<style>(.*?)</style>", answer.text, re.DOTALL)
    assert len(styles) == 1
    digest = base64.b64encode(hashlib.sha256(styles[0].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in answer.headers["content-security-policy"]
    assert answer.headers["content-security-policy"].startswith("default-src 'none';")
    assert "unsafe" not in answer.headers["content-security-policy"]


async def test_the_page_escapes_what_it_shows() -> None:
    class Odd(Struct, frozen=True):
        """An <odd> & dangerous message with `<code>`."""

        text: str = "<script>"

    async def odd(_call: Call) -> Answer:
        return Answer()

    route = Route(
        method="POST",
        path="/odd",
        name="odd",
        tag="<tag>",
        summary="<summary>",
        description="<description>",
        handler=odd,
        body=Odd,
        answer=Odd,
        example=Example(body=Odd(text="</pre><script>'"), answer=Odd()),
    )
    content = docs_page(document_of((route,), version="<1>")).content
    assert isinstance(content, bytes)
    page = content.decode()
    for word in ("<script", "<description", "<odd", "<tag", "<1>"):
        assert word not in page
    for word in ("script", "summary", "description", "odd", "tag", "1"):
        assert f"&lt;{word}&gt;" in page


def test_a_route_that_contradicts_itself_is_refused() -> None:
    def route(**changes: Any) -> Route:  # Any: whatever a test changes.
        given: dict[str, Any] = {"method": "POST", "path": "/x", "name": "x", "tag": "t", "summary": "s"}
        return Route(**{**given, **changes})

    for changes in (
        {},
        {"handler": act, "raw": act},
        {"handler": act, "method": "GET", "body": Wish},
        {"handler": act, "method": "GET", "anonymous": True, "scope": Scope.READ},
        {"handler": act, "anonymous": True},
    ):
        with pytest.raises(AssertionError):
            route(**changes)
    assert route(handler=act).success == 204
    assert route(handler=act, answer="text/plain").success == 200
    assert Problem.TOO_MANY.status == 429


def test_a_word_goes_before_a_place_and_one_place_has_one_kind() -> None:
    def route(path: str) -> Route:
        return Route(method="PUT", path=path, name=path, tag="t", summary="s", handler=act)

    routing = Routing(Endpoint(route(path)) for path in ("/players/me", "/players/{player_id:uuid}"))
    assert _found(routing, "/players/me") == ("/players/me", [])
    assert _found(routing, f"/players/{TABLE}") == ("/players/{player_id:uuid}", [TABLE])
    assert routing.find("/players/you") is None
    assert routing.find("/players") is None
    with pytest.raises(AssertionError, match="two kinds"):
        Routing(Endpoint(route(path)) for path in ("/seats/{seat:int}", "/seats/{seat:text}/cards"))


def _found(routing: Routing, path: str) -> tuple[str, list[object]]:
    found = routing.find(path)
    assert found is not None
    node, values = found
    return node.endpoints["PUT"].route.path, list(values)
