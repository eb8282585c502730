"""The examples of reverse proxies in deploy/, as nginx and Caddy run them."""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.server.web.raw_clients import SETTINGS, connected, serving
from tests.server.web.real import wait_until

DEPLOY = Path(__file__).resolve().parent.parent.parent / "deploy"
pytestmark = pytest.mark.program


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of localhost and its key."""
    files = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-out", str(files[0]), "-keyout", str(files[1])),
        ],
        check=True,
        capture_output=True,
    )
    return files


def changed(text: str, changes: dict[str, str]) -> str:
    """An example with what everybody has to change, changed; what is changed has to be in it."""
    for before, after in changes.items():
        text, count = re.subn(before, after, text)
        assert count, before
    return text


def nginx_command(folder: Path, port: int, server: int) -> list[str]:
    """The example for nginx, at ports that are free, and with less patience for headers."""
    public, key = certificate(folder)
    changes = {
        r"listen 80;": f"listen 127.0.0.1:{free_port()};",
        r"listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        r" +listen \[::\].*\n": "",
        r"/etc/ssl/runoff/certificate.pem": str(public),
        r"/etc/ssl/runoff/key.pem": str(key),
        r"/var/log/nginx/runoff.log": str(folder / "runoff.log"),
        r"http://127.0.0.1:8000": f"http://127.0.0.1:{server}",
        r"client_max_body_size 502000000": "client_max_body_size 2000000",
        r"client_header_timeout 10s": "client_header_timeout 1s",
    }
    (folder / "runoff.conf").write_text(changed((DEPLOY / "nginx.conf").read_text(encoding="utf-8"), changes))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    main = f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{main}http {{\n{folders}include {folder}/runoff.conf;\n}}\n")
    return ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy_command(folder: Path, port: int, server: int) -> list[str]:
    """The example for Caddy, at a port that is free, and with less patience for headers."""
    public, key = certificate(folder)
    changes = {
        r"\n\{\n": "\n{\n\tadmin off\n\tauto_https disable_redirects\n",
        r"\nexample\.org \{\n": f"\nhttps://localhost:{port} {{\n\ttls {public} {key}\n",
        r"reverse_proxy 127.0.0.1:8000": f"reverse_proxy 127.0.0.1:{server}",
        r"max_size 502MB": "max_size 2MB",
        r"read_header 10s": "read_header 1s",
    }
    (folder / "Caddyfile").write_text(changed((DEPLOY / "Caddyfile").read_text(encoding="utf-8"), changes))
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


PROXIES = {"nginx": nginx_command, "caddy": caddy_command}
REFUSED = {"nginx": 413, "caddy": 502}
"""Their answers to a request that is too large; that of runoff is 413, and comes first."""


@contextmanager
def proxied(command: Callable[[Path, int, int], list[str]], folder: Path) -> Iterator[int]:
    """The port of a proxy before a server."""
    port = free_port()
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    with serving(SETTINGS) as server, (folder / "log").open("wb") as log:
        process = subprocess.Popen(command(folder, port, server), stdout=log, stderr=log, env=environment)
        try:
            wait_until(lambda: process.poll() is not None or is_open(port))
            assert process.poll() is None, (folder / "log").read_text()
            yield port
        finally:
            process.terminate()
            process.wait(20)


def is_open(port: int) -> bool:
    with suppress(OSError), connected(port):
        return True
    return False


def ask(port: int, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int, str]:
    """Status and text of an answer."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=20)
    try:
        connection.putrequest(method, path)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize("name", PROXIES)
def test_the_example_of_a_proxy(name, tmp_path):
    with proxied(PROXIES[name], tmp_path) as port:
        forged = {"X-Forwarded-For": "203.0.113.1", "X-Forwarded-Proto": "http", "Forwarded": "for=203.0.113.1"}
        assert ask(port, "GET", "/", headers=forged) == (200, "0 127.0.0.1 https")
        assert ask(port, "POST", "/", b"x" * 100_000) == (200, "100000 127.0.0.1 https")

        for path in ("/metrics", "/metrics?a=b", "/metrics/", "//metrics", "/./metrics", "/a/../metrics", "/%6Detrics"):
            assert ask(port, "GET", path)[0] in {400, 404}, path
        assert ask(port, "HEAD", "/metrics")[0] == 404

        # nginx goes by the header, Caddy 2.6 by what arrives; either may close the connection before all is sent.
        with suppress(ConnectionError, ssl.SSLError):
            assert ask(port, "POST", "/", b"x" * 3_000_000)[0] == REFUSED[name]

        with connected(port) as idle:
            begin = time.monotonic()
            assert idle.recv(1000) == b""
            assert time.monotonic() - begin < 8
