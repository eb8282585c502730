"""Mail about runs: its text, and the job that sends it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from runoff.errors import NotFoundError, UsageError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.accounts.sign_in import draw_token
from runoff.server.cases.mail.mail_server import MailServer, SendingResult, send_message
from runoff.server.cases.runs.entries import RunWords, load_run_words
from runoff.server.cases.views.stored_board import open_sets
from runoff.server.store.access import save_link_mailed
from runoff.server.store.boards import StoredBoard, load_board
from runoff.server.store.database import Database
from runoff.server.store.jobs import Job, fail_job, finish_job, release_job
from runoff.server.store.people import load_person, load_team, load_teams
from runoff.server.store.submissions import StoredRun, load_run

if TYPE_CHECKING:
    from email.message import EmailMessage

    from sqlalchemy import Connection

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
        "account": (f"An invitation to {called}", f"You are invited to create an account on {called}:"),
        "team": (f"An invitation to a team on {called}", f"You are invited to join the team {one_line(team)}:"),
        "password": (f"A new password for {called}", f"Use this link to choose a new password for {called}:"),
    }
    subject, opening = what[link.kind]
    until = (
        f"It can be used once, until {link.expires_at:%Y-%m-%d %H:%M} UTC. If you did not expect this mail, ignore it."
    )
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


WAIT: Final = timedelta(seconds=30)
LONGEST_WAIT: Final = timedelta(hours=1)
"""How long a mail waits for a verdict that earlier runs hold up; after that it says what is known."""


@dataclass(frozen=True, kw_only=True)
class Mailing:
    """How a site sends mail: over which server, from whom, and what its links and its name are."""

    server: MailServer
    sender: Sender
    base_url: str
    title: str


@dataclass(frozen=True, kw_only=True)
class _Letter:
    """A mail and whom it is for; `early` while a verdict is still to come, and soon."""

    to: str
    mail: Mail
    early: bool = False


def do_mail_job(database: Database, job: Job, *, mailing: Mailing, now: Callable[[], datetime]) -> str:
    """Send the mail of a job, and say what became of it: sent, later, refused, or nothing to send.

    The job ends after the mail server took the mail, so a worker that is killed in between sends it twice; its
    Message-ID is then the same.
    """
    if "link_id" in job.payload:
        found = database.write(lambda connection: _with_link(connection, job, mailing, now()))
    else:
        with database.read() as connection:
            found = _about_run(connection, job, mailing, now())
    if found is None:
        database.write(lambda connection: finish_job(connection, job, result={"state": "nothing to send"}, now=now()))
        return "nothing to send"
    if found.early:
        database.write(lambda connection: release_job(connection, job, now=now() + WAIT))
        return "waits for the verdict"
    sending = _sent(found, mailing, _number(job, mailing), now())
    database.write(lambda connection: _end(connection, job, sending, now()))
    return f"{sending.outcome}: {sending.said}" if sending.said else sending.outcome


def _end(connection: Connection, job: Job, sending: SendingResult, now: datetime) -> None:
    if sending.outcome == "sent":
        finish_job(connection, job, result={"state": "sent"}, now=now)
    else:
        fail_job(connection, job, sending.said, now=now, retry=sending.outcome == "later")


def _about_run(connection: Connection, job: Job, mailing: Mailing, now: datetime) -> _Letter | None:
    """The mail about a run as its team sees it now; None if it has become another or its reader has left."""
    run = load_run(connection, int(job.payload["run_id"]))
    person = load_person(connection, run.submitted_by)
    teams = {team.id for team in load_teams(connection, person_id=person.id)}
    if run.state != job.payload["state"] or person.disabled_at is not None or run.team_id not in teams:
        return None
    board = load_board(connection, run.board_id)
    # As a member of the team, whatever else the person may be: organisers see more.
    viewer = Actor(id=person.id, role="member", teams=frozenset({run.team_id}))
    words = load_run_words(connection, board, run, viewer=viewer, now=now)
    link = f"{mailing.base_url}/boards/{board.slug}/runs/{run.id}"
    mail = run_mail(board, run, words, link=link, site=mailing.title)
    return _Letter(to=person.email, mail=mail, early=_is_early(connection, board, run, words, now))


def _with_link(connection: Connection, job: Job, mailing: Mailing, now: datetime) -> _Letter | None:
    """The mail with a one-time link; None if the link was used, withdrawn, or is too old.

    Its token is drawn here, again for each attempt: none is kept anywhere but as a hash.
    """
    token = draw_token()
    link = save_link_mailed(connection, int(job.payload["link_id"]), token, now)
    if link is None:
        return None
    team = "" if link.team_id is None else load_team(connection, link.team_id).name
    address = f"{mailing.base_url}/links/{token}"
    return _Letter(to=link.email, mail=link_mail(link, team=team, address=address, site=mailing.title))


def _is_early(connection: Connection, board: StoredBoard, run: StoredRun, words: RunWords, now: datetime) -> bool:
    """Whether a verdict is still to come, and soon."""
    if run.scored_at is None or words.decided or now - run.scored_at >= LONGEST_WAIT:
        return False
    try:
        open_sets(connection, board)
    except (NotFoundError, UsageError):
        return False  # a board without open labels has no verdicts
    return True


def _sent(letter: _Letter, mailing: Mailing, number: str, now: datetime) -> SendingResult:
    message = message_of(letter.mail, sender=mailing.sender, to=letter.to, number=number, now=now)
    if message is None:
        return SendingResult(outcome="refused", said="mail cannot be sent to this address")
    return send_message(mailing.server, message, sender=mailing.sender.address, to=letter.to)


def _number(job: Job, mailing: Mailing) -> str:
    """The same for every attempt of a job, and for no other job of any site; links are new with each attempt."""
    attempt = job.fence if "link_id" in job.payload else ""
    of_what = f"{mailing.base_url} {job.job_key} {job.created_at.isoformat()} {attempt}"
    return hashlib.sha256(of_what.encode()).hexdigest()[:32]
