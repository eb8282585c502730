"""A mail server: its address, the password that nobody sees, and what its answers mean."""

from __future__ import annotations

import socket
import ssl
import subprocess
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from runoff.errors import UsageError
from runoff.server.cases.mail import mail_server as module
from runoff.server.cases.mail.mail_server import MailServer, SendingResult, read_mail_server, send_message
from runoff.server.cases.mail.send_mail import Mail, message_of, read_sender
from tests.programs import required
from tests.server.cases.mailbox import mail_server

MESSAGE = message_of(
    Mail(subject="ä" * 90, text="a\n.\n.b ü\n" + "x" * 2000 + "\n"),
    sender=read_sender("Trees <runoff@example.org>"),
    to="ann@example.org",
    number="1",
    now=datetime(2026, 1, 1, tzinfo=UTC),
)


def sent(address, to="ann@example.org"):
    assert MESSAGE is not None
    server = address if isinstance(address, MailServer) else read_mail_server(address)
    return send_message(server, MESSAGE, sender="runoff@example.org", to=to)


@pytest.mark.parametrize(
    "address, expected",
    [
        ("smtp://mail.example.org", MailServer(host="mail.example.org", port=587)),
        ("smtps://mail.example.org/", MailServer(host="mail.example.org", port=465, tls=True)),
        ("smtp://a%40b:c%2F@[::1]:25", MailServer(host="::1", port=25, user="a@b", password="c/")),
    ],
)
def test_addresses(address, expected):
    assert read_mail_server(address) == expected


@pytest.mark.parametrize(
    "address",
    [
        "smtp://ann:s3cr/t#word@mail.example.org",
        "smtp://ann:s3cr@mail.example.org:s3cr",
        "http://ann:s3cr@mail.example.org",
        "smtp://ann@mail.example.org/s3cr",
        "smtp://ann@mail.example.org",
        "smtp://[s3cr",
        "s3cr",
    ],
)
def test_a_bad_address_is_never_repeated(address):
    with pytest.raises(UsageError, match="the setting mail cannot be used") as caught:
        read_mail_server(address)
    assert "s3cr" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_the_password_is_not_in_the_words_of_a_server():
    assert "s3cr" not in repr(read_mail_server("smtp://ann:s3cr@mail.example.org"))


def test_a_message_arrives_as_it_was_written():
    with mail_server() as box:
        assert sent(box.address) == SendingResult(outcome="sent")
    ((to, message),) = box.messages
    assert to == "ann@example.org"
    assert message["Subject"] == "ä" * 90
    assert message.get_content() == "a\n.\n.b ü\n" + "x" * 2000 + "\n"
    assert box.raw[0].isascii()
    assert max(map(len, box.raw[0].splitlines())) < 100
    assert [line.split()[0].upper() for line in box.said] == ["EHLO", "MAIL", "RCPT", "DATA", "QUIT"]
    assert "<runoff@example.org>" in box.said[1]


@pytest.mark.parametrize(
    "command, answer, outcome, said",
    [
        ("RCPT", "550 ann is gone", "refused", "the mail server answered 550 to the recipient"),
        ("RCPT", "450 ann is busy", "later", "the mail server answered 450 to the recipient"),
        ("RCPT", "421 ann is away", "later", "the mail server answered 421 to the recipient"),
        (".", "554 ann", "refused", "the mail server answered 554 to the message"),
        (".", "451 ann", "later", "the mail server answered 451 to the message"),
        ("MAIL", "553 ann", "later", "the mail server answered 553 to the sender"),
        ("AUTH", "535 ann", "later", "the mail server answered 535 to user and password"),
        ("CONNECT", "554 ann", "later", "the mail server answered 554 to the greeting"),
        ("QUIT", "500 ann", "sent", ""),
    ],
)
def test_what_answers_mean(command, answer, outcome, said):
    with mail_server(answers={command: answer}) as box:
        assert sent(box.address.replace("//", "//ann:s3cr@")) == SendingResult(outcome=outcome, said=said)
    assert len(box.messages) == (outcome == "sent")


def test_a_server_that_is_away():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        found = sent(f"smtp://127.0.0.1:{taken.getsockname()[1]}")
    assert found == SendingResult(outcome="later", said="the mail server could not be used: ConnectionRefusedError")


def test_a_server_that_says_nothing_is_left(monkeypatch):
    monkeypatch.setattr(module, "SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        found = sent(f"smtp://127.0.0.1:{silent.getsockname()[1]}")
    assert found.outcome == "later"
    assert "SMTPServerDisconnected" in found.said


def test_a_password_is_sent_in_the_open_on_this_machine_alone(monkeypatch):
    with mail_server() as box:
        here = read_mail_server(box.address.replace("//", "//ann:s%40crt@"))
        assert sent(here).outcome == "sent"
        assert box.passwords == [":ann:s@crt"]
        box.said.clear()
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("127.0.0.1", here.port))])
        found = sent(replace(here, host="mail.example.org"))
        assert found.outcome == "later"
        assert "no STARTTLS" in found.said
        assert box.passwords == []


def test_letters_of_addresses_that_a_server_does_not_take():
    with mail_server() as box:
        assert sent(box.address, to="ärne@example.org").outcome == "sent"
        box.offers = ("8BITMIME",)
        assert sent(box.address, to="ärne@example.org").outcome == "refused"


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """A server's context with a certificate that it made itself."""
    tool = required("openssl")
    folder = tmp_path_factory.mktemp("certificate")
    made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -keyout k -out c"
    subprocess.run([tool, *made.split()], cwd=folder, check=True, capture_output=True)  # a fixed command
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "c", folder / "k")
    return context


@pytest.mark.program
def test_starttls_is_used_where_it_is_offered(certified):
    with mail_server(tls=certified) as box:
        assert sent(box.address.replace("//", "//ann:s3cr@")).outcome == "sent"
    order = [line.split()[0].upper() for line in box.said]
    assert order[:4] == ["EHLO", "STARTTLS", "EHLO", "AUTH"], "the password goes behind the encryption"


@pytest.mark.program
def test_certificates_of_other_machines_are_checked(certified, monkeypatch):
    with mail_server(tls=certified) as box:
        here = read_mail_server(box.address.replace("//", "//ann:s3cr@"))
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("127.0.0.1", here.port))])
        found = sent(replace(here, host="mail.example.org"))
    assert found == SendingResult(outcome="later", said="the mail server could not be used: SSLCertVerificationError")
    assert box.passwords == []
