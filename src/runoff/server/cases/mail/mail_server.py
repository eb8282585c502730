"""A mail server: its address, and sending one message, with a plain answer instead of an error."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import unquote, urlsplit

from runoff.errors import UsageError

if TYPE_CHECKING:
    import smtplib
    import ssl
    from email.message import EmailMessage

SECONDS: Final = 20.0
"""How long the server may take for each answer."""
PORTS: Final = {"smtp": 587, "smtps": 465}
_HERE: Final = ("localhost", "127.0.0.1", "::1")
_LASTING: Final = 500


@dataclass(frozen=True, kw_only=True)
class MailServer:
    """Where mail is handed in.

    tls  from the start (smtps); otherwise STARTTLS is used where the server offers it
    """

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False


@dataclass(frozen=True, kw_only=True)
class SendingResult:
    """What became of a message.

    outcome  sent; later: it may succeed another time; refused: it never will
    said     why, without any words of the server: they could name people
    """

    outcome: Literal["sent", "later", "refused"]
    said: str = ""


def read_mail_server(address: str) -> MailServer:
    """The mail server of an address; an error never repeats it, for it may hold a password.

    >>> read_mail_server("smtp://ann:s%40crt@mail.example.org")
    MailServer(host='mail.example.org', port=587, user='ann', tls=False)
    """
    fault = UsageError(
        "the setting mail cannot be used; expected an address such as smtp://user:password@mail.example.org:587 or "
        "smtps://...; write signs such as / ? # @ % of a password as %2F %3F %23 %40 %25"
    )
    try:
        found = urlsplit(address)
        port = found.port
    except ValueError:
        raise fault from None
    whole = not (found.path.strip("/") or found.query or found.fragment)
    if found.scheme not in PORTS or not found.hostname or not whole or bool(found.username) != bool(found.password):
        raise fault
    return MailServer(
        host=found.hostname,
        port=port or PORTS[found.scheme],
        user=unquote(found.username or ""),
        password=unquote(found.password or ""),
        tls=found.scheme == "smtps",
    )


def send_message(server: MailServer, message: EmailMessage, *, sender: str, to: str) -> SendingResult:
    """Hand in a message for one address.

    An answer of 5xx to the recipient or to the message is for good. All other faults may be fixed: the server is
    away, it asks for patience (4xx), or the settings are wrong.
    """
    import smtplib

    smtp: smtplib.SMTP | None = None
    try:
        smtp = _connected(server)
        fault = _fault(server, smtp, to)
        if fault is None:
            if server.user:
                smtp.login(server.user, server.password)
            smtp.send_message(message, sender, [to])
    except (smtplib.SMTPException, OSError, ValueError) as error:
        fault = _failure(error)
    finally:
        if smtp is not None:
            _leave(smtp)
    return fault or SendingResult(outcome="sent")


def _failure(error: Exception) -> SendingResult:
    """What an error of smtplib means, by kinds and numbers alone: words of the other side could name people."""
    import smtplib

    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return _answered(next(iter(error.recipients.values()))[0], "the recipient", lasting=True)
    if isinstance(error, smtplib.SMTPResponseException):
        steps = {"SMTPDataError": "the message", "SMTPSenderRefused": "the sender"}
        steps["SMTPAuthenticationError"] = "user and password"
        step = steps.get(type(error).__name__, "the greeting")
        return _answered(error.smtp_code, step, lasting=step == "the message")
    return _later(f"the mail server could not be used: {type(error).__name__}")


def _fault(server: MailServer, smtp: smtplib.SMTP, to: str) -> SendingResult | None:
    """Why this server cannot be used for a mail."""
    import ssl

    # Encrypted only, on a network: whoever stands between could hide that STARTTLS is offered.
    if server.user and server.host not in _HERE and not isinstance(smtp.sock, ssl.SSLSocket):
        return _later("the mail server offers no STARTTLS, so the password was not sent; use smtps://")
    if not (to.isascii() or smtp.has_extn("smtputf8")):
        return SendingResult(outcome="refused", said="the mail server does not accept an address with these characters")
    return None


def _connected(server: MailServer) -> smtplib.SMTP:
    import smtplib

    if server.tls:
        smtp: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=SECONDS, context=_trust(server))
    else:
        smtp = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
    try:
        smtp.ehlo_or_helo_if_needed()
        if not server.tls and smtp.has_extn("starttls"):
            smtp.starttls(context=_trust(server))
            smtp.ehlo_or_helo_if_needed()
    except BaseException:
        smtp.close()
        raise
    return smtp


def _trust(server: MailServer) -> ssl.SSLContext:
    """Certificates are checked, except on this machine: there a mail server has mostly one that it made itself."""
    import ssl

    context = ssl.create_default_context()
    if server.host in _HERE:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _leave(smtp: smtplib.SMTP) -> None:
    # What was taken is taken, however the server says goodbye.
    with suppress(Exception):
        smtp.quit()
    smtp.close()


def _answered(code: int, what: str, *, lasting: bool = False) -> SendingResult:
    said = f"the mail server answered {code} to {what}"
    return SendingResult(outcome="refused", said=said) if lasting and code >= _LASTING else _later(said)


def _later(said: str) -> SendingResult:
    return SendingResult(outcome="later", said=said)
