"""The compose file of a club, read by docker-compose: what is in .env reaches the service."""

import os
import re
import secrets
import shutil
import subprocess
from pathlib import Path

import pytest

from cartagena.server.shared.club import Club
from cartagena.server.shared.settings import Settings
from tests.deploy.running import DEPLOY

COMPOSE = DEPLOY / "club" / "compose.yaml"
EXAMPLE = DEPLOY / "club" / ".env.example"
VARIABLE = re.compile(r"\$\{(\w+)")
RESOLVED = re.compile(r"^ +(CARTAGENA_\w+): (.*)$", re.MULTILINE)
MADE_UP = secrets.token_hex(8)
FILLED_IN = {"SITE": "play.example.org", "POSTGRES_PASSWORD": MADE_UP}


def settings(folder: Path, **filled_in: str) -> Settings:
    """The settings that the service would read, with the example filled in like this."""
    program = shutil.which("docker-compose")
    if program is None:
        pytest.skip("docker-compose is not installed on this machine")
    wanted = FILLED_IN | filled_in
    kept = [
        line for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if line.split("=")[0] not in wanted
    ]
    file = folder / "env"
    file.write_text("\n".join([*kept, *(f"{name}={value}" for name, value in wanted.items())]))
    command = [program, "--file", str(COMPOSE), "--env-file", str(file), "config"]
    # What is set here would count for more than the file.
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    return Settings.read({name: value.strip("'\"") for name, value in RESOLVED.findall(told.stdout)})


def test_the_example_tells_of_every_variable_of_the_compose_file() -> None:
    used = set(VARIABLE.findall(COMPOSE.read_text(encoding="utf-8")))
    told = set(re.findall(r"^(\w+)=", EXAMPLE.read_text(encoding="utf-8"), re.MULTILINE))
    assert told - {"COMPOSE_PROJECT_NAME"} == used


def test_the_example_with_a_name_and_a_password_is_a_whole_service(tmp_path: Path) -> None:
    read = settings(tmp_path)
    assert (read.url, read.club, read.vapid) == ("https://play.example.org", None, None)
    assert f":{MADE_UP}@db/" in read.directory


def test_a_club_signs_in_by_its_own_provider(tmp_path: Path) -> None:
    read = settings(
        tmp_path,
        OIDC_ISSUER="https://id.example.org/realms/club",
        OIDC_CLIENT_ID="cartagena",
        OIDC_CLIENT_SECRET=MADE_UP,
        OIDC_NAME="Harbour Club",
    )
    assert read.club == Club(
        issuer="https://id.example.org/realms/club",
        client_id="cartagena",
        client_secret=MADE_UP,
        name="Harbour Club",
    )
