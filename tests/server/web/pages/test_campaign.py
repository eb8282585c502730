"""The page of a campaign: preview, texts, start, links, states, extension."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from runoff.errors import UsageError
from runoff.server.cases.judging.manage import create_campaign
from runoff.server.store.campaign_links import load_campaign_links
from runoff.server.store.campaigns import load_campaign
from runoff.server.store.database import Database
from runoff.server.store.jobs import fail_job, load_jobs, take_job
from runoff.server.web.pages import campaign as campaign_routes
from tests.server.cases.judging.test_texts import DOC_TEXTS, QUERY_TEXTS
from tests.server.store.backends import both_databases
from tests.server.web.campaigning import ADDRESS, words_of
from tests.server.web.checks import checked


def reloaded(campaigning, campaign):
    return campaigning.campaigned.read(load_campaign, campaign.id)


def test_a_draft_shows_what_it_will_take_then_starts(campaigning):
    made = campaigning.campaigned
    draft = made.draft(depth=2, judgments_per_pair=3)
    address = f"{ADDRESS}/{draft.id}"
    words = words_of(campaigning.see(address))
    assert "What it will take" in words
    assert re.search(r"Sequential judging (takes about \d+, which saves \d+%|would save nothing)", words)
    assert "at 20 seconds per pair (your estimate)." in words
    assert "There are none yet, and each task needs 1." in words
    assert "New labels" not in words
    answer = campaigning.post(f"{address}/start")
    assert answer.headers["location"] == f"{address}?done=started"
    page = campaigning.see(f"{address}?done=started")
    assert "The campaign is open." in words_of(page)
    (part,) = [one for one in page.all("section") if one.get("id") == "progress"]
    assert (part["data-refresh"], part["data-from"]) == ("10", f"{address}/progress")
    again = campaigning.post(f"{address}/start")
    assert (again.status_code, "has been started already" in again.text) == (422, True)


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_while_runs_are_read_the_page_waits_and_says_so(campaigning):
    made = campaigning.campaigned
    draft = create_campaign(made.database, made.settings(), made.run_ids, actor=made.organiser, now=made.now())
    page = campaigning.see(f"{ADDRESS}/{draft.id}")
    assert "The runs are being read." in words_of(page)
    assert "You will see this once the runs have been read." in words_of(page)
    before = campaigning.ask(f"{ADDRESS}/{draft.id}/progress").text
    assert 'data-refresh="2"' in before
    made.work()
    after = campaigning.ask(f"{ADDRESS}/{draft.id}/progress").text
    assert "data-refresh" not in after
    states = [re.search('data-state="([^"]*)"', text) for text in (before, after)]
    assert None not in states
    assert states[0][1] != states[1][1], "so the rest of the page is loaded again"  # type: ignore[index]


def test_texts_come_with_their_faults_or_are_kept(campaigning):
    made = campaigning.campaigned
    draft = made.draft()
    address = f"{ADDRESS}/{draft.id}"
    wrong = campaigning.send(f"{address}/texts", queries=("q.tsv", "q0\tx\nq0\ty\n"), docs=("docs.tsv", "zz\tx\n"))
    words = words_of(checked(wrong.text))
    assert wrong.status_code == 422
    assert "2 fields have to be fixed" in words
    assert "q.tsv:2: id &#39;q0&#39; is listed twice" in wrong.text
    assert "docs.tsv: no text of any document" in words
    assert str(made.files.folder) not in wrong.text
    forged = {"data": {"csrf": "guessed"}, "files": {"queries": ("q", "q0\tx\n"), "docs": ("d", "a.q0\tx\n")}}
    assert campaigning.ask(f"{address}/texts", "POST", **forged).status_code == 403
    foreign = campaigning.ask(f"{address}/texts", "POST", headers={"Origin": "https://evil.example"}, **forged)
    assert (foreign.status_code, "another site" in foreign.text) == (403, True)
    nothing = campaigning.send_nothing(f"{address}/texts", "queries", "docs")
    assert (nothing.status_code, nothing.text.count("no file; expected texts of the")) == (422, 4)
    some = campaigning.send(f"{address}/texts", queries=("q.tsv", QUERY_TEXTS), docs=("d.tsv", "a.q0\tx\n"))
    assert "The campaign cannot start if a pair lacks a text." in some.text
    failed = campaigning.post(f"{address}/start")
    assert failed.headers["location"] == f"{address}?done=starting"
    made.work()
    words = words_of(campaigning.see(address))
    assert "The last step failed." in words
    assert "no text of document" in words
    good = campaigning.send(f"{address}/texts", queries=("q.tsv", QUERY_TEXTS), docs=("d.tsv", DOC_TEXTS))
    assert good.headers["location"] == f"{address}?done=texts"
    campaigning.post(f"{address}/start")
    made.work()
    assert reloaded(campaigning, draft).state == "open"
    late = campaigning.send(f"{address}/texts", queries=("q.tsv", QUERY_TEXTS), docs=("d.tsv", DOC_TEXTS))
    assert (late.status_code, "its texts are fixed" in late.text) == (422, True)


def test_a_link_is_shown_once_and_withdrawn(campaigning):
    made = campaigning.campaigned
    campaign = made.opened()
    address = f"{ADDRESS}/{campaign.id}"
    answer = campaigning.post(f"{address}/links", site="", most_uses="3", expires_at="2026-04-01T00:00")
    (token,) = re.findall(r"http://testserver/enter/([\w-]+)", answer.text)
    assert "The link for 3 people. It is shown only once." in words_of(
        checked(answer.text.replace("http://testserver", ""))
    )
    assert "data-refresh" not in answer.text, "a page that is loaded again would lose the link"
    assert token not in campaigning.ask(address).text
    worker = campaigning.post(f"{address}/links", site="Prolific", most_uses="", expires_at="")
    assert "?worker=WORKER&amp;reference=ASSIGNMENT" in worker.text
    first, second = made.read(load_campaign_links, campaign.id)
    assert (first.most_uses, second.most_uses, second.site) == (3, None, "Prolific")
    assert campaigning.post(f"{address}/links/{first.id}/withdraw").status_code == 303
    assert made.read(load_campaign_links, campaign.id)[0].withdrawn_at is not None
    words = words_of(campaigning.see(address))
    assert "withdrawn" in words
    assert "workers of Prolific" in words
    wrong = campaigning.post(f"{address}/links", site="x" * 61, most_uses="0", expires_at="2020-01-01T00:00")
    assert "3 fields have to be fixed" in words_of(checked(wrong.text))
    assert campaigning.post(f"{address}/links/999/withdraw").status_code == 404


@both_databases
def test_it_is_paused_resumed_extended_and_closed(campaigning):
    made = campaigning.campaigned
    campaign = made.opened(runs=2, sample=4)
    address = f"{ADDRESS}/{campaign.id}"
    assert campaigning.post(f"{address}/state/pause").headers["location"] == f"{address}?done=paused"
    assert reloaded(campaigning, campaign).state == "paused"
    assert "is paused: people who come in get no tasks until" in words_of(campaigning.see(address))
    assert campaigning.post(f"{address}/state/pause").status_code == 422
    assert campaigning.post(f"{address}/state/burn").status_code == 404
    assert campaigning.post(f"{address}/state/resume").status_code == 303
    fewer = campaigning.post(f"{address}/extend", judgments_per_pair="0", sample="2")
    assert "2 fields have to be fixed" in words_of(checked(fewer.text))
    asked = {"judgments_per_pair": "2", "depth": "2", "sample": "", "run_3": "yes", "run_x": "yes"}
    seen = campaigning.post(f"{address}/extend/look", **asked)
    page = checked(seen.text)
    assert "This is what it would add. Nothing has changed yet." in words_of(page)
    assert re.search(r"Pairs \d+ that were not asked before; 1 more run, 4 more queries, \d+ more doc", words_of(page))
    assert reloaded(campaigning, campaign).depth == 1
    (form,) = [one for one in page.all("form") if str(one["action"]).endswith("/extend#extend")]
    assert 'name="run_3" value="yes"' in seen.text
    assert form["method"] == "post"
    nothing = campaigning.post(f"{address}/extend/look", judgments_per_pair="1", depth="1", sample="4")
    assert "This adds nothing" in words_of(checked(nothing.text))
    shallow = campaigning.post(f"{address}/extend/look", judgments_per_pair="1", depth="0", sample="4")
    assert "has to be fixed" in words_of(checked(shallow.text))
    assert campaigning.post(f"{address}/extend/look", **asked | {"run_999": "yes"}).status_code in (404, 422)
    more = campaigning.post(f"{address}/extend", **asked)
    assert more.headers["location"] == f"{address}?done=extended#content"
    found = reloaded(campaigning, campaign)
    assert (found.judgments_per_pair, found.sample, found.depth) == (2, None, 2)
    assert "run 2" not in words_of(campaigning.see(address)), "no run is left to add"
    assert campaigning.post(f"{address}/state/close").headers["location"] == f"{address}?done=ended"
    words = words_of(campaigning.see(address))
    assert "Open it again" in words
    assert "Yes, close it" not in words


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_step_that_failed_is_told_and_tried_again(campaigning):
    made = campaigning.campaigned
    draft = create_campaign(made.database, made.settings(), made.run_ids, actor=made.organiser, now=made.now())
    fail(made.database, made)
    address = f"{ADDRESS}/{draft.id}"
    page = campaigning.see(address)
    assert "could not do this step (read): the disk burnt" in words_of(page)
    (retry,) = [one["action"] for one in page.all("form") if "/retry/" in str(one["action"])]
    assert campaigning.post(str(retry)).headers["location"] == f"{address}?done=retried"
    made.work()
    assert "What it will take" in words_of(campaigning.see(address))


def fail(database: Database, made) -> None:
    """Let the one job that waits fail for good."""
    while made.read(load_jobs, states=("queued",)):
        job = database.write(
            lambda c: take_job(c, ("campaign",), worker="w", lease=timedelta(minutes=1), now=made.wait(hours=1))
        )
        assert job is not None
        database.write(lambda c: fail_job(c, job, "the disk burnt", now=made.now()))  # noqa: B023


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_sequential_campaign_says_what_it_saves(campaigning):
    made = campaigning.campaigned
    campaign = made.opened(way="sequential", depth=3, judgments_per_pair=3)
    made.do(campaign, made.assessor(campaign))
    words = words_of(campaigning.see(f"{ADDRESS}/{campaign.id}"))
    assert "Judgments saved" in words
    assert "of about" in words
    assert campaigning.see(f"{ADDRESS}/{campaign.id}/results")


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_it_is_told_when_more_assessors_are_needed(campaigning):
    made = campaigning.campaigned
    campaign = made.opened(runs=2, judgments_per_pair=2)
    address = f"{ADDRESS}/{campaign.id}"
    told = "no active assessor can take one"
    assert told not in words_of(campaigning.see(address)), "nobody was asked in yet"
    made.judge_all(campaign, [made.assessor(campaign)])
    assert told in words_of(campaigning.see(address))
    made.assessor(campaign)
    assert told not in words_of(campaigning.see(address))


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_in_sequence_judgments_per_pair_are_not_asked_for(campaigning):
    campaign = campaigning.campaigned.opened(runs=2, way="sequential")
    address = f"{ADDRESS}/{campaign.id}"
    page = campaigning.ask(address).text
    assert "judgments_per_pair" not in page
    assert "more are added as judgments come in" in page
    seen = campaigning.post(f"{address}/extend/look", depth="2")
    assert "This is what it would add." in words_of(checked(seen.text))
    assert "judgments_per_pair" not in seen.text
    assert campaigning.post(f"{address}/extend", depth="2").status_code == 303
    assert reloaded(campaigning, campaign).depth == 2


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_why_it_cannot_be_extended_is_told_beside_the_form(campaigning, monkeypatch):
    campaign = campaigning.campaigned.opened(runs=2)

    def refuse(*_, **__):
        raise UsageError("too few test pairs")

    monkeypatch.setattr(campaign_routes, "extend_campaign", refuse)
    answer = campaigning.post(f"{ADDRESS}/{campaign.id}/extend", judgments_per_pair="2", depth="2")
    assert answer.status_code == 422
    checked(answer.text)
    assert "Too few test pairs." in answer.text.split('id="extend"')[1]
