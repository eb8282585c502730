"""Mails as text: short, plain, and safe whatever names hold."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.server.cases.mail.send_mail import Mail, link_mail, message_of, one_line, read_sender, run_mail
from runoff.server.cases.runs.entries import RunWords

DAY = datetime(2026, 3, 15, 12, 30, tzinfo=UTC)
SENDER = read_sender("Trees & Söhne <runoff@example.org>")
SCORED = "It has been read and scored."
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


def made(*, state="scored", problems=(), sentence="", status=SCORED, name="oak 2", title="Trees"):
    words = RunWords(status=status, verdict=None, sentence=sentence, decided=True, is_protected=False)
    run, board = SimpleNamespace(name=name, state=state, problems=problems), SimpleNamespace(title=title)
    return run_mail(board, run, words, link="https://e.org/boards/trees/runs/7", site="runoff")  # type: ignore[arg-type]


def sent(mail, to="ann@example.org", number="ab"):
    message = message_of(mail, sender=SENDER, to=to, number=number, now=DAY)
    return None if message is None else message_from_bytes(bytes(message).replace(b"\r\n", b"\n"), policy=default)


def test_a_scored_run():
    assert made(sentence="oak 2 is better than oak 1.") == Mail(
        subject="oak 2 is scored on Trees",
        text="""oak 2 is scored on Trees.

It has been read and scored.

oak 2 is better than oak 1.

https://e.org/boards/trees/runs/7

You get this mail from runoff because you submitted this run.
""",
    )


def test_a_rejected_run_has_twenty_lines_of_problems():
    found = made(state="rejected", problems=[f"a.run:{line}: x\x07\ny" for line in range(13)], status="No.")
    assert found.subject == "oak 2 is rejected on Trees"
    assert "No.\n\nProblems:\n  a.run:0: x \n  y\n  a.run:1: x" in found.text
    assert found.text.count("a.run") == 10
    assert "  and 6 more on its page\n" in found.text
    assert "more" not in made(state="rejected", problems=["x"] * 20).text


def test_problems_are_those_of_rejected_runs_alone():
    assert "zz" not in made(state="scored", problems=["zz"]).text


def test_headers():
    found = sent(made())
    assert dict(found.items()) == {
        "To": "ann@example.org",
        "From": "Trees & Söhne <runoff@example.org>",
        "Subject": "oak 2 is scored on Trees",
        "Date": "Sun, 15 Mar 2026 12:30:00 +0000",
        "Message-ID": "<runoff.ab@example.org>",
        "Auto-Submitted": "auto-generated",
        "Content-Type": 'text/plain; charset="utf-8"',
        "Content-Transfer-Encoding": "quoted-printable",
        "MIME-Version": "1.0",
    }
    assert found.get_content() == made().text


@settings(max_examples=40)
@given(name=ANY, title=ANY, sentence=ANY, problem=ANY)
def test_no_name_can_add_a_header_or_end_a_message(name, title, sentence, problem):
    mail = made(name=name, title=title, sentence=sentence, problems=[problem], state="rejected")
    raw = bytes(message_of(mail, sender=SENDER, to="ann@example.org", number="1", now=DAY) or b"")
    assert raw.isascii()
    assert set(raw) <= {10, 13, *range(32, 127)}
    head = raw.split(b"\r\n\r\n")[0].decode()
    names = [line.split(":")[0] for line in head.split("\r\n") if not line.startswith(" ")]
    assert sorted(names) == sorted(dict(sent(made()).items()))
    found = sent(mail)
    assert found["Subject"].split() == one_line(f"{name} is rejected on {title}").split()
    assert found["To"] == "ann@example.org"
    assert found.get_content() == mail.text
    assert all(sign.isprintable() or sign == "\n" for sign in mail.text)


@pytest.mark.parametrize("to", ["a,b@example.org", "a<b@example.org", "x", "a@b\r\nBcc: c@d.org", "(a)@b.org"])
def test_what_is_no_address_gets_no_mail(to):
    assert sent(made(), to=to) is None


@pytest.mark.parametrize("text", ["", "x", "a@b, c@d", "a@b\nBcc: c@d", "@b", "<a@b", "ä@example.org"])
def test_bad_senders(text):
    with pytest.raises(UsageError, match="expected one address such as"):
        read_sender(text)


@pytest.mark.parametrize(
    "kind, subject, opening",
    [
        ("account", "An invitation to T x", "You are invited to create an account on T x:"),
        ("team", "An invitation to a team on T x", "You are invited to join the team Oaks Bcc: a:"),
        ("password", "A new password for T x", "Use this link to choose a new password for T x:"),
    ],
)
def test_links(kind, subject, opening):
    link: Any = SimpleNamespace(kind=kind, expires_at=DAY)
    found = link_mail(link, team="Oaks\r\nBcc: a", address="https://e.org/links/abc", site="T\nx")
    assert found.subject == subject
    assert found.text == (
        f"{opening}\n\nhttps://e.org/links/abc\n\n"
        "It can be used once, until 2026-03-15 12:30 UTC. If you did not expect this mail, ignore it.\n"
    )
