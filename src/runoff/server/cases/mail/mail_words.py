"""Mails as text: what they say, and the message that is handed to a mail server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.errors import UsageError
from runoff.server.cases.runs.run_words import RunWords

if TYPE_CHECKING:
    from email.message import EmailMessage

    from runoff.server.store.access import Link
    from runoff.server.store.boards import StoredBoard
    from runoff.server.store.submissions import StoredRun

SHOWN_LINES: Final = 20
"""Lines of problems in a mail; the page has them all."""


@dataclass(frozen=True, kw_only=True)
class Mail:
    """What a mail says, in plain text."""

    subject: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Sender:
    """Who sends: the setting `mail_from` as it is shown, and the address in it alone."""

    shown: str
    address: str

    @property
    def domain(self) -> str:
        """What is behind the @."""
        return self.address.rpartition("@")[2]


def read_sender(text: str) -> Sender:
    """The sender of an address, with or without a name.

    >>> read_sender("Trees <runoff@example.org>")
    Sender(shown='Trees <runoff@example.org>', address='runoff@example.org')
    """
    from email.message import EmailMessage
    from email.policy import SMTP

    message = EmailMessage(policy=SMTP)
    try:
        message["From"] = text
        found = message["From"].addresses
    except (ValueError, IndexError):
        found = ()
    right = len(found) == 1 and found[0].username and found[0].domain and found[0].addr_spec.isascii()
    if not right or message["From"].defects:
        raise UsageError(f"mail_from={text!r} cannot be used; expected one address such as runoff@example.org")
    return Sender(shown=str(message["From"]), address=found[0].addr_spec)


def run_mail(board: StoredBoard, run: StoredRun, words: RunWords, *, link: str, site: str) -> Mail:
    """The mail about a run that is scored or rejected, in the words of its page.

    link  the address of that page
    site  what the server is called
    """
    done = "scored" if run.state == "scored" else "rejected"
    parts = [words.status]
    if run.state == "rejected" and run.problems:
        parts.append("\n".join(["Problems:", *_problem_lines(run.problems)]))
    if words.sentence:
        parts.append(words.sentence)
    parts.append(link)
    parts.append(f"You get this mail from {one_line(site)} because you submitted this run.")
    subject = one_line(f"{run.name} is {done} on {board.title}")
    return Mail(subject=subject, text="\n\n".join([f"{subject}.", *map(_clean, parts)]) + "\n")


def link_mail(link: Link, *, team: str, address: str, site: str) -> Mail:
    """The mail with a one-time link.

    team     the name of the team to join, for a link into one
    address  the link itself
    site     what the server is called
    """
    called = one_line(site)
    what = {
        "account": (f"An invitation to {called}", f"You are invited to make an account on {called}:"),
        "team": (f"An invitation into a team on {called}", f"You are invited to join the team {one_line(team)}:"),
        "password": (f"A new password for {called}", f"With this link you choose a new password for {called}:"),
    }
    subject, opening = what[link.kind]
    until = f"It can be used once, until {link.expires_at:%Y-%m-%d %H:%M} UTC. If you did not expect it, do nothing."
    return Mail(subject=subject, text=f"{opening}\n\n{address}\n\n{until}\n")


def message_of(mail: Mail, *, sender: Sender, to: str, number: str, now: datetime) -> EmailMessage | None:
    """The message of a mail to one address; None if no mail can be sent to what is said to be one.

    number  becomes part of its Message-ID: a mail that is sent twice can be known by it
    """
    from email.errors import MessageError
    from email.headerregistry import Address
    from email.message import EmailMessage
    from email.policy import SMTP
    from email.utils import format_datetime

    message = EmailMessage(policy=SMTP)
    try:
        message["To"] = Address(addr_spec=to)
    except (MessageError, ValueError, IndexError):
        return None
    message["From"] = sender.shown
    message["Subject"] = one_line(mail.subject)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<runoff.{number}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    # Lines of any length and any letters, over servers that take neither.
    message.set_content(mail.text, cte="quoted-printable")
    return message


def one_line(text: str) -> str:
    r"""A text as one line that can be printed, whatever it held.

    >>> one_line("oak\r\nBcc: eve@example.org\x00")
    'oak Bcc: eve@example.org'
    """
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _clean(text: str) -> str:
    return "\n".join("".join(sign if sign.isprintable() else " " for sign in line) for line in text.splitlines())


def _problem_lines(problems: Sequence[str]) -> list[str]:
    lines = [line for problem in problems for line in str(problem).splitlines()]
    more = len(lines) - SHOWN_LINES
    return [f"  {line}" for line in lines[:SHOWN_LINES]] + ([f"  and {more:,} more on its page"] if more > 0 else [])
