"""Check deploy/ with the programs that will read it later: `make deploy-check`.

Usage: python -m scripts.deploy_check [--all]

A program that is not installed is named and left out; with --all that is an error.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from harness.servers import PATHS, write_nginx
from scripts.dashboard import DASHBOARD, dashboard_text
from scripts.external_checkers import BIN, Check, Trouble, run_all, told

ROOT: Final = Path(__file__).parents[1]
DEPLOY: Final = ROOT / "deploy"
IMAGE: Final = DEPLOY / "image"
SITE: Final = "play.example.org"
COPY: Final = re.compile(r"^COPY (?!--from)(?:--\S+ )*(.+) \S+$", re.MULTILINE)
PROGRAMS: Final = re.compile(r"/opt/cartagena(?:bot)?/bin")


def checks() -> tuple[Check, ...]:
    """All of them; those of our own need no program."""
    return (
        Check(what="Dockerfile", program="hadolint", run=_dockerfile),
        Check(what="scripts", program="shellcheck", run=_scripts),
        Check(what="compose file", program="docker-compose", run=_compose),
        Check(what="Caddyfile", program="caddy", run=_caddy),
        Check(what="nginx", program="nginx", run=_nginx),
        Check(what="units", program="systemd-analyze", run=_units),
        Check(what="alerts and their tests", program="promtool", run=_alerts),
        Check(what="what the image is built from", program="", run=_ignored),
        Check(what="dashboard as generated", program="", run=_dashboard),
    )


def main(words: list[str] | None = None) -> int:
    """Check all; 1 if anything is wrong."""
    return run_all(__doc__ or "", checks(), words)


def _dockerfile(hadolint: str, _: Path) -> Iterator[Trouble]:
    yield from told(hadolint, "--no-color", IMAGE / "Dockerfile")


def _scripts(shellcheck: str, _: Path) -> Iterator[Trouble]:
    yield from told(
        shellcheck, IMAGE / "start", DEPLOY / "club" / "roles", *sorted((DEPLOY / "backup").iterdir())
    )


def _compose(compose: str, _: Path) -> Iterator[Trouble]:
    club = DEPLOY / "club"
    yield from told(
        *(compose, "--file", club / "compose.yaml", "--env-file", club / ".env.example", "config", "--quiet"),
        POSTGRES_PASSWORD="none",  # noqa: S106 - the example has none, and must not
    )


def _caddy(caddy: str, folder: Path) -> Iterator[Trouble]:
    file = DEPLOY / "club" / "Caddyfile"
    variables = {"SITE": SITE, "UPSTREAM": "web:8000", "HOME": str(folder)}
    yield from told(caddy, "validate", "--adapter", "caddyfile", "--config", file, **variables)
    yield from told(caddy, "fmt", "--diff", file)


def _nginx(nginx: str, folder: Path) -> Iterator[Trouble]:
    configuration = write_nginx(folder, {name: name for name in PATHS})
    yield from told(nginx, "-t", "-q", "-p", folder, "-c", configuration)


def _units(analyze: str, folder: Path) -> Iterator[Trouble]:
    """The units with the program of this environment, so that it can be found."""
    for units in ("systemd", "bot"):
        shutil.copytree(DEPLOY / units, folder, dirs_exist_ok=True)
    for unit in sorted(folder.glob("*.service")):
        text = PROGRAMS.sub(str(BIN), unit.read_text(encoding="utf-8"))
        unit.write_text(text, encoding="utf-8")
    names = [unit.name.replace("@.", "@8001.") for unit in folder.glob("cartagena*") if unit.is_file()]
    # It only warns about an unknown setting. The colon stands for systemd's own units.
    yield from told(analyze, "verify", "--man=no", *names, also=str(folder), SYSTEMD_UNIT_PATH=f"{folder}:")


def _alerts(promtool: str, folder: Path) -> Iterator[Trouble]:
    watch = folder / "watch"
    shutil.copytree(DEPLOY / "watch", watch)
    (watch / "metrics-token").touch()
    yield from told(promtool, "check", "config", watch / "prometheus.yml")
    yield from told(promtool, "test", "rules", watch / "alerts_test.yml")
    alerts = set(re.findall(r"- alert: (\w+)", (watch / "alerts.yml").read_text(encoding="utf-8")))
    tested = re.findall(r"- alertname: (\w+)", (watch / "alerts_test.yml").read_text(encoding="utf-8"))
    yield from (f"{name} has no test" for name in sorted(alerts - set(tested)))


def _ignored(_: str, __: Path) -> Iterator[Trouble]:
    """Check that .dockerignore lets through exactly what the Dockerfile copies."""
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for sources in COPY.findall((IMAGE / "Dockerfile").read_text(encoding="utf-8")):
        for source in sources.split():
            if not (ROOT / source).exists():
                yield f"{source} is copied into the image, but is not there"
            if not any(source == name or source.startswith(f"{name}/") for name in allowed):
                yield f"{source} is copied into the image, but .dockerignore hides it"


def _dashboard(_: str, __: Path) -> Iterator[Trouble]:
    if DASHBOARD.read_text(encoding="utf-8") != dashboard_text():
        yield "run `python -m scripts.dashboard`"


if __name__ == "__main__":
    sys.exit(main())
