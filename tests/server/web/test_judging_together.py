"""A campaign of 40 pairs by three assessors and an organiser, each in a browser, up to numbers that `runoff` repeats.

One assessor is careless, and the task is judged again by another. The labels that come of it, the ranks under them and
every number on the way are those that `runoff tally` computes of the files that the organiser saves.
"""

from __future__ import annotations

import pytest

from runoff.server.store.campaign_plans import load_progress
from runoff.server.store.campaigns import load_campaign
from runoff.server.store.database import open_database
from tests.server.store.upgraded import put_upgraded
from tests.server.web import together_steps as steps
from tests.server.web.real import RealServer
from tests.server.web.together_site import COPIES, ORGANISER, PAIRS, TASTE, Judge, do_task, made_board, together_site
from tests.server.web.travel import NARROW, WIDE, Traveller

pytestmark = pytest.mark.browser


def test_a_campaign_with_texts_is_prepared_and_started(browser, tmp_path):
    with together_site(tmp_path, "board") as server:
        olga = server.organiser(browser)
        assert steps.make_campaign(olga, tmp_path) == server.place
        olga.leave()


def test_a_careless_assessor_is_stopped(browser, tmp_path):
    with together_site(tmp_path, "open") as server:
        olga = server.organiser(browser)
        careless = Judge(browser, server.address, size=NARROW, wrong=True)
        careless.come_in(steps.make_link(olga, server.place))
        steps.a_careless_one_is_stopped(careless)
        steps.see_who_is_barred(olga, server.place)
        for traveller in (olga, careless):
            traveller.leave()


def test_two_assessors_judge_with_keys_and_with_the_thumb(browser, tmp_path):
    with together_site(tmp_path, "open") as server:
        olga = server.organiser(browser)
        careful = Judge(browser, server.address, size=WIDE)
        other = Judge(browser, server.address, size=NARROW, taste=TASTE)
        for judge in (careful, other):
            judge.come_in(steps.make_link(olga, server.place))
        steps.two_do_their_first_task(careful, other)
        steps.look_on(olga, server.place)
        progress = server.campaigned.read(load_progress, server.campaign.id)
        assert (progress.tasks_done, progress.tasks_given) == (2, 0)
        for traveller in (olga, careful, other):
            traveller.leave()


def test_when_nothing_is_left_an_assessor_gets_a_code(browser, tmp_path):
    with together_site(tmp_path, "open") as server:
        olga = server.organiser(browser)
        judge = Judge(browser, server.address, size=NARROW)
        judge.come_in(steps.make_link(olga, server.place))
        while do_task(server.campaigned, server.campaign, server.newest) == "done":
            pass
        steps.nothing_is_left(judge, button="Begin")
        for traveller in (olga, judge):
            traveller.leave()


def test_numbers_are_those_of_the_command(browser, tmp_path):
    with together_site(tmp_path, "judged") as server:
        check_progress(server.campaigned, server.campaign)
        olga = server.organiser(browser)
        saved = steps.save_files(olga, server.place, tmp_path)
        told = steps.tallied(tmp_path, saved)
        steps.check_results(olga, server.place, server.campaigned, server.campaign, told)
        olga.leave()


def test_the_board_ranks_by_the_new_labels(browser, tmp_path):
    with together_site(tmp_path, "judged") as server:
        olga = server.organiser(browser)
        told = steps.tally_here(server.campaigned, server.campaign)
        steps.check_labels(olga, server.place, server.campaigned, told)
        olga.leave()


def check_progress(campaigned, campaign):
    """All is judged, and the task of the careless one again."""
    progress = campaigned.read(load_progress, campaign.id)
    assert (progress.tasks_done, progress.judgments_done) == (8, COPIES * PAIRS)
    assert (progress.tasks_open, progress.tasks_given) == (0, 0)


@pytest.mark.proof
def test_three_assessors_and_an_organiser(browser, tmp_path):
    """All steps in a row, with a server process."""
    url = put_upgraded(tmp_path / "runoff.db")
    database = open_database(url)
    campaigned = made_board(database, tmp_path)
    with RealServer(url, tmp_path / "files") as server:
        olga = Traveller(browser, server.base)
        olga.sign_in(ORGANISER)
        place = steps.make_campaign(olga, tmp_path)
        links = [steps.make_link(olga, place) for _ in range(3)]
        careful = Judge(browser, server.base, size=WIDE)
        careless = Judge(browser, server.base, size=NARROW, wrong=True)
        other = Judge(browser, server.base, size=NARROW, taste=TASTE)
        for judge, link in zip((careful, careless, other), links, strict=True):
            judge.come_in(link)
        steps.a_careless_one_is_stopped(careless)
        steps.two_do_their_first_task(careful, other)
        steps.look_on(olga, place)
        for _ in range(3):
            for judge in (careful, other):
                judge.judge(button="Next task")
                judge.sees("Your task was handed in.")
        for judge in (careful, other):
            steps.nothing_is_left(judge, button="Next task")
        steps.see_who_is_barred(olga, place)
        campaign = campaigned.read(load_campaign, int(place.rpartition("/")[2]))
        check_progress(campaigned, campaign)
        saved = steps.save_files(olga, place, tmp_path)
        told = steps.tallied(tmp_path, saved)
        steps.check_results(olga, place, campaigned, campaign, told)
        steps.check_labels(olga, place, campaigned, told)
        for traveller in (olga, careful, careless, other):
            traveller.leave(503)
    database.close()
