"""A small app behind the protocol of the server, and clients by raw sockets, which send what no library would."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn

from runoff.server.site import SiteSettings
from runoff.server.web.server import uvicorn_options
from tests.server.web.real import wait_until

SETTINGS = SiteSettings(connections=20, header_seconds=1, body_seconds=1, trusted_proxies="127.0.0.1")
OTHER = "127.0.0.9"
"""An address of this machine that is not a trusted proxy."""
LARGE = 30_000_000
"""Bytes of an answer that no buffer of the system holds."""


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Says how long the body is, and from where and how it was sent."""
    if scope["type"] != "http":
        return
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message["more_body"]
    answer = b"x" * LARGE if scope["path"] == "/large" else f"{size} {scope['client'][0]} {scope['scheme']}".encode()
    headers = [(b"connection", b"close"), (b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


@contextmanager
def serving(settings: SiteSettings = SETTINGS) -> Iterator[int]:
    """The port of a server within the limits of these settings."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, lifespan="off", **uvicorn_options(settings)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        wait_until(lambda: server.started)
        try:
            yield int(listening.getsockname()[1])
        finally:
            server.should_exit = server.force_exit = True
            thread.join(10)


@contextmanager
def connected(port: int, data: bytes = b"", source: str = "127.0.0.1") -> Iterator[socket.socket]:
    """A connection from an address on which some bytes were sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0)) as client:
        client.sendall(data)
        yield client


def answer(client: socket.socket) -> str:
    """All that a server sends until it closes the connection."""
    parts = []
    with suppress(ConnectionResetError):
        while part := client.recv(1 << 16):
            parts.append(part)
    return b"".join(parts).decode()


def get(port: int, headers: str = "", source: str = "127.0.0.1") -> str:
    """The answer to a complete request."""
    with connected(port, f"GET / HTTP/1.1\r\nHost: a\r\n{headers}\r\n".encode(), source) as client:
        return answer(client)
