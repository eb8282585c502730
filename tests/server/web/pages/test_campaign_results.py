"""The page of a campaign's results."""

from __future__ import annotations

import pytest

from runoff.server.cases.judging.results import load_results
from tests.server.web.campaigning import ADDRESS, words_of


def test_results_from_the_first_task_to_the_end(campaigning):
    made = campaigning.campaigned
    campaign = made.opened(depth=2)
    address = f"{ADDRESS}/{campaign.id}/results"
    assert "No judgments count yet." in words_of(campaigning.see(address))
    assert campaigning.ask(f"{address}/charts/win_ratio_matrix.svg").status_code == 404
    actors = [made.assessor(campaign), made.assessor(campaign)]
    made.do(campaign, actors[0])
    assert "Judging is not finished." in words_of(campaigning.see(address))
    made.judge_all(campaign, actors)
    page = campaigning.see(address)
    words = words_of(page)
    assert "Judging is not finished." not in words
    for part in ("Win ratios on 8 queries", "Better than perfect", "Impact on RR@10", "Best known answers"):
        assert part in words
    assert "How often the column's top document is preferred to the row's" in words
    assert "Order of judged pairs" in words
    ratios = made.read(load_results, made.files, campaign, actor=made.organiser).tally.board.ratios
    first, second = ratios.order[:2]
    assert ratios.runs[first] == "perfect ranking"
    assert f"{ratios.ratios[first, second]:.1%} ({ratios.counted[first, second]})" in words
    assert "-0.000" not in words
    pictures = [str(one["src"]) for one in page.all("img") if "/charts/" in str(one["src"])]
    assert [one.rpartition("/")[2].partition(".")[0] for one in pictures] == [
        "win_ratio_matrix", "label_impact", "pool_sizes",
    ]  # fmt: skip
    drawn = campaigning.ask(pictures[0])
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert "private" in drawn.headers["cache-control"]


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_draft_has_no_results_and_a_closed_one_says_what_is_missing(campaigning):
    made = campaigning.campaigned
    draft = made.draft()
    address = f"{ADDRESS}/{draft.id}"
    assert "No judgments count yet." in words_of(campaigning.see(f"{address}/results"))
    made.do(made.start(draft), made.assessor(draft))
    campaigning.post(f"{address}/state/close")
    assert "closed before everything was judged" in words_of(campaigning.see(f"{address}/results"))
