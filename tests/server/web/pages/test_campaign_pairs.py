"""The page of test pairs."""

from __future__ import annotations

import pytest

from runoff.server.cases.judging.manage import create_campaign
from runoff.server.store.campaign_pools import load_known_pairs
from tests.server.cases.judging.test_texts import DOC_TEXTS, QUERY_TEXTS
from tests.server.store.backends import both_databases
from tests.server.web.campaigning import ADDRESS, words_of
from tests.server.web.checks import checked


@both_databases
def test_test_pairs_are_drawn_seen_added_and_removed(campaigning):
    made = campaigning.campaigned
    draft = made.draft()
    address = f"{ADDRESS}/{draft.id}/test-pairs"
    assert "There are no test pairs yet." in words_of(campaigning.see(address))
    assert campaigning.post(f"{address}/draw").headers["location"] == f"{address}?done=pairs-drawn"
    drawn = made.read(load_known_pairs, draft.id)
    words = words_of(campaigning.see(address))
    assert f"Test pairs 1 to {len(drawn)} of {len(drawn)}." in words
    assert drawn[0].right_doc in words
    added = campaigning.post(address, pairs="q0 a.q0 a.q1\n\nq1 a.q1 a.q0\n")
    assert added.headers["location"] == f"{address}?done=pairs-added"
    known = made.read(load_known_pairs, draft.id)
    assert ("q1", "a.q1", "a.q0") in {one.pair for one in known}
    assert campaigning.post(f"{address}/{known[0].id}/remove").status_code == 303
    assert known[0] not in made.read(load_known_pairs, draft.id)
    assert campaigning.post(f"{address}/999/remove").status_code == 404


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_every_line_that_is_wrong_is_told(campaigning):
    made = campaigning.campaigned
    draft = made.draft()
    address = f"{ADDRESS}/{draft.id}/test-pairs"
    answer = campaigning.post(address, pairs="q0 a.q0\nq0 a.q0 a.q1\nq1 x x\n")
    assert answer.status_code == 422
    assert "line 1: 2 words" in answer.text
    assert "line 3: the same document twice" in answer.text
    checked(answer.text)
    assert campaigning.post(address, pairs="").status_code == 422
    assert made.read(load_known_pairs, draft.id) == ()


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_texts_are_shown_and_a_pair_without_one_is_refused(campaigning):
    made = campaigning.campaigned
    draft = made.draft()
    texts = {"queries": ("q.tsv", QUERY_TEXTS), "docs": ("d.tsv", DOC_TEXTS)}
    campaigning.send(f"{ADDRESS}/{draft.id}/texts", **texts)
    address = f"{ADDRESS}/{draft.id}/test-pairs"
    assert campaigning.post(address, pairs="q0 a.q0 a.q1").status_code == 303
    words = words_of(campaigning.see(address))
    assert "a answers q0" in words
    assert "text of q0" in words
    unknown = campaigning.post(address, pairs="q0 a.q0 nobody")
    assert (unknown.status_code, "no text of document &#39;nobody&#39;" in unknown.text) == (422, True)
    assert str(made.files.folder) not in unknown.text


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_many_pairs_have_pages_and_a_start_ends_the_drawing(campaigning):
    made = campaigning.campaigned
    campaign = made.opened(tests_per_task=1)
    address = f"{ADDRESS}/{campaign.id}/test-pairs"
    assert "Draw test pairs" not in words_of(campaigning.see(address))
    lines = "\n".join(f"q{one} a.q{one} x{other}" for one in range(8) for other in range(4))
    assert campaigning.post(address, pairs=lines).status_code == 303
    first = campaigning.see(address)
    assert f"{address}?page=2" in [one.get("href") for one in first.all("a")]
    second = words_of(campaigning.see(f"{address}?page=2"))
    assert "Test pairs 26 to" in second
    assert "There are no test pairs yet." in words_of(campaigning.see(f"{address}?page=99"))


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_pairs_cannot_be_drawn_before_the_runs_are_read(campaigning):
    made = campaigning.campaigned
    draft = create_campaign(made.database, made.settings(), made.run_ids, actor=made.organiser, now=made.now())
    answer = campaigning.post(f"{ADDRESS}/{draft.id}/test-pairs/draw")
    assert (answer.status_code, "are still to be read" in answer.text) == (422, True)


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_pair_that_most_people_fail_is_shown_and_switched_off_with_what_it_took(campaigning):
    made = campaigning.campaigned
    draft = made.draft(judgments_per_pair=4)
    address = f"{ADDRESS}/{draft.id}"
    campaigning.post(f"{address}/test-pairs", pairs="q0 a.q1 a.q0")
    campaign = made.start(draft)
    for _ in range(2):
        assert made.do(campaign, made.assessor(campaign)) == "discarded"
    for page in ("assessors", "test-pairs"):
        assert "Most people fail 1 test pair." in words_of(campaigning.see(f"{address}/{page}"))
    seen = campaigning.see(f"{address}/test-pairs")
    assert "2 of 2 most fail" in " ".join(words_of(seen).split())
    (known,) = made.read(load_known_pairs, campaign.id)
    answer = campaigning.post(f"{address}/test-pairs/{known.id}/remove")
    assert answer.headers["location"].endswith("?done=pair-restored")
    words = words_of(campaigning.see(answer.headers["location"]))
    assert "The people who were barred for it get tasks again" in words
    assert "Switched off: 1 test pair that most people failed." in words
    assert "2 assessors: 2 active." in words_of(campaigning.see(f"{address}/assessors"))
