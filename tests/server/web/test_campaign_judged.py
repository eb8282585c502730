"""An organiser's campaign while assessors judge and afterwards, in a browser: results, assessors, labels, files."""

from __future__ import annotations

import pytest

from tests.server.web import campaign_steps as steps
from tests.server.web.campaign_site import campaign_server

pytestmark = pytest.mark.browser


def test_results_are_shown_while_judging_goes_on(browser, tmp_path):
    with campaign_server(tmp_path, "open") as server:
        olga = server.organiser(browser)
        steps.read_results(olga, server.judged())
        olga.leave()


def test_a_barred_assessor_is_reinstated(browser, tmp_path):
    with campaign_server(tmp_path, "judged") as server:
        olga = server.organiser(browser)
        steps.reinstate_an_assessor(olga, server.judged().place)
        olga.leave()


def test_a_version_of_the_labels_is_made(browser, tmp_path):
    with campaign_server(tmp_path, "judged") as server:
        olga = server.organiser(browser)
        steps.make_labels(olga, server.judged().place)
        olga.leave()


def test_judgments_are_saved_and_taken_in_as_files(browser, tmp_path):
    with campaign_server(tmp_path, "judged") as server:
        olga = server.organiser(browser)
        steps.exchange_files(olga, server.files, server.judged().place)
        olga.leave(422)


def test_a_campaign_is_extended_and_closed(browser, tmp_path):
    with campaign_server(tmp_path, "judged") as server:
        olga = server.organiser(browser)
        steps.extend_and_close(olga, server.judged().place, server.working)
        olga.leave()


def test_a_closed_campaign_can_be_read_in_the_dark(browser, tmp_path):
    with campaign_server(tmp_path, "closed") as server:
        olga = server.organiser(browser, dark=True)
        steps.look_in_the_dark(olga, server.judged().place)
        olga.leave()
