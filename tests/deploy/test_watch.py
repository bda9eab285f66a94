"""The metrics in alerts and dashboard are those that a running service counts."""

import re
from pathlib import Path

import httpx
import pytest

from harness.servers import free_port
from scripts.dashboard import metrics_watched
from tests.deploy.running import BIN, DEPLOY, environment_of, running
from tests.server.databases import empty_database
from tests.waiting import PATIENCE

KIND = re.compile(r"^# TYPE (\w+) (\w+)$", re.MULTILINE)
PARTS = {"histogram": ("_bucket", "_sum", "_count")}
ROOT = DEPLOY.parent
RECIPE = re.compile(r'recipe: "(.+)"')
ROW = re.compile(r"`(cartagena_[a-z_]+)(?:\{[^`]*)?`")
ROLE = "cartagena_node"
"""Not a metric: the role of the nodes in PostgreSQL."""


def counted(page: str) -> set[str]:
    """The names of all samples that a page of metrics may have."""
    return {name + part for name, kind in KIND.findall(page) for part in PARTS.get(kind, ("",))}


@pytest.mark.processes
async def test_every_metric_that_is_watched_is_counted(tmp_path: Path) -> None:
    async with empty_database() as dsn:
        port = free_port()
        command = [str(BIN / "cartagena"), "serve"]
        async with running(command, environment_of(dsn, CARTAGENA_PORT=str(port)), tmp_path) as service:
            await service.ready(port)
            async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
                page = (await client.get(f"http://127.0.0.1:{port}/metrics")).text
        names = counted(page)
        assert len(metrics_watched()) > 15
        assert metrics_watched() <= names
        operations = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
        families = {
            re.sub("_(bucket|sum|count)$", "", name) for name in names if name.startswith("cartagena_")
        }
        assert set(ROW.findall(operations)) - {ROLE} <= families | names


def test_every_alert_names_a_recipe_that_is_written() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    recipes = set(RECIPE.findall((DEPLOY / "watch" / "alerts.yml").read_text(encoding="utf-8")))
    assert recipes
    assert {recipe for recipe in recipes if f"**{recipe}**" not in page} == set()
