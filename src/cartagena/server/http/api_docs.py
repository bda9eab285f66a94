"""The API documentation for people: made from the OpenAPI document, without scripts, readable anywhere."""

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any, Final

from cartagena.endpoints.responses import JSON, Answer

STYLE: Final = files(__package__ or "").joinpath("api_docs.css").read_text(encoding="utf-8")

# HTML built from nested calls; text that is not already markup is escaped.

_VOID: Final = frozenset({"meta", "link", "br", "hr"})


class Html(str):
    """Text that is markup and stays as it is."""

    __slots__ = ()


def tag(element: str, /, *children: str, **attributes: str) -> Html:
    """An element with its children; `class_` is the attribute `class`, `aria_label` is `aria-label`.

    >>> tag("p", "a < b, ", tag("b", "bold"), class_="x")
    '<p class="x">a &lt; b, <b>bold</b></p>'
    """
    written = "".join(f' {_attribute(key)}="{escape(value)}"' for key, value in attributes.items())
    if element in _VOID:
        return Html(f"<{element}{written}>")
    return Html(f"<{element}{written}>{joined(*children)}</{element}>")


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def joined(*children: str) -> Html:
    """Several pieces, one after the other."""
    return Html(
        "".join(child if isinstance(child, Html) else escape(child, quote=False) for child in children)
    )


def with_code(text: str) -> Html:
    """A sentence in which words between backticks are code.

    >>> with_code("see `x<y>`")
    'see <code>x&lt;y&gt;</code>'
    """
    pieces = text.split("`")
    return joined(*(tag("code", piece) if odd % 2 else piece for odd, piece in enumerate(pieces)))


def paragraphs(text: str) -> Html:
    """A text whose paragraphs are separated by empty lines."""
    return joined(*(tag("p", with_code(part)) for part in text.split("\n\n") if part.strip()))


# Schemas in words that people read: `list of text`, `number, 0 to 4`, `one of live, correspondence`.


# Any: JSON schemas nest as they like.
Schema = dict[str, Any]

_NAMES: Final = {
    "string": "text",
    "integer": "number",
    "number": "decimal number",
    "boolean": "true or false",
    "null": "null",
    "object": "object",
}
_FEW: Final = 8
_NOTHING: Final[tuple[object, ...]] = (None, "", [], {})


def anchor(name: str) -> str:
    """Return the anchor of a message on the page."""
    return f"message-{name}"


def words_for(schema: Schema) -> Html:
    """Describe what a value must be."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return tag("a", name, href=f"#{anchor(name)}")
    if "anyOf" in schema:
        return _listed([words_for(choice) for choice in schema["anyOf"]], " or ")
    if "allOf" in schema:
        return words_for(schema["allOf"][0])
    if "enum" in schema:
        return _choices(schema["enum"])
    if "const" in schema:
        return tag("code", str(schema["const"]))
    return _plain(schema)


def _plain(schema: Schema) -> Html:
    kind = schema.get("type")
    if kind == "array":
        return _list(schema)
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return joined("object with values ", words_for(schema["additionalProperties"]))
    name = schema.get("format") or _NAMES.get(str(kind), "anything")
    return joined(name, _bounds(schema))


def _list(schema: Schema) -> Html:
    if "prefixItems" in schema:
        return joined("list of ", _listed([words_for(item) for item in schema["prefixItems"]], ", "))
    return joined("list of ", words_for(schema.get("items") or {}), _bounds(schema))


def _bounds(schema: Schema) -> str:
    low = schema.get("minimum", schema.get("minLength", schema.get("minItems")))
    high = schema.get("maximum", schema.get("maxLength", schema.get("maxItems")))
    unit = " long" if "minLength" in schema or "maxLength" in schema else ""
    if low is not None and high is not None:
        return f", {low} to {high}{unit}"
    if high is not None:
        return f", at most {high}{unit}"
    return "" if low is None else f", at least {low}{unit}"


def _choices(values: list[object]) -> Html:
    shown = [tag("code", str(value)) for value in values]
    if len(shown) <= _FEW:
        return joined("one of ", _listed(shown, ", "))
    return tag("details", tag("summary", f"one of {len(shown)} words"), _listed(shown, ", "))


def _listed(pieces: list[Html], between: str) -> Html:
    return joined(*(joined(between if place else "", piece) for place, piece in enumerate(pieces)))


def fields_table(schema: Schema) -> Html:
    """The fields of a message: name, what it must be, and what it means."""
    required = schema.get("required", ())
    rows = [
        tag(
            "tr",
            tag("th", tag("code", name), scope="row"),
            tag("td", words_for(field), *_note(field, is_required=name in required)),
        )
        for name, field in schema.get("properties", {}).items()
    ]
    return tag("table", *rows) if rows else tag("p", "no fields", class_="quiet")


def _note(field: Schema, *, is_required: bool) -> list[Html]:
    notes = []
    default = field.get("default")
    if not is_required:
        absent = f"if absent: {default}" if default not in _NOTHING else "may be absent"
        notes.append(joined(" ", tag("span", absent, class_="quiet")))
    if "description" in field:
        notes.append(tag("p", with_code(field["description"]), class_="quiet"))
    return notes


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
