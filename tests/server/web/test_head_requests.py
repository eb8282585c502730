"""HEAD is GET without the body, on pages, files and the API."""

from __future__ import annotations

import socket
import urllib.request

import pytest

from tests.server.cases.served import Served
from tests.server.web.real import RealServer

ADDRESSES = (
    "/",
    "/boards/trees",
    "/method",
    "/healthz",
    "/readyz",
    "/api/v1/boards",
    "/api/v1/boards/trees",
    "/sign-in",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_head_has_the_headers_of_get_and_no_body(serving, address):
    whole, head = serving.client.get(address), serving.client.head(address)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length", "content-security-policy", "etag"):
        assert head.headers.get(name) == whole.headers.get(name)


def test_what_get_refuses_head_refuses(serving):
    assert serving.client.head("/boards/none").status_code == 404
    assert serving.client.head("/boards/none").content == b""
    for address in ("/boards/trees/organise", "/api/v1/boards/trees/quota", "/api/v1/boards/trees/runs", "/sign-out"):
        assert serving.client.head(address).status_code == serving.client.get(address).status_code


@pytest.mark.program
def test_head_of_a_real_server_keeps_the_connection_usable(database, database_url, tmp_path):
    served = Served.made_in(database, tmp_path, runs=1)
    with RealServer(database_url, served.files.folder, workers=0) as server:
        host, port = "127.0.0.1", server.port
        with socket.create_connection((host, port), timeout=10) as connection:
            for _ in range(3):
                connection.sendall(b"HEAD /boards/trees HTTP/1.1\r\nHost: x\r\n\r\n")
                answer = b""
                while b"\r\n\r\n" not in answer:
                    answer += connection.recv(65536)
                head, _, body = answer.partition(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 200")
                assert b"content-length" in head.lower()
                assert body == b""
        with urllib.request.urlopen(server.base, timeout=10) as whole:  # noqa: S310
            assert whole.read()
