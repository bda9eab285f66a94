"""nginx before the web nodes, with the settings that are shipped: only names, ports and files are ours."""

import os
import signal
import subprocess
from pathlib import Path
from typing import Final

from tools.deploy_nginx import write_nginx, write_settings
from tools.own_servers import free_port, program

HOST: Final = "localhost"
NODES: Final = "    server 127.0.0.1:8001 fail_timeout=2s;\n    server 127.0.0.1:8002 fail_timeout=2s;\n"
"""The web nodes in the shipped settings."""


class Proxy:
    """One nginx in a folder, on a free port, with a certificate that it signs itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.pid = 0
        self._plain_port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """What people would type."""
        return f"https://{HOST}:{self.port}"

    @property
    def certificate(self) -> Path:
        """What a client must trust."""
        return self.folder / "fullchain.pem"

    def start(self, nodes: list[int]) -> None:
        """Sign a certificate and open, before nodes on these ports."""
        self.folder.mkdir(parents=True)
        settings = write_nginx(self.folder, self._places(nodes))
        self._process = subprocess.Popen(
            [program("nginx"), "-c", str(settings), "-p", str(self.folder)], start_new_session=True
        )
        self.pid = self._process.pid

    def change(self, nodes: list[int]) -> None:
        """Serve other nodes; what is open stays open."""
        write_settings(self.folder, self._places(nodes))
        os.kill(self.pid, signal.SIGHUP)

    def _places(self, nodes: list[int]) -> dict[str, str]:
        return {
            NODES: "".join(f"    server 127.0.0.1:{port} fail_timeout=2s;\n" for port in nodes),
            "listen 80": f"listen 127.0.0.1:{self._plain_port}",
            "listen 443": f"listen 127.0.0.1:{self.port}",
            "server_name play.example.org": f"server_name {HOST}",
        }

    def stop(self) -> None:
        """Close."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(10)
