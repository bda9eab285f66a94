"""Schemas in words that people read: `list of text`, `number, 0 to 4`, `one of live, correspondence`."""

from typing import Any, Final

from cartagena.server.http.docs.markup import Html, joined, tag, with_code

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
