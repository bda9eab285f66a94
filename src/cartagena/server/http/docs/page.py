"""The API documentation for people: made from the OpenAPI document, without scripts, readable anywhere."""

import base64
import hashlib
import json
from typing import Any, Final

from cartagena.server.http.docs.markup import Html, joined, paragraphs, tag, with_code
from cartagena.server.http.docs.style import STYLE
from cartagena.server.http.docs.words import anchor, fields_table, words_for
from cartagena.server.http.responses import JSON, Answer

# Any: the document is JSON of a shape that OpenAPI decides.
Json = dict[str, Any]

_SUCCESS: Final = "2"


def docs_page(document: Json) -> Answer:
    """The page as an answer; its policy allows nothing but its own style sheet."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    page = f"<!doctype html>\n{_html(document)}"
    return Answer(content=page.encode(), headers=(("Content-Security-Policy", policy),))


def _html(document: Json) -> Html:
    title = f"{document['info']['title']} over HTTP"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Html(STYLE)),
    )
    body = tag(
        "body",
        tag("a", "Skip to the routes", href="#routes", class_="skip"),
        tag("div", _navigation(document), _main(document, title), class_="sheet"),
        tag("footer", tag("a", "The same for programs: OpenAPI 3.1", href="/api/openapi.json")),
    )
    return tag("html", head, body, lang="en")


def _operations(document: Json) -> dict[str, list[tuple[str, str, Json]]]:
    """Method, path and operation, by tag."""
    found: dict[str, list[tuple[str, str, Json]]] = {entry["name"]: [] for entry in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            found[operation["tags"][0]].append((method, path, operation))
    return found


def _navigation(document: Json) -> Html:
    groups = [
        joined(
            tag("h2", name),
            tag(
                "ul",
                *(
                    tag("li", tag("a", operation["summary"], href=f"#{operation['operationId']}"))
                    for _, _, operation in operations
                ),
            ),
        )
        for name, operations in _operations(document).items()
    ]
    return tag("nav", *groups, tag("h2", tag("a", "Messages", href="#messages")), aria_label="Routes")


def _main(document: Json, title: str) -> Html:
    info = document["info"]
    sections = [
        tag("section", tag("h2", name), *(_article(*operation) for operation in operations))
        for name, operations in _operations(document).items()
    ]
    return tag(
        "main",
        tag("h1", title),
        tag("p", f"version {info['version']}", class_="quiet"),
        paragraphs(info["description"]),
        tag("div", *sections, id="routes"),
        tag("h2", "Messages", id="messages"),
        *(_message(name, schema) for name, schema in document["components"]["schemas"].items()),
    )


def _article(method: str, path: str, operation: Json) -> Html:
    return tag(
        "article",
        tag("h3", operation["summary"]),
        tag("p", tag("span", method.upper(), class_=f"method {method}"), tag("code", path), class_="line"),
        paragraphs(operation["description"]),
        _conditions(operation),
        _parameters(operation),
        _body(operation),
        _answers(operation),
        _by_hand(method, path, operation),
        id=operation["operationId"],
    )


def _conditions(operation: Json) -> Html:
    security = operation["security"]
    scope = (
        f"Needs a session with the scope `{security[0]['cookie'][0]}`." if security else "Needs no session."
    )
    limit = operation["x-limit"]
    rates = f"{_rate(limit['player'])} for a player, {_rate(limit['address'])} for an address"
    return tag("p", with_code(f"{scope} Limit `{limit['group']}`: {rates}."), class_="quiet")


def _rate(rate: Json) -> str:
    each = rate["per_second"]
    pace = f"{each:g} a second" if each >= 1 else f"one in {1 / each:g} seconds"
    return f"{rate['at_once']} at once, then {pace}"


def _parameters(operation: Json) -> Html:
    rows = [
        tag(
            "tr",
            tag("th", tag("code", parameter["name"]), scope="row"),
            tag(
                "td",
                words_for(parameter["schema"]),
                tag("span", f" in the {parameter['in']}", class_="quiet"),
                tag("p", with_code(parameter.get("description", "")), class_="quiet"),
            ),
        )
        for parameter in operation["parameters"]
    ]
    return joined(tag("h4", "Parameters"), tag("table", *rows)) if rows else Html()


def _body(operation: Json) -> Html:
    if "requestBody" not in operation:
        return Html()
    content = operation["requestBody"]["content"][JSON]
    return joined(tag("h4", "Body"), tag("p", words_for(content["schema"])), _example(content))


def _answers(operation: Json) -> Html:
    responses = operation["responses"]
    good = [_answer(status, answer) for status, answer in responses.items() if status.startswith(_SUCCESS)]
    refused = [
        tag("tr", tag("th", status, scope="row"), tag("td", _codes(answer["description"])))
        for status, answer in responses.items()
        if not status.startswith(_SUCCESS)
    ]
    return joined(
        tag("h4", "Answers"),
        *good,
        tag("details", tag("summary", "What may be refused"), tag("table", *refused)),
    )


def _answer(status: str, answer: Json) -> Html:
    contents = [
        joined(
            tag("p", tag("b", status), " ", words_for(content["schema"]), f" as {media_type}"),
            _example(content),
        )
        for media_type, content in answer.get("content", {}).items()
    ]
    headers = [
        tag("p", tag("code", name), f": {header['description']}", class_="quiet")
        for name, header in answer["headers"].items()
        if "description" in header
    ]
    return joined(*(contents or [tag("p", tag("b", status), f" {answer['description']}")]), *headers)


def _codes(description: str) -> Html:
    return joined(*(joined(" ", tag("code", code)) for code in description.split(", ")))


def _example(content: Json) -> Html:
    if "example" not in content:
        return Html()
    example = content["example"]
    text = example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)
    return tag("details", tag("summary", "Example"), tag("pre", text))


def _by_hand(method: str, path: str, operation: Json) -> Html:
    lines = [
        f'curl "$CARTAGENA{path}"' if method == "get" else f'curl -X {method.upper()} "$CARTAGENA{path}"'
    ]
    if operation["security"]:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if "requestBody" in operation:
        lines.append('-H "Content-Type: application/json"')
        example = operation["requestBody"]["content"][JSON].get("example")
        if example is not None:
            quoted = json.dumps(example, ensure_ascii=False).replace("'", "'\\''")
            lines.append(f"-d '{quoted}'")
    return tag("details", tag("summary", "By hand"), tag("pre", " \\\n  ".join(lines)))


def _message(name: str, schema: Json) -> Html:
    choices = [tag("p", words_for(schema))] if "properties" not in schema else [fields_table(schema)]
    return tag(
        "article", tag("h3", name), paragraphs(schema.get("description", "")), *choices, id=anchor(name)
    )
