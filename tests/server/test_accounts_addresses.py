"""Where notices may be sent: never into our own network, unless it is allowed."""

from ipaddress import ip_address

import httpx
import pytest

from cartagena.server.accounts.notices.safe_http import is_public, may_reach, resolve, url_of
from cartagena.tables.errors import Problem, ServiceError

PUBLIC = ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::808:808"]
NOT_PUBLIC = [
    "0.0.0.0",  # noqa: S104 - nobody listens there
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fc00::1",
    "fe80::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2002:a00:1::",
    "::7f00:1",
    "::a00:1",
    "fec0::1",
    "64:ff9b:1::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_the_internet_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_networks_of_ones_own_are_not_however_they_are_wrapped(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "https://push.example.org/x?y=z",
        "https://push.example.org:8443/",
        "https://8.8.8.8/",
        "https://[2606:4700:4700::1111]/",
    ],
)
def test_an_address_on_the_internet_is_kept(url: str) -> None:
    assert url_of(url, private=False) == httpx.URL(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "push.example.org",
        "http://push.example.org/",
        "ftp://push.example.org/",
        "file:///etc/passwd",
        "https://",
        "https:///x",
        "https://user:word@push.example.org/",
        "https://push.example.org/#place",
        "https://push.example.org/ x",
        "https://push.example.org/\n",
        "https://pu\u0301sh.example.org/",
        "https://push.example.org:99999/",
        "https://push.example.org:0/",
        "https://" + "x" * 2_000 + ".example.org/",
        "https://[::1/",
        *(f"https://{address}/" for address in NOT_PUBLIC if ":" not in address),
        *(f"https://[{address}]/" for address in NOT_PUBLIC if ":" in address),
    ],
)
def test_any_other_address_is_refused(url: str) -> None:
    with pytest.raises(ServiceError) as refused:
        url_of(url, private=False)
    assert refused.value.problem is Problem.UNFIT


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8000/x", "https://10.0.0.1/", "http://[::1]/", "http://boat/"]
)
def test_the_own_network_is_open_where_it_is_allowed(url: str) -> None:
    assert url_of(url, private=True) == httpx.URL(url)


def test_plain_http_stays_in_the_own_network() -> None:
    with pytest.raises(ServiceError):
        url_of("http://8.8.8.8/", private=True)
    url = httpx.URL("http://push.example.org/")
    assert not may_reach(url, [ip_address("8.8.8.8")], private=True)
    assert may_reach(url, [ip_address("10.0.0.1")], private=True)


@pytest.mark.parametrize("private", [True, False])
def test_a_host_of_which_one_address_is_inside_is_refused(private: bool) -> None:  # noqa: FBT001 - a parameter of the test
    url = httpx.URL("https://push.example.org/")
    mixed = [ip_address("8.8.8.8"), ip_address("10.0.0.1")]
    assert may_reach(url, mixed, private=private) is private
    assert not may_reach(url, [], private=private)
    assert may_reach(url, mixed[:1], private=private)


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f000001"])
async def test_a_host_is_judged_by_what_it_means_and_not_by_how_it_is_written(host: str) -> None:
    addresses = await resolve(host, 443)
    assert not may_reach(httpx.URL(f"https://{host}/"), addresses, private=False)
