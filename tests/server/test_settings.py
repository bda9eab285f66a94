"""Settings: good for one machine by themselves, and an error says what to set."""

import base64
import re
from ipaddress import ip_network
from pathlib import Path

import pytest

from cartagena.server.shared.club_settings import Club
from cartagena.server.shared.settings import LogStyle, Nats, Settings, Vapid
from cartagena.server.shared.settings_parsing import SettingsError, without_secret

KEY = base64.urlsafe_b64encode(bytes(31) + b"\x07").decode().rstrip("=")
SECRETS = {
    "CARTAGENA_DIRECTORY": "postgresql://anne:geheim@db/cartagena",
    "CARTAGENA_SHARDS": "postgresql://anne:geheim@db/games",
    "CARTAGENA_NATS": "tls://anne:geheim@bus:4222",
    "CARTAGENA_METRICS_TOKEN": "geheim-geheim-geheim",
    "CARTAGENA_VAPID_PRIVATE_KEY": KEY,
    "CARTAGENA_VAPID_SUBJECT": "mailto:harbour@example.org",
    "CARTAGENA_OIDC_ISSUER": "https://id.example.org/club",
    "CARTAGENA_OIDC_CLIENT_ID": "cartagena",
    "CARTAGENA_OIDC_CLIENT_SECRET": "geheim",
}


def test_nothing_set_is_good_for_one_machine() -> None:
    settings = Settings.read({})
    assert settings == Settings()
    assert settings.directory == settings.shards == "postgresql:///cartagena"
    assert (settings.host, settings.port, settings.url) == ("127.0.0.1", 8000, "http://localhost:8000")
    assert (settings.rp_id, settings.secure, settings.nats, settings.vapid) == (
        "localhost",
        False,
        None,
        None,
    )


def test_what_is_empty_counts_as_not_set() -> None:
    assert (
        Settings.read(dict.fromkeys((*SECRETS, "CARTAGENA_PORT", "CARTAGENA_LOG", "CARTAGENA_URL"), " "))
        == Settings()
    )


def test_games_live_with_the_directory_unless_something_else_is_said() -> None:
    alone = Settings.read({"CARTAGENA_DIRECTORY": "postgresql://db/club"})
    assert alone.shards == "postgresql://db/club"
    assert Settings.read({"CARTAGENA_SHARDS": "postgresql://db/games"}).directory == "postgresql:///cartagena"


def test_everything_can_be_set() -> None:
    settings = Settings.read(
        SECRETS
        | {
            "CARTAGENA_POOL": "20",
            "CARTAGENA_DIRECTORY_POOL": "5",
            "CARTAGENA_NATS_CREDENTIALS": "/etc/cartagena/bus.creds",
            "CARTAGENA_NATS_CA": "/etc/cartagena/ca.pem",
            "CARTAGENA_HOST": "0.0.0.0",  # noqa: S104  # nothing listens in this test
            "CARTAGENA_PORT": "80",
            "CARTAGENA_URL": "HTTPS://Play.Example.org:443/",
            "CARTAGENA_ORIGINS": "https://club.example.org, http://localhost:5173",
            "CARTAGENA_TRUSTED_PROXIES": "127.0.0.1,10.0.0.0/8,fd00::/8",
            "CARTAGENA_LOG": "json",
            "CARTAGENA_BOT_WORKERS": "3",
            "CARTAGENA_PRIVATE_NOTICES": "yes",
            "CARTAGENA_TRACES": "https://collector.example.org:4318/otlp",
            "CARTAGENA_TRACES_SHARE": "0.25",
        }
    )
    assert (settings.pool, settings.directory_pool, settings.bot_workers) == (20, 5, 3)
    assert settings.nats == Nats(
        url="tls://anne:geheim@bus:4222",
        credentials="/etc/cartagena/bus.creds",
        authority="/etc/cartagena/ca.pem",
    )
    assert (settings.host, settings.port) == ("0.0.0.0", 80)  # noqa: S104  # as above
    assert (settings.url, settings.rp_id, settings.secure) == (
        "https://play.example.org",
        "play.example.org",
        True,
    )
    own, *others = settings.all_origins
    assert (own, others) == (settings.url, ["https://club.example.org", "http://localhost:5173"])
    networks = ("127.0.0.1/32", "10.0.0.0/8", "fd00::/8")
    assert settings.trusted_proxies == tuple(ip_network(text) for text in networks)
    assert settings.metrics_token == "geheim-geheim-geheim"  # noqa: S105  # not a real one
    assert settings.vapid == Vapid(private_key=KEY, subject="mailto:harbour@example.org")
    assert settings.club == Club(
        issuer="https://id.example.org/club",
        client_id="cartagena",
        client_secret="geheim",  # noqa: S106  # not a real one
        name="id.example.org",
    )
    assert (settings.log, settings.private_notices) == (LogStyle.JSON, True)
    assert (settings.traces, settings.traces_share) == ("https://collector.example.org:4318/otlp", 0.25)


