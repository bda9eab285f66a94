"""Write the messages of a running service, and those of a device, as an OpenAPI document for code generators.

python -m scripts.openapi_document build/openapi.json
"""

import argparse
import asyncio
import json
import os
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec

from cartagena.messages.studies import (
    ArrangedMessage,
    AskStudyHint,
    DealStudy,
    OpenedStudy,
    StudyLineMessage,
    StudyText,
)
from harness.contract.service import new_database, serving
from harness.services import services

OF_DEVICE: Final = (ArrangedMessage, AskStudyHint, DealStudy, OpenedStudy, StudyLineMessage, StudyText)
"""What only a device is asked and answers, with everything that is in it."""

# Any: the document is JSON of a shape that OpenAPI decides.
Json = dict[str, Any]


async def document() -> Json:
    """The document of a service that is started only for this."""
    async with new_database(services()[0].address(os.environ)) as dsn:
        with serving(dsn) as service:
            answer = await asyncio.to_thread(httpx.get, f"{service.url}/api/openapi.json")
            told: Json = answer.raise_for_status().json()
            return told


def messages_only(told: Json) -> Json:
    """The document without its paths: types of routes would be ten times as long, and nothing uses them."""
    return told | {"paths": {}}


def with_device(told: Json) -> Json:
    """The document with the messages that a service does not know."""
    _, schemas = msgspec.json.schema_components(OF_DEVICE, ref_template="#/components/schemas/{name}")
    components = told["components"]
    return told | {"components": components | {"schemas": schemas | components["schemas"]}}


def main() -> None:
    """Ask, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    file: Path = parser.parse_args().file
    file.parent.mkdir(parents=True, exist_ok=True)
    told = json.dumps(messages_only(with_device(asyncio.run(document()))), indent=1, sort_keys=True)
    file.write_text(f"{told}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
