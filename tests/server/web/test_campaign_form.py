"""The settings of a campaign as a form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from runoff.server.web.campaign_form import campaign_groups, new_campaign, read_campaign, read_runs, run_boxes
from runoff.server.web.forms import Form
from runoff.tables.campaign_settings import CampaignSettings

RUNS = {4: "alder", 7: "birch"}


def names(groups):
    return [field.name for group in groups for field in group.fields]


def sent_of(settings, **changes):
    groups = campaign_groups(settings, label_sets=["dev"], runs=RUNS, chosen=None, is_new=True)
    fields = [field for group in groups for field in group.fields]
    sent = {field.name: field.value for field in fields if field.kind != "check" or field.value}
    return Form(sent | {"title": "Spring", "slug": "spring"} | changes)


def read(values, before=None, **more):
    how: dict[str, Any] = {"label_sets": ["dev"], "is_new": True, "is_started": False} | more
    return read_campaign(values, before or new_campaign(3, ["dev"]), **how)


def test_the_form_as_it_is_shown_makes_what_it_shows():
    settings = replace(
        new_campaign(3, ["dev"]), slug="spring", title="Spring", sample=50, seed=4, depth=2, way="sequential",
        judgments_per_pair=3, pay=1.25, fee=0.5, standing=True, too_fast=1.5,
    )  # fmt: skip
    values = sent_of(settings)
    assert (read(values), values.problems) == (settings, {})
    assert isinstance(settings, CampaignSettings)


def test_every_fault_is_told_beside_its_field():
    wrong = {"slug": "A B", "depth": "0", "sample": "many", "pay": "-1", "way": "magic", "label_set": "private"}
    values = sent_of(new_campaign(3, ["dev"]), **wrong)
    before = new_campaign(3, ["dev"])
    assert read(values, before) is before
    assert set(values.problems) == set(wrong)
    assert all("expected" in text for text in values.problems.values())
    values = sent_of(new_campaign(3, []))
    read(values, label_sets=[])
    assert "add labels first" in values.problems["label_set"]


def test_a_text_that_is_too_long_is_told_and_not_cut():
    values = sent_of(new_campaign(3, ["dev"]), instructions="x" * 5001)
    read(values)
    assert values.problems == {"instructions": "5,001 characters; expected 5,000 at most"}


def test_what_the_plan_was_made_from_is_not_offered_after_the_start():
    settings = replace(new_campaign(3, ["dev"]), slug="spring", title="Spring")
    offered = names(campaign_groups(settings, label_sets=["dev"], runs=RUNS, chosen=None, is_started=True))
    assert not {"slug", "depth", "sample", "seed", "way", "judgments_per_pair", "runs", "run_4"} & set(offered)
    values = Form({"title": "Summer", "depth": "9", "pay": "3", "fee": "0", "seconds_per_pair": "9", "too_fast": "1",
                     "lease_minutes": "30", "consent": "c", "instructions": "i"})  # fmt: skip
    found = read(values, settings, is_new=False, is_started=True)
    assert values.problems == {}
    assert (found.title, found.depth, found.slug, found.pay) == ("Summer", 1, "spring", 3.0)


@pytest.mark.parametrize(
    "sent, found",
    [({"runs": "all"}, (4, 7)), ({"runs": "chosen", "run_7": "yes", "run_9": "yes"}, (7,)), ({"runs": "chosen"}, ())],
)
def test_runs_are_all_or_those_that_are_ticked(sent, found):
    values = Form(sent)
    assert read_runs(values, list(RUNS)) == found
    assert ("runs" in values.problems) == (not found)


def test_without_runs_there_is_nothing_to_choose():
    values = Form({"runs": "all"})
    assert read_runs(values, []) == ()
    assert "wait until a run is scored" in values.problems["runs"]
    assert [field.value for field in run_boxes(RUNS, [7])] == ["", "yes"]