def test_a_clubs_provider_may_be_on_this_machine_and_has_a_name_of_its_own() -> None:
    chosen = {
        "CARTAGENA_OIDC_ISSUER": "http://127.0.0.1:9000/realms/club/",
        "CARTAGENA_OIDC_CLIENT_ID": "cartagena",
        "CARTAGENA_OIDC_NAME": "Harbour Club",
    }
    club = Settings.read(chosen).club
    assert club is not None
    # To the letter: the provider's own word for itself is compared with it.
    assert club.issuer == "http://127.0.0.1:9000/realms/club/"
    assert (club.client_secret, club.name) == (None, "Harbour Club")


def test_the_public_address_follows_the_port() -> None:
    assert Settings.read({"CARTAGENA_PORT": "9000"}).url == "http://localhost:9000"


def test_several_nats_servers_may_be_named() -> None:
    settings = Settings.read({"CARTAGENA_NATS": "tls://one:4222, tls://two:4222"})
    assert settings.nats is not None
    assert settings.nats.servers == ("tls://one:4222", "tls://two:4222")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CARTAGENA_DIRECTORY", "localhost:5432"),
        ("CARTAGENA_DIRECTORY", "host=db dbname=cartagena"),
        ("CARTAGENA_POOL", "0"),
        ("CARTAGENA_POOL", "many"),
        ("CARTAGENA_DIRECTORY_POOL", "1001"),
        ("CARTAGENA_PORT", "65536"),
        ("CARTAGENA_PORT", "²"),
        ("CARTAGENA_PORT", "-1"),
        ("CARTAGENA_NATS", "127.0.0.1:4222"),
        ("CARTAGENA_NATS", "nats://10.0.0.7:4222"),
        ("CARTAGENA_NATS", "nats://127.0.0.1:4222,nats://bus.example.org"),
        ("CARTAGENA_NATS_CREDENTIALS", "/etc/bus.creds"),
        ("CARTAGENA_URL", "play.example.org"),
        ("CARTAGENA_URL", "https://play.example.org/cartagena"),
        ("CARTAGENA_URL", "https://play.example.org:port"),
        ("CARTAGENA_URL", "https://anne@play.example.org"),
        ("CARTAGENA_URL", "ftp://play.example.org"),
        ("CARTAGENA_ORIGINS", "https://club.example.org,*"),
        ("CARTAGENA_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("CARTAGENA_TRUSTED_PROXIES", "proxy.example.org"),
        ("CARTAGENA_METRICS_TOKEN", "short"),
        ("CARTAGENA_VAPID_PRIVATE_KEY", "c2hvcnQ"),
        ("CARTAGENA_VAPID_PRIVATE_KEY", "_" * 43),
        ("CARTAGENA_VAPID_PRIVATE_KEY", KEY),  # and no subject
        ("CARTAGENA_VAPID_SUBJECT", "mailto:harbour@example.org"),  # and no key
        ("CARTAGENA_OIDC_ISSUER", "http://id.example.org"),
        ("CARTAGENA_OIDC_ISSUER", "https://id.example.org/?club=1"),
        ("CARTAGENA_OIDC_ISSUER", "https://id.example.org"),  # and no client id
        ("CARTAGENA_OIDC_CLIENT_ID", "cartagena"),  # and no issuer
        ("CARTAGENA_OIDC_CLIENT_SECRET", "geheim"),  # and neither
        ("CARTAGENA_OIDC_NAME", "Harbour Club"),
        ("CARTAGENA_LOG", "JSON"),
        ("CARTAGENA_BOT_WORKERS", "-1"),
        ("CARTAGENA_PRIVATE_NOTICES", "true"),
        ("CARTAGENA_TRACES", "127.0.0.1:4318"),
        ("CARTAGENA_TRACES", "http://me:geheim@collector.example.org"),
        ("CARTAGENA_TRACES", "grpc://collector.example.org:4317"),
        ("CARTAGENA_TRACES_SHARE", "1.5"),
        ("CARTAGENA_TRACES_SHARE", "-0.1"),
        ("CARTAGENA_TRACES_SHARE", "nan"),
    ],
)
def test_a_wrong_setting_is_answered_with_an_example(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.read({name: value})
    group = re.sub(
        r"_(CREDENTIALS|PRIVATE_KEY|SUBJECT|ISSUER|CLIENT_ID|CLIENT_SECRET)$|(?<=OIDC)_NAME$", "", name
    )
    assert caught.value.name.startswith(group)
    assert f"; for example {caught.value.name}=" in str(caught.value)


def test_no_secret_is_told() -> None:
    shown = repr(Settings.read(SECRETS))
    assert "geheim" not in shown
    assert KEY not in shown
    for name in (
        "CARTAGENA_DIRECTORY",
        "CARTAGENA_NATS",
        "CARTAGENA_METRICS_TOKEN",
        "CARTAGENA_VAPID_PRIVATE_KEY",
        "CARTAGENA_OIDC_ISSUER",
        "CARTAGENA_OIDC_CLIENT_SECRET",
    ):
        with pytest.raises(SettingsError) as caught:
            Settings.read({name: "geheim"})
        assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    ("dsn", "shown"),
    [
        ("postgresql:///cartagena", "postgresql:///cartagena"),
        ("postgresql://anne@db:5432/club", "postgresql://anne@db:5432/club"),
        ("postgresql://anne:ge@he/im@db/club", "postgresql://anne@db/club"),
        ("postgresql://db/club?user=anne&password=geheim", "postgresql://db/club"),
        ("postgresql://db/club?password=ge@heim", "postgresql://..."),
        ("postgresql://anne:geheim?x@db/club", "postgresql://..."),
        ("postgresql://anne:geheim@one,two:5433/club", "postgresql://anne@one,two:5433/club"),
    ],
)
def test_an_address_is_shown_without_its_password(dsn: str, shown: str) -> None:
    assert without_secret(dsn) == shown


