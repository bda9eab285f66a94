"""The routes of the whole service against its document: all of them, nothing else, and nothing left out."""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest
import pytest_asyncio

from cartagena.endpoints.path_templates import places_of
from cartagena.endpoints.routing import Route, problems_of
from cartagena.tables.errors import Problem
from tests.server.authorisation_world import Service, running
from tests.server.databases import settings_for

pytestmark = pytest.mark.asyncio(loop_scope="module")

# Any: JSON as it comes.
Json = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(database_dsn: str) -> AsyncIterator[Service]:
    async with running(settings_for(database_dsn, CARTAGENA_POOL="2", CARTAGENA_DIRECTORY_POOL="2")) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def document(service: Service) -> Json:
    """The document as it is answered."""
    told: Json = (await service.ask("GET", "/api/openapi.json", None)).json
    return told


def operations_of(document: Json) -> dict[tuple[str, str], Json]:
    """Every operation by its method and path."""
    return {
        (method.upper(), path): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def told_of(service: Service, document: Json) -> Iterator[tuple[Route, Json]]:
    """Every route with what the document says of it."""
    operations = operations_of(document)
    for route in service.routes.values():
        yield route, operations[route.method, route.template]


async def test_every_route_is_documented_and_nothing_else_is(service: Service, document: Json) -> None:
    routes = service.routes.values()
    assert set(operations_of(document)) == {(route.method, route.template) for route in routes}
    for route, operation in told_of(service, document):
        assert operation["operationId"] == route.name
        assert operation["summary"] == route.summary != ""
        assert ("requestBody" in operation) == (route.body is not None), route.name
        assert bool(operation["security"]) == (route.scope is not None), route.name


async def test_every_place_and_every_field_of_a_query_is_a_parameter(
    service: Service, document: Json
) -> None:
    for route, operation in told_of(service, document):
        told = {(parameter["in"], parameter["name"]) for parameter in operation["parameters"]}
        fields = () if route.query is None else msgspec.structs.fields(route.query)
        expected = {("path", place.name) for place in places_of(route.path)}
        assert told == expected | {("query", field.encode_name) for field in fields}, route.name
        assert {name for kind, name in told if kind == "path"} == set(
            re.findall(r"\{(\w+)\}", route.template)
        )


async def test_every_problem_of_a_route_is_listed_with_its_status_and_code(
    service: Service, document: Json
) -> None:
    for route, operation in told_of(service, document):
        refusals = {int(status) for status in operation["responses"] if int(status) >= 400}
        problems = problems_of(route)
        assert refusals == {problem.status for problem in problems} | {500}, route.name
        for problem in problems:
            response = operation["responses"][str(problem.status)]
            codes = response["content"]["application/json"]["schema"]["allOf"][1]
            known = codes["properties"]["error"]["properties"]["code"]["enum"]
            assert problem is Problem.REFUSED or problem.code in known, (route.name, problem)


async def test_every_success_of_a_route_is_listed(service: Service, document: Json) -> None:
    for route, operation in told_of(service, document):
        successes = {int(status) for status in operation["responses"] if int(status) < 400}
        assert successes == {route.success, *route.other_answers}, route.name
        for status in successes:
            content = operation["responses"][str(status)].get("content")
            assert (content is None) == (route.answer is None), route.name


async def test_every_example_fits_its_schema(service: Service, document: Json) -> None:
    shown = 0
    for route, operation in told_of(service, document):
        for part in (operation.get("requestBody", {}), *operation["responses"].values()):
            for content in part.get("content", {}).values():
                if "example" in content:
                    whole = {**content["schema"], "components": document["components"]}
                    jsonschema_rs.validate(whole, content["example"])
                    shown += 1
        body = route.example.body
        if body is not None:
            assert route.body is not None
            assert msgspec.json.decode(msgspec.json.encode(body), type=route.body) == body, route.name
    assert shown > 30


async def test_every_schema_is_one_and_every_reference_leads_somewhere(document: Json) -> None:
    schemas = document["components"]["schemas"]
    for name, schema in schemas.items():
        jsonschema_rs.meta.validate({"$schema": DRAFT, **schema})
        assert schema.get("title", name), name
    text = msgspec.json.encode(document).decode()
    found = set(re.findall(r'"\$ref":"#/components/(\w+)/(\w+)"', text))
    assert found
    for group, name in found:
        assert name in document["components"][group], name
    named = {name for group, name in found if group == "schemas"}
    assert set(schemas) == named, "a schema that nobody speaks of"
