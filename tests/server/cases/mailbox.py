"""A mail server on this machine that keeps what it is sent, and refuses what it is told to."""

from __future__ import annotations

import base64
import email
import socketserver
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from threading import Thread
from typing import Any

MOST_LINES = 2000
SECONDS = 5.0


@dataclass
class Mailbox:
    """What came in.

    answers   the answer to a command by its name, in place of the usual one, such as {"RCPT": "550 no"}; "." is the
              answer to a whole message
    said      every line that clients said, but messages
    messages  who it is for, and the message
    """

    address: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    offers: tuple[str, ...] = ("SMTPUTF8", "8BITMIME", "AUTH PLAIN")
    tls: ssl.SSLContext | None = None
    said: list[str] = field(default_factory=list)
    messages: list[tuple[str, EmailMessage]] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """What the messages say: subject and text."""
        return [f"{message['Subject']}\n{message.get_content()}" for _, message in self.messages]

    @property
    def passwords(self) -> list[str]:
        """What clients signed in with."""
        sent = [line.split()[2] for line in self.said if line.upper().startswith("AUTH PLAIN")]
        return [base64.b64decode(one).decode().replace("\0", ":") for one in sent]


class _Talk(socketserver.StreamRequestHandler):
    timeout = SECONDS

    def handle(self) -> None:
        self.box: Mailbox = self.server.box  # type: ignore[attr-defined]
        self.to = ""
        # A client that goes away in the middle is no fault of the server.
        with suppress(OSError):
            self.talk()
        for one in (self.wfile, self.rfile, self.connection):
            one.close()

    def talk(self) -> None:
        self.say(self.box.answers.get("CONNECT", "220 here"))
        for _ in range(MOST_LINES):
            line = self.rfile.readline(10_000).decode()
            if not line:
                return
            self.box.said.append(line.rstrip("\r\n"))
            name = line.split(maxsplit=1)[0].upper()
            if name in self.box.answers:
                self.say(self.box.answers[name])
            elif not self.usual(name, line):
                return

    def usual(self, name: str, line: str) -> bool:
        if name == "EHLO":
            offers = ["here", *self.box.offers, *(["STARTTLS"] if self.box.tls is not None else [])]
            for one in offers[:-1]:
                self.say(f"250-{one}")
            self.say(f"250 {offers[-1]}")
        elif name == "STARTTLS" and self.box.tls is not None:
            self.say("220 go on")
            self.connection = self.box.tls.wrap_socket(self.connection, server_side=True)
            self.rfile.close()
            self.rfile = self.connection.makefile("rb")
            self.wfile = self.connection.makefile("wb", buffering=0)
        elif name == "DATA":
            self.say("354 go on")
            self.message()
        else:
            if name == "RCPT":
                self.to = line.partition("<")[2].partition(">")[0]
            self.say({"QUIT": "221 bye", "AUTH": "235 in"}.get(name, "250 good"))
        return name != "QUIT"

    def message(self) -> None:
        lines = []
        for _ in range(MOST_LINES):
            line = self.rfile.readline(10_000)
            if line in (b".\r\n", b""):
                break
            lines.append(line.removeprefix(b"."))
        answer = self.box.answers.get(".", "250 taken")
        if answer.startswith("250"):
            raw = b"".join(lines)
            self.box.raw.append(raw)
            found: Any = email.message_from_bytes(raw.replace(b"\r\n", b"\n"), policy=default)
            self.box.messages.append((self.to, found))
        self.say(answer)

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = False  # the end waits for the talks, each of which is bounded
    allow_reuse_address = True


@contextmanager
def mail_server(*, answers: Mapping[str, str] | None = None, tls: ssl.SSLContext | None = None) -> Iterator[Mailbox]:
    """A mail server at a free port, until the end of the block."""
    box = Mailbox(answers=dict(answers or {}), tls=tls)
    with _Server(("127.0.0.1", 0), _Talk) as server:
        server.box = box  # type: ignore[attr-defined]
        box.address = f"smtp://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield box
        finally:
            server.shutdown()
            thread.join()
