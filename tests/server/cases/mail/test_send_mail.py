"""Jobs that send mail: the words of the run's page, sent at least once, tried again, or refused for good."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.memberships import invite_person, invite_to_team, withdraw_link
from runoff.server.cases.mail.mail_server import read_mail_server
from runoff.server.cases.mail.send_mail import LONGEST_WAIT, Mailing, do_mail_job, read_sender
from runoff.server.cases.runs.entries import HELD, WAITS, load_run_words
from runoff.server.cases.runs.jobs import FAULT, retry_job, save_hopeless_runs
from runoff.server.cases.runs.score import JOB_KINDS, score_submission
from runoff.server.store.access import load_link, load_open_links, save_link_used
from runoff.server.store.boards import load_board
from runoff.server.store.jobs import fail_job, load_job, load_jobs, take_job
from runoff.server.store.people import save_departure, save_disabled, save_member, save_role
from runoff.server.store.submissions import MAIL, load_run
from tests.server.cases.mailbox import mail_server
from tests.server.cases.reading_here import HERE
from tests.server.cases.runs.test_submit import submit
from tests.server.cases.served import NOW, Served, run_text
from tests.server.store.backends import both_databases

MINUTE = timedelta(minutes=1)
ONE_BACKEND = pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
"""For what does not depend on the database."""


@pytest.fixture
def box():
    with mail_server() as made:
        yield made


def score(served, *, mails=True, most=99):
    """Do some of the scoring jobs that wait."""
    for _ in range(most):
        job = served.database.write(lambda c: take_job(c, JOB_KINDS, worker="w", lease=MINUTE, now=NOW))
        if job is None:
            return
        score_submission(served.database, served.files, job, now=lambda: NOW, reader=HERE, mails=mails)


def post(served, box, *, now=NOW):
    """Do the mail jobs that wait, and return what became of each."""
    mailing = Mailing(
        server=read_mail_server(box.address), sender=read_sender("r@example.org"), base_url="https://e.org", title="T"
    )
    done = []
    while job := served.database.write(lambda c: take_job(c, [MAIL], worker="m", lease=MINUTE, now=now)):
        done.append(do_mail_job(served.database, job, mailing=mailing, now=lambda: now))
    return done


def mails(served):
    with served.database.read() as connection:
        return load_jobs(connection, kinds=(MAIL,))


@pytest.fixture
def sent(served):
    """A run of the team among scored ones, with its mail waiting."""
    served.work()
    run = submit(served, 7, name="oak 2", content=run_text(7, skill=0.9).encode())
    score(served)
    return run


def change(served, work):
    served.database.write(work)


def page_words(served, run, viewer=None):
    with served.database.read() as connection:
        board, run = load_board(connection, run.board_id), load_run(connection, run.id)
        return load_run_words(connection, board, run, viewer=viewer or served.actor, now=NOW)


def test_a_scored_run_is_told_in_the_words_of_its_page(served, sent, box):
    words = page_words(served, sent)
    assert words.sentence
    assert post(served, box) == ["sent"]
    assert post(served, box) == []
    ((to, message),) = box.messages
    assert (to, message["To"]) == ("ann@example.org", "ann@example.org")
    assert message["Subject"] == "oak 2 is scored on Trees <b>"
    text = message.get_content()
    assert words.sentence in text
    assert f"https://e.org/boards/trees/runs/{sent.id}\n" in text
    assert "zzsealedzz" not in text
    assert [job.state for job in mails(served)] == ["done"]


@ONE_BACKEND
def test_without_the_setting_no_job_is_made(served):
    submit(served, 7)
    score(served, mails=False)
    assert mails(served) == ()


@ONE_BACKEND
def test_runs_that_came_with_the_board_are_not_told_and_scoring_again_neither(served, sent):
    assert [job.payload["run_id"] for job in mails(served)] == [sent.id]


@ONE_BACKEND
def test_an_organiser_reads_what_the_team_reads(served, sent, box):
    def hold(connection):
        connection.exec_driver_sql(f"UPDATE run SET held = TRUE WHERE id = {sent.id}")
        save_role(connection, served.member.id, "organiser", actor=None, now=NOW)

    change(served, hold)
    assert page_words(served, sent, Actor(id=served.member.id, role="organiser")).sentence
    assert post(served, box) == ["sent"]
    text = box.messages[0][1].get_content()
    assert HELD in text
    assert "queries" not in text.replace(HELD, "")


@ONE_BACKEND
def test_a_mail_waits_for_the_verdict_but_not_for_ever(served, box):
    run = submit(served, 7, name="oak 2")
    job = served.database.write(lambda c: take_job(c, JOB_KINDS, worker="slow", lease=9 * LONGEST_WAIT, now=NOW))
    assert job is not None
    score(served)
    assert post(served, box) == ["waits for the verdict"]
    assert post(served, box) == []
    assert [(one.attempts, one.state) for one in mails(served)] == [(0, "queued")]
    assert not page_words(served, run).decided
    assert post(served, box, now=NOW + LONGEST_WAIT) == ["sent"]
    assert "It has been read and scored.\n\nhttps://" in box.texts[0]


@ONE_BACKEND
def test_a_run_whose_release_is_not_decided_says_so(database, tmp_path, box):
    served = Served.made_in(database, tmp_path, release="ladder")
    submit(served, 7, name="oak 2")
    served.database.write(lambda c: take_job(c, JOB_KINDS, worker="slow", lease=9 * LONGEST_WAIT, now=NOW))
    score(served)
    assert post(served, box, now=NOW + LONGEST_WAIT) == ["sent"]
    assert WAITS in box.texts[0]


@ONE_BACKEND
def test_with_the_verdict_the_mail_goes(served, box):
    submit(served, 7, name="oak 2")
    job = served.database.write(lambda c: take_job(c, JOB_KINDS, worker="slow", lease=MINUTE, now=NOW))
    score(served)
    assert post(served, box) == ["waits for the verdict"]
    score_submission(served.database, served.files, job, now=lambda: NOW, reader=HERE, mails=True)
    assert post(served, box, now=NOW + MINUTE) == ["sent"]
    assert "There may still be a difference" in box.texts[0] or "better" in box.texts[0]


def test_a_run_that_is_given_up_and_tried_again(served, box):
    served.work()
    run = submit(served, 7, name="oak 2")

    def give_up(connection):
        job = take_job(connection, ["score"], worker="w", lease=MINUTE, now=NOW)
        assert job is not None
        fail_job(connection, job, "x", now=NOW, retry=False)
        save_hopeless_runs(connection, now=NOW, mails=True)
        return job

    job = served.database.write(give_up)
    assert post(served, box) == ["sent"]
    assert box.messages[0][1]["Subject"] == "oak 2 is rejected on Trees <b>"
    assert FAULT in box.texts[0]
    retry_job(served.database, job.id, actor=Actor(id=served.organiser.id, role="organiser"), now=NOW)
    score(served)
    assert post(served, box) == ["sent"]
    assert box.messages[1][1]["Subject"] == "oak 2 is scored on Trees <b>"
    assert box.messages[0][1]["Message-ID"] != box.messages[1][1]["Message-ID"]
    assert page_words(served, run).sentence in box.texts[1]


@pytest.mark.parametrize("how", ["closed", "left", "queued again"])
@ONE_BACKEND
def test_who_may_not_read_it_any_more_gets_none(served, sent, box, how):
    def work(connection):
        if how == "closed":
            save_disabled(connection, served.member.id, actor=None, now=NOW)
        if how == "left":
            save_member(connection, served.team.id, served.organiser.id, actor=None, now=NOW)
            save_departure(connection, served.team.id, served.member.id, actor=None, now=NOW)
        if how == "queued again":
            connection.exec_driver_sql(f"UPDATE run SET state = 'queued' WHERE id = {sent.id}")

    change(served, work)
    assert post(served, box) == ["nothing to send"]
    assert box.messages == []


@both_databases
def test_a_server_that_is_away_is_tried_again_and_the_message_is_known_by_its_number(served, sent, box):
    box.answers["."] = "451 later"
    assert post(served, box) == ["later: the mail server answered 451 to the message"]
    assert post(served, box) == [], "not at once"
    (job,) = mails(served)
    assert (job.state, job.error) == ("queued", "the mail server answered 451 to the message")
    box.answers.clear()
    assert post(served, box, now=NOW + timedelta(seconds=5)) == ["sent"]
    # A worker that was killed before it could say so.
    change(
        served, lambda c: c.exec_driver_sql("UPDATE job SET state = 'queued', finished_at = NULL WHERE kind = 'mail'")
    )
    assert post(served, box, now=NOW + MINUTE) == ["sent"]
    assert len({message["Message-ID"] for _, message in box.messages}) == 1
    assert len(box.messages) == 2


@ONE_BACKEND
def test_a_mail_that_is_refused_for_good_ends(served, sent, box):
    box.answers["RCPT"] = "550 no ann@example.org here"
    assert post(served, box) == ["refused: the mail server answered 550 to the recipient"]
    (job,) = mails(served)
    with served.database.read() as connection:
        found = load_job(connection, job.id)
    assert (found.state, found.error) == ("failed", "the mail server answered 550 to the recipient")
    assert page_words(served, sent).sentence, "the run is as it was"


@ONE_BACKEND
def test_what_is_no_address_ends_too(served, sent, box):
    change(served, lambda c: c.exec_driver_sql("UPDATE person SET email = 'a,b@example.org' WHERE email LIKE 'ann@%%'"))
    assert post(served, box) == ["refused: mail cannot be sent to this address"]
    assert box.said == []


def opens(served, token):
    with served.database.read() as connection:
        return load_link(connection, token, NOW) is not None


def mailed_token(text):
    return next(line for line in text.splitlines() if "/links/" in line).removeprefix("https://e.org/links/")


@both_databases
def test_a_link_is_mailed_with_a_token_of_its_own(served, box):
    olga = Actor(id=served.organiser.id, role="organiser")
    how: dict[str, Any] = {"hours": 9, "now": NOW, "mailed": True}
    shown = [
        invite_person(served.database, email="new@example.org", role="member", actor=olga, **how),
        invite_to_team(served.database, served.team, email="friend@example.org", actor=served.actor, **how),
    ]
    assert post(served, box) == ["sent", "sent"]
    assert [to for to, _ in box.messages] == ["new@example.org", "friend@example.org"]
    assert "the team Oaks:" in box.texts[1]
    sent = [mailed_token(text) for text in box.texts]
    assert not set(sent) & set(shown)
    assert all(opens(served, token) for token in (*sent, *shown))
    served.database.write(lambda connection: save_link_used(connection, sent[0], NOW))
    assert [opens(served, token) for token in (sent[0], shown[0], sent[1])] == [False, False, True]
    with served.database.read() as connection:
        everything = str(list(connection.exec_driver_sql("SELECT payload, result, error, job_key FROM job")))
        everything += str(list(connection.exec_driver_sql("SELECT * FROM one_time_link")))
    assert not any(token in everything for token in (*sent, *shown)), "hashes alone are kept"


@ONE_BACKEND
def test_another_attempt_has_another_link_and_a_withdrawn_one_is_not_sent(served, box):
    olga = Actor(id=served.organiser.id, role="organiser")
    how: dict[str, Any] = {"role": "member", "actor": olga, "hours": 9, "now": NOW, "mailed": True}
    for name in ("new", "other"):
        invite_person(served.database, email=f"{name}@example.org", **how)
    with served.database.read() as connection:
        (number,) = (link.id for link in load_open_links(connection, NOW) if link.email == "other@example.org")
    withdraw_link(served.database, number, actor=olga, now=NOW)
    assert post(served, box) == ["sent", "nothing to send"]
    undone = "UPDATE job SET state = 'queued', finished_at = NULL WHERE kind = 'mail'"
    change(served, lambda connection: connection.exec_driver_sql(undone))
    assert post(served, box) == ["sent", "nothing to send"]
    first, second = map(mailed_token, box.texts)
    assert [opens(served, first), opens(served, second)] == [False, True]
    assert box.messages[0][1]["Message-ID"] != box.messages[1][1]["Message-ID"]
