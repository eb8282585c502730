"""The organisers' view of a board."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from runoff.server.store.submissions import MAIL
from runoff.server.worker import Worker
from tests.server.attacks.probing import queries_of, served_world
from tests.server.cases.mailbox import mail_server
from tests.server.store.backends import both_databases
from tests.server.web.checks import checked
from tests.server.web.served import CSRF, app_of, ask
from tests.server.web.serving import Serving

ADDRESS = "/boards/passages/organise"


def test_it_shows_audit_rule_versions_jobs_and_log(filled):
    answer = ask(app_of(filled.site, filled.organiser), ADDRESS)
    words = " ".join(checked(answer.text).words)
    for text in ("Versions of queries and labels", "Submissions used by each team", "Changes", "Near-duplicates"):
        assert text in words


def test_others_are_refused(small):
    for path in ("", "/charts/overfitting.svg"):
        assert ask(app_of(small.site, small.member), ADDRESS + path).status_code == 403
        assert ask(app_of(small.site), ADDRESS + path).status_code in (303, 401)
    for path in ("/near-duplicates", "/jobs/1/retry"):
        answer = ask(app_of(small.site, small.member), ADDRESS + path, "POST", data={"csrf": CSRF})
        assert answer.status_code == 403


def test_the_log_is_filtered_and_paged(filled):
    app = app_of(filled.site, filled.organiser)
    words = " ".join(checked(ask(app, f"{ADDRESS}?action=submit&thing=run").text).words)
    shown, total = min(50, len(filled.runs)), len(filled.runs)
    assert f"Changes 1 to {shown:,} of {total:,}, the newest first." in words
    last = ask(app, f"{ADDRESS}?action=submit&page=3").text
    assert ("Changes 101 to 150 of 150" in last) == (total == 150)
    assert "No change fits." in ask(app, f"{ADDRESS}?who=999").text
    assert ask(app, f"{ADDRESS}?page=0").status_code == 422


@both_databases
def test_a_job_that_failed_is_tried_again(serving, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError

    number = serving.send().json()["id"]
    with monkeypatch.context() as patch:
        patch.setattr("runoff.server.cases.uploads.run.score_upload", broken)
        for _ in range(6):
            serving.work()
            serving.clock.moment += timedelta(hours=1)
    assert serving.run(number).json()["status"] == "rejected"
    csrf = serving.sign_in(serving.served.organiser)
    page = serving.client.get("/boards/trees/organise").text
    assert "RuntimeError in" in page
    action = page.split('/retry"')[0].rpartition('action="')[2] + "/retry"
    answer = serving.client.post(action, data={"csrf": csrf})
    assert answer.headers["location"].endswith("done=retried")
    serving.work()
    assert serving.run(number).json()["status"] == "scored"
    assert serving.client.post(action, data={"csrf": csrf}).status_code == 409


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_mail_that_was_refused_is_shown_without_its_address_and_sent_again(serving):
    with mail_server(answers={"RCPT": "550 no ann@example.org here"}) as box:
        settings = replace(serving.site.settings, mail=box.address, mail_from="runoff@example.org")
        serving.site = replace(serving.site, settings=settings)
        serving.send(said={"name": "oak 2"})
        serving.work()
        postman = Worker(serving.site, kinds=(MAIL,))
        assert postman.work_once()
        csrf = serving.sign_in(serving.served.organiser)
        page = serving.client.get("/boards/trees/organise").text
        words = " ".join(checked(page).words)
        assert "Mail about oak 2" in words
        assert "the mail server answered 550 to the recipient" in words
        assert "ann@example.org" not in words
        box.answers.clear()
        action = page.split('/retry"')[0].rpartition('action="')[2] + "/retry"
        assert serving.client.post(action, data={"csrf": csrf}).status_code == 303
        assert postman.work_once()
    assert len(box.messages) == 1


def test_private_board_monitor_charts_and_duplicates(database, tmp_path):
    with Serving.made_in(database, tmp_path, runs=5) as serving:
        look_at_all(serving)


def look_at_all(serving):
    csrf = serving.sign_in(serving.served.organiser)
    page = serving.client.get("/boards/trees/organise")
    words = " ".join(checked(page.text).words)
    for text in ("The private board", "Overfitting", "Nobody has looked yet."):
        assert text in words
    assert "zzsealedzz" not in page.text
    chart = serving.client.get("/boards/trees/organise/charts/overfitting.svg?theme=dark&size=phone")
    assert (chart.status_code, chart.headers["content-type"]) == (200, "image/svg+xml")
    assert serving.client.get("/boards/trees/organise/charts/nothing.svg").status_code == 404
    assert serving.client.post("/boards/trees/organise/near-duplicates", data={"csrf": csrf}).status_code == 303
    assert serving.work() == 1
    assert "0 pairs found among 5 runs on 2026-03-15" in serving.client.get("/boards/trees/organise").text


@pytest.mark.parametrize("counts", [False, True])
def test_organisers_choose_which_run_counts(serving, counts):
    csrf = serving.sign_in(serving.served.organiser)
    sent = {"csrf": csrf, "counts": "yes" if counts else "no"}
    answer = serving.client.post("/boards/trees/runs/2/counts", data=sent)
    assert answer.headers["location"].endswith("done=counts" if counts else "done=counts-not")
    shown = serving.client.get("/boards/trees/runs/2").text
    assert ("Do not count it" in shown) == counts
    # A baseline is outside the rule.
    assert serving.client.post("/boards/trees/runs/1/counts", data=sent).status_code == 404
    serving.client.cookies.clear()
    sent["csrf"] = serving.sign_in(serving.served.member)
    assert serving.client.post("/boards/trees/runs/2/counts", data=sent).status_code == 403


def test_the_same_file_of_two_teams_is_pointed_out(tmp_path):
    from dataclasses import replace

    from runoff.server.cases.views.stored_board import VisibleRun
    from runoff.server.web.pages.organise import _same_files
    from tests.server.web.world import make_site

    fixture = make_site(tmp_path / "site", runs=2)
    first, second = fixture.runs
    copy = replace(second, content_hash=first.content_hash)
    seen = (VisibleRun(run=first, name="a", team="Trees"), VisibleRun(run=copy, name="b", team="Rivers"))
    assert _same_files(seen) == ("The same file was submitted as a (Trees) and as b (Rivers).",)
    fixture.site.close()


def test_it_counts_what_teams_could_know_of_hidden_labels(tmp_path):
    with served_world(tmp_path / "world", [True] * 40, digits=1) as serving:
        run = "".join(f"{query} Q0 guess 1 1 run\n" for query in queries_of([True] * 40))
        assert serving.send(run, said={"name": "all"}).status_code == 202
        serving.work()
        serving.sign_in(serving.served.organiser)
        words = " ".join(checked(serving.client.get("/boards/trees/organise").text).words)
    assert "The labels of the 40 queries behind public scores hold at least 40 bits" in words
    # Three numbers from 0.0 to 1.0 are 10.4 bits; with the organisers' run there is one pair.
    assert "Oaks 1 1 10 25.9% 1" in words


def test_nothing_is_counted_where_labels_are_open(serving):
    serving.sign_in(serving.served.organiser)
    words = " ".join(checked(serving.client.get("/boards/trees/organise").text).words)
    assert "Nothing is counted here: teams hold the labels of the public queries" in words