@pytest.mark.parametrize("name", ["CARTAGENA_NATS_CA", "CARTAGENA_NATS_CREDENTIALS"])
def test_a_file_of_the_bus_that_cannot_be_used_is_named(name: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    nats = Settings.read({"CARTAGENA_NATS": "tls://bus:4222", name: missing}).nats
    assert nats is not None
    with pytest.raises(SettingsError) as caught:
        nats.trusted()
    assert f"{name} is {missing!r}" in str(caught.value)
    assert "that this user can read" in str(caught.value)


def test_an_authority_without_a_certificate_is_named(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("nothing")
    with pytest.raises(SettingsError, match="CARTAGENA_NATS_CA"):
        Nats(url="tls://bus:4222", authority=str(file)).trusted()


@pytest.mark.parametrize(
    ("host", "url", "lacks"),
    [
        ("127.0.0.1", "", False),
        ("localhost", "http://127.0.0.1:8000", False),
        ("0.0.0.0", "", True),  # noqa: S104 - what operators write
        ("::", "http://localhost:8000", True),
        ("192.168.1.7", "", True),
        ("0.0.0.0", "https://play.example.org", False),  # noqa: S104 - the same
    ],
)
def test_who_is_reached_by_others_should_say_at_which_address(host: str, url: str, *, lacks: bool) -> None:
    assert Settings.read({"CARTAGENA_HOST": host, "CARTAGENA_URL": url}).lacks_url is lacks


def test_only_variables_that_mean_nothing_are_unknown() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    known = re.findall(r"^\| `(CARTAGENA_\w+)` \|", page, re.MULTILINE)
    reading = dict.fromkeys(known, " ")
    assert Settings.read(reading | SECRETS | {"CARTAGENA_TOKEN": "ct_1", "OTHER": "1"}).unknown == ()
    strange = {"CARTAGENA_POOLS": "3", "CARTAGENA_X": "1", "CARTAGENA_EMPTY": ""}
    assert Settings.read(strange).unknown == (("CARTAGENA_POOLS", "CARTAGENA_POOL"), ("CARTAGENA_X", None))
