"""A server that answers as a test wishes, on this machine alone, and is gone at the end."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread


@dataclass(frozen=True)
class Reply:
    """What is answered: with status 0 nothing at all; `early` before the body was read."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    early: bool = False


@dataclass
class Answering:
    """Where the server is, and the headers of all requests that it has seen."""

    address: str
    seen: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def answering(*replies: Reply) -> Iterator[Answering]:
    """Answer one request after the other; the last reply is repeated."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        found = Answering(f"http://127.0.0.1:{listener.getsockname()[1]}")
        thread = Thread(target=_serve, args=(listener, found, replies), daemon=True)
        thread.start()
        yield found
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def _serve(listener: socket.socket, found: Answering, replies: tuple[Reply, ...]) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection, suppress(OSError):
            connection.settimeout(10)
            _answer(connection, found, replies)


def _answer(connection: socket.socket, found: Answering, replies: tuple[Reply, ...]) -> None:
    head = b""
    while b"\r\n\r\n" not in head:
        block = connection.recv(1000)
        if not block or (not head and not block[:1].isalpha()):
            return  # nobody, or the beginning of TLS
        head += block
    text, _, body = head.partition(b"\r\n\r\n")
    headers = dict(line.lower().split(": ", 1) for line in text.decode().split("\r\n")[1:])
    reply = replies[min(len(found.seen), len(replies) - 1)]
    found.seen.append(headers)
    left = 0 if reply.early else int(headers.get("content-length", 0)) - len(body)
    while left > 0:
        left -= len(connection.recv(1 << 16))
    if not reply.status:
        return
    lines = [f"HTTP/1.1 {reply.status} X", "Connection: close", f"Content-Length: {len(reply.body)}"]
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    connection.sendall("\r\n".join([*lines, "", ""]).encode() + reply.body)
    connection.shutdown(socket.SHUT_WR)
    with suppress(OSError):
        while connection.recv(1 << 16):
            pass
