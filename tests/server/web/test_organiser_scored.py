"""A board with scored runs in a browser: its organiser's work on it, what others see, and the whole way to there."""

from __future__ import annotations

import pytest

from runoff.server.web.server import prepare
from tests.server.web import organiser_steps as steps
from tests.server.web.organised import ORGANISER, organised
from tests.server.web.travel import Traveller

pytestmark = pytest.mark.browser


@pytest.fixture
def server(tmp_path):
    """A server whose board has four scored runs."""
    with organised(tmp_path) as made:
        yield made


def test_near_duplicates_are_found_in_the_background(browser, server):
    olga = server.person(browser, "olga")
    steps.look_for_near_duplicates(olga)
    olga.leave()


def test_a_run_is_taken_out_of_the_rule(browser, server):
    olga, ann = server.person(browser, "olga"), server.person(browser, "ann")
    steps.take_a_run_out_of_the_rule(olga, ann)
    for traveller in (olga, ann):
        traveller.leave()


def test_another_measure_scores_every_run_again(browser, server):
    olga = server.person(browser, "olga")
    steps.choose_another_measure(olga)
    olga.leave(422)


def test_new_labels_are_seen_before_they_are_used(browser, server):
    olga, ann = server.person(browser, "olga"), server.person(browser, "ann")
    steps.add_labels(olga, ann, server.files)
    for traveller in (olga, ann):
        traveller.leave()


def test_two_runs_are_compared_but_none_under_an_embargo(browser, server):
    ann = server.person(browser, "ann", dark=True)
    steps.compare_runs(ann)
    ann.leave(404, 422)


def test_embargo_and_private_results_end_at_their_times(browser, server):
    ann = server.person(browser, "ann", dark=True)
    steps.wait_for_the_reveal(ann, server.clock)
    ann.leave()


@pytest.mark.proof
def test_a_board_from_its_making_to_its_reveal(browser, tmp_path):
    """All steps in a row."""
    with organised(tmp_path, people=False, board=False, runs=False) as server:
        *_, link = prepare(server.site, organiser=ORGANISER)
        olga, ann, bob, cleo = people = [
            Traveller(browser, server.address, dark=dark) for dark in (False, True, False, True)
        ]
        steps.make_an_account(olga, link.strip())
        steps.make_a_board(olga, server.files)
        steps.gather_people(olga, ann, bob, cleo)
        steps.send_broken_runs(ann, server.files)
        steps.submit_until_none_is_left(ann, server.files)
        steps.submit_under_an_embargo(bob, cleo, server.files)
        steps.look_for_near_duplicates(olga)
        steps.take_a_run_out_of_the_rule(olga, ann)
        steps.choose_another_measure(olga)
        steps.add_labels(olga, ann, server.files)
        steps.compare_runs(ann)
        steps.wait_for_the_reveal(ann, server.clock)
        for traveller in people:
            traveller.leave(404, 422)
