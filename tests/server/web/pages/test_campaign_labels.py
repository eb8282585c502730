"""The page where a campaign becomes a version of the labels."""

from __future__ import annotations

import pytest

from runoff.server.store.label_sets import NewVersion, load_label_sets, save_label_set
from tests.server.store.backends import both_databases
from tests.server.web.campaigning import ADDRESS, form_of, words_of


@both_databases
def test_a_version_is_seen_made_and_used(campaigning):
    made = campaigning.campaigned
    campaign = made.opened()
    address = f"{ADDRESS}/{campaign.id}/new-labels"
    assert "has no judgments that count yet" in words_of(campaigning.see(address))
    assert campaigning.post(address, seen="").status_code == 409
    actors = [made.assessor(campaign), made.assessor(campaign)]
    made.do(campaign, actors[0])
    page = campaigning.see(address)
    sent = form_of(page)
    assert "From version 1 to 2 the best known answers of" in words_of(page)
    made.judge_all(campaign, actors)
    late = campaigning.post(address, **sent, note="n")
    assert (late.status_code, "have changed since you looked" in late.text) == (409, True)
    assert len(made.read(load_label_sets, made.board.id)) == 1
    answer = campaigning.post(address, **form_of(campaigning.see(address)), note="judged in spring")
    _, version = made.read(load_label_sets, made.board.id)
    assert answer.headers["location"] == f"/boards/trees/labels/{version.id}?done=version"
    assert (version.version, version.note, version.use) == (2, "judged in spring", 0)
    made.work()
    effect = words_of(campaigning.see(answer.headers["location"]))
    assert "From version 1 to 2 the best known answers of" in effect
    assert "The version was created" in effect
    assert "dev, version 2" in words_of(campaigning.see(address))
    assert campaigning.post(f"/boards/trees/labels/{version.id}/use").status_code == 303
    assert "dev (version 2)" in campaigning.ask("/boards/trees").text


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_what_becomes_of_graded_labels_is_said(campaigning):
    made = campaigning.campaigned
    lines = "".join(f"q{one} 0 a.q{one} 2\nq{one} 0 zero.q{one} 0\n" for one in range(8)).encode()
    stored = made.files.save([lines], limit=1000).content_hash
    new = NewVersion(board_id=made.board.id, name="dev", queries=8, content_hash=stored)
    made.database.write(lambda c: save_label_set(c, new, judged=16, actor=None, now=made.now()))
    campaign = made.opened()
    made.judge_all(campaign, [made.assessor(campaign)])
    words = words_of(campaigning.see(f"{ADDRESS}/{campaign.id}/new-labels"))
    assert "The labels are graded: all 16 rows stay" in words


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_answers_that_were_too_fast_are_a_warning_on_the_proposal_and_on_the_labels(campaigning):
    made = campaigning.campaigned
    campaign = made.opened(sample=5, too_fast=6.5)
    made.judge_all(campaign, [made.assessor(campaign)])
    address = f"{ADDRESS}/{campaign.id}/new-labels"
    page = campaigning.see(address)
    assert "took less than 6.5 seconds" in words_of(page)
    answer = campaigning.post(address, **form_of(page))
    assert answer.status_code == 303, answer.text
    assert "took less than 6.5 seconds" in words_of(campaigning.see(answer.headers["location"]))
