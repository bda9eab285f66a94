"""People are told what to type: from the checkout or the wheel that is installed, and from nowhere else."""

import json
from pathlib import Path

import click
import pytest

from cartagena import install
from cartagena.cli import serve
from cartagena.cli.main import entrance
from cartagena.install import NODE, Origin, install_command, pages_command
from cartagena.server.shared.settings import Settings
from tests.cli.scripts import run

HOME = "/home/anne/my games"


def read(path: Path, **others: object) -> Origin | None:
    """What pip wrote down when it was given a path."""
    return install._read(json.dumps({"url": path.as_uri(), **others}))


def test_a_checkout_is_read_from_what_pip_wrote_down(tmp_path: Path) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    assert read(folder, dir_info={}) == Origin(folder)
    assert read(folder, dir_info={"editable": True}) == Origin(folder, is_editable=True)


def test_a_wheel_is_read_too_unless_it_is_gone(tmp_path: Path) -> None:
    wheel = tmp_path / "cartagena-0.1.0-py3-none-any.whl"
    assert read(wheel, archive_info={}) is None
    wheel.touch()
    assert read(wheel, archive_info={}) == Origin(wheel)
    assert (
        install_command("server", Origin(wheel)) == f"pip install --find-links {tmp_path} '{wheel}[server]'"
    )


def test_what_came_from_another_machine_is_not_on_this_one() -> None:
    assert install._read('{"url": "https://example.org/tmp", "archive_info": {}}') is None


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (Origin(Path(HOME)), f"pip install '{HOME}[client]'"),
        (Origin(Path(HOME), is_editable=True), f"pip install --editable '{HOME}[client]'"),
    ],
)
def test_an_extra_is_installed_from_where_the_rest_came(origin: Origin, command: str) -> None:
    assert install_command("client", origin) == command


def test_the_pages_of_a_server_come_from_the_same_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = f"pip install {tmp_path}/web '{tmp_path}[server,traces]'"
    assert install_command("server,traces", Origin(tmp_path)) == command
    editable = f"pip install --editable {tmp_path}/web --editable '{tmp_path}[server]'"
    assert install_command("server", Origin(tmp_path, is_editable=True)) == editable
    monkeypatch.setattr(install, "PUBLISHED", False)
    assert install_command("server") == "pip install ./web '.[server]'"
    monkeypatch.setattr(install, "PUBLISHED", True)
    assert install_command("server") == "pip install 'cartagena[server]'"


def test_without_an_origin_the_constant_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "PUBLISHED", False)
    assert (install_command(), install_command("envs")) == ("pip install .", "pip install '.[envs]'")
    monkeypatch.setattr(install, "PUBLISHED", True)
    assert install_command("envs") == "pip install 'cartagena[envs]'"


def test_pages_are_built_from_a_checkout(tmp_path: Path) -> None:
    wheel = tmp_path / "cartagena-0.1.0-py3-none-any.whl"
    wheel.touch()
    assert pages_command(Origin(tmp_path)) == f"pip install --force-reinstall --no-deps {tmp_path}/web"
    assert pages_command(Origin(wheel)) == pages_command()
    assert pages_command(Origin(tmp_path, is_editable=True)) == f"make -C {tmp_path} web"


def test_the_help_page_of_a_service_tells_where_it_listens() -> None:
    told = " ".join(run("serve", "--help").output.split())
    settings = Settings.read({})
    assert f"CARTAGENA_HOST, else {settings.host}" in told
    assert f"CARTAGENA_PORT, else {settings.port}" in told


@pytest.mark.parametrize("has_pages", [True, False])
def test_a_service_without_pages_says_so_when_it_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, has_pages: bool
) -> None:
    monkeypatch.setattr(serve, "has_pages", lambda: has_pages)
    with click.Context(entrance):
        serve._greet(Settings.read({}))
    said = capsys.readouterr().out
    assert "Cartagena is open at http://localhost:8000" in said
    assert ("The pages for browsers are missing" in said and f"Node.js {NODE} or newer" in said) != has_pages


@pytest.mark.parametrize(("url", "is_warned"), [("", True), ("https://play.example.org", False)])
def test_a_service_that_others_reach_without_an_address_says_so_when_it_starts(
    capsys: pytest.CaptureFixture[str], url: str, *, is_warned: bool
) -> None:
    with click.Context(entrance):
        serve._greet(Settings.read({"CARTAGENA_HOST": "192.168.1.7", "CARTAGENA_URL": url}))
    said = capsys.readouterr().out
    assert ("reached at 192.168.1.7" in said and "set CARTAGENA_URL" in said) is is_warned
