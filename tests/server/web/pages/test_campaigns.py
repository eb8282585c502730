"""The pages of all campaigns of a board: list, new one, settings."""

from __future__ import annotations

import pytest

from runoff.server.store.campaign_pools import load_campaign_runs
from tests.server.store.backends import both_databases
from tests.server.web.campaigning import ADDRESS, form_of, words_of
from tests.server.web.checks import checked


def new(campaigning, **changes):
    page = campaigning.see(f"{ADDRESS}/new")
    chosen = {"title": "Spring", "slug": "spring", "label_set": "dev", "runs": "all", "way": "full"}
    return campaigning.post(f"{ADDRESS}/new", **(form_of(page) | chosen | changes))


def test_a_draft_is_made_listed_and_read(campaigning):
    assert "There is no campaign yet." in words_of(campaigning.see(ADDRESS))
    assert f'href="{ADDRESS}"' in campaigning.ask("/boards/trees/organise").text
    answer = new(campaigning, sample="5", seed="3", judgments_per_pair="2", consent="Agree?", standing="yes")
    (made,) = campaigning.campaigns
    assert (answer.status_code, answer.headers["location"]) == (303, f"{ADDRESS}/{made.id}?done=campaign")
    assert (made.state, made.sample, made.seed, made.judgments_per_pair) == ("draft", 5, 3, 2)
    assert (made.consent, made.standing, made.single_best) == ("Agree?", True, False)
    assert list(campaigning.campaigned.read(load_campaign_runs, made.id)) == campaigning.campaigned.run_ids
    assert "being read" in words_of(campaigning.see(f"{ADDRESS}/{made.id}?done=campaign"))
    campaigning.campaigned.work()
    words = words_of(campaigning.see(ADDRESS))
    assert "Spring" in words
    assert "draft" in words


def test_progress_and_cost_are_in_the_list(campaigning):
    made = campaigning.campaigned
    campaign = made.opened()
    made.do(campaign, made.assessor(campaign))
    words = words_of(campaigning.see(ADDRESS))
    assert "2.40" in words
    assert "open" in words
    assert " of " in words


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_every_fault_is_told_beside_its_field(campaigning):
    made = campaigning.campaigned.draft()
    answer = new(campaigning, title="", slug="Best!", depth="0", runs="chosen", seconds_per_pair="x")
    page = checked(answer.text)
    assert answer.status_code == 422
    assert [one["name"] for one in page.all("input") if "aria-invalid" in one] == [
        "title", "slug", "depth", "seconds_per_pair",
    ]  # fmt: skip
    assert "5 fields have to be fixed" in words_of(page)
    assert "Browsers forget chosen files" not in words_of(page)
    taken = new(campaigning, slug=made.slug)
    assert taken.status_code == 422
    assert "a campaign is called &#39;best&#39; already" in taken.text
    assert new(campaigning, csrf="guessed").status_code == 403
    assert len(campaigning.campaigns) == 1
    private = new(campaigning, label_set="secret")
    assert (private.status_code, "expected one of dev" in private.text) == (422, True)


@both_databases
def test_settings_are_changed_once_per_version(campaigning):
    made = campaigning.campaigned.draft()
    address = f"{ADDRESS}/{made.id}/settings"
    sent = form_of(campaigning.see(address)) | {
        "label_set": "dev",
        "runs": "chosen",
        "way": "sequential",
        "run_1": "yes",
    }
    answer = campaigning.post(address, **(sent | {"depth": "3"}))
    assert answer.headers["location"] == f"{ADDRESS}/{made.id}?done=campaign-saved"
    (changed,) = campaigning.campaigns
    assert (changed.depth, changed.way, changed.version) == (3, "sequential", 2)
    assert campaigning.campaigned.read(load_campaign_runs, made.id) == (1,)
    again = campaigning.post(address, **sent)
    assert (again.status_code, "has since been changed" in again.text) == (422, True)


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_after_the_start_what_the_plan_was_made_from_stays(campaigning):
    made = campaigning.campaigned.opened()
    address = f"{ADDRESS}/{made.id}/settings"
    page = campaigning.see(address)
    assert "The campaign has started" in words_of(page)
    sent = form_of(page) | {"pay": "3.5", "depth": "9", "title": "Summer"}
    assert campaigning.post(address, **sent).status_code == 303
    (changed,) = campaigning.campaigns
    assert (changed.pay, changed.depth, changed.title) == (3.5, made.depth, "Summer")
    wrong = campaigning.post(address, **(sent | {"pay": "much"}))
    assert (wrong.status_code, "a number from 0 to 1,000,000" in wrong.text) == (422, True)


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_box_that_was_emptied_stays_so_beside_a_fault(campaigning):
    made = campaigning.campaigned.draft(standing=True)
    address = f"{ADDRESS}/{made.id}/settings"
    sent = form_of(campaigning.see(address)) | {"label_set": "dev", "runs": "all", "way": "full", "depth": "0"}
    page = checked(campaigning.post(address, **sent).text)
    (standing,) = [one for one in page.all("input") if one.get("name") == "standing"]
    assert "checked" not in standing
