"""An organiser makes a campaign, starts it and lets assessors in: each step in a browser, by itself."""

from __future__ import annotations

import pytest

from tests.server.web import campaign_steps as steps
from tests.server.web.campaign_site import ORGANISER, campaign_server
from tests.server.web.travel import Traveller

pytestmark = pytest.mark.browser


def test_a_draft_is_made_with_its_form(browser, tmp_path):
    with campaign_server(tmp_path, "none") as server:
        olga = Traveller(browser, server.site.settings.base_url)
        olga.sign_in(ORGANISER)
        assert steps.make_a_draft(olga) == server.judged().place
        olga.leave(422)


def test_texts_are_sent_until_all_are_there(browser, tmp_path):
    with campaign_server(tmp_path, "draft") as server:
        olga = server.organiser(browser)
        steps.send_texts(olga, server.files, server.judged().place)
        olga.leave(422)


def test_test_pairs_are_drawn_removed_and_added(browser, tmp_path):
    with campaign_server(tmp_path, "texts") as server:
        olga = server.organiser(browser)
        steps.choose_test_pairs(olga, server.judged().place)
        olga.leave(422)


def test_a_campaign_is_started(browser, tmp_path):
    with campaign_server(tmp_path, "texts") as server:
        olga = server.organiser(browser)
        steps.start_the_campaign(olga, server.judged().place)
        olga.leave()


def test_links_are_made_and_withdrawn(browser, tmp_path):
    with campaign_server(tmp_path, "open") as server:
        olga = server.organiser(browser)
        steps.make_links(olga, server.judged().place)
        olga.leave()


def test_the_progress_is_shown_as_it_goes_on(browser, tmp_path):
    with campaign_server(tmp_path, "open") as server:
        olga = server.organiser(browser)
        steps.watch_the_progress(olga, server.judged())
        olga.leave()


@pytest.mark.proof
def test_a_campaign_from_its_form_to_new_labels(browser, tmp_path):
    """All steps in a row."""
    with campaign_server(tmp_path, "none") as server:
        olga = Traveller(browser, server.site.settings.base_url)
        olga.sign_in(ORGANISER)
        place = steps.make_a_draft(olga)
        steps.send_texts(olga, server.files, place)
        steps.choose_test_pairs(olga, place)
        steps.start_the_campaign(olga, place)
        steps.make_links(olga, place)
        judged = server.judged()
        (careless,) = judged.assessors(1)
        assert judged.judge(careless, wrong=True) == "discarded"
        steps.read_results(olga, judged)
        judged.judge_all(judged.assessors(2))
        steps.make_labels(olga, place)
        steps.exchange_files(olga, server.files, place)
        steps.extend_and_close(olga, place, server.working)
        dark = server.organiser(browser, dark=True)
        steps.look_in_the_dark(dark, place)
        for traveller in (olga, dark):
            traveller.leave(422)
