"""The configuration of deploy/nginx with other ports and certificates, so that it can be tried anywhere."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

NGINX: Final = Path(__file__).parents[1] / "deploy" / "nginx"

PATHS: Final = ("listen 80", "listen 443", "127.0.0.1:8001", "127.0.0.1:8002")
"""What a trial may replace with its own ports."""

# nginx wants to write, and as root it would become a user who cannot write here.
WRAPPER: Final = """{user}
pid {folder}/pid;
error_log {folder}/error.log;
daemon off;
worker_rlimit_nofile 65536;
events {{ worker_connections 32768; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/cartagena.conf;
}}
"""

CERTIFICATE: Final = (
    *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
    *("-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
)


def write_nginx(folder: Path, places: Mapping[str, str]) -> Path:
    """Write it into a folder with a certificate valid for a day; return the file to start nginx with."""
    write_settings(folder, places)
    files = ("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem"))
    subprocess.run([*CERTIFICATE, *files], check=True, capture_output=True)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(WRAPPER.format(folder=folder, user=user), encoding="utf-8")
    return folder / "nginx.conf"


def write_settings(folder: Path, places: Mapping[str, str]) -> None:
    """Write the shipped settings alone, with other places."""
    text = (NGINX / "cartagena.conf").read_text(encoding="utf-8")
    for name, place in places.items():
        assert name in text, f"{name} is no longer in cartagena.conf"
        text = text.replace(name, place)
    text = text.replace("/etc/letsencrypt/live/play.example.org", str(folder))
    text = text.replace("/var/log/nginx", str(folder)).replace("/etc/nginx", str(NGINX))
    # A trial has no second address.
    text = "".join(line for line in text.splitlines(keepends=True) if "listen [::]" not in line)
    (folder / "cartagena.conf").write_text(text, encoding="utf-8")
