"""An organiser makes a board and gathers people, and two teams submit to it: each step in a browser, by itself."""

from __future__ import annotations

import pytest

from runoff.server.web.server import prepare
from tests.server.web import organiser_steps as steps
from tests.server.web.organised import ORGANISER, organised
from tests.server.web.travel import Traveller

pytestmark = pytest.mark.browser


def test_an_account_and_a_board_are_made(browser, tmp_path):
    with organised(tmp_path, people=False, board=False, runs=False) as server:
        *_, link = prepare(server.site, organiser=ORGANISER)
        olga = Traveller(browser, server.address)
        steps.make_an_account(olga, link.strip())
        steps.make_a_board(olga, server.files)
        olga.leave(422)


def test_people_join_and_found_teams(browser, tmp_path):
    with organised(tmp_path, people=False, board=False, runs=False) as server:
        *_, link = prepare(server.site, organiser=ORGANISER)
        olga, ann, bob, cleo = (Traveller(browser, server.address, dark=dark) for dark in (False, True, False, True))
        olga.join(link.strip(), "Olga", ORGANISER)
        steps.gather_people(olga, ann, bob, cleo)
        for traveller in (olga, ann, bob, cleo):
            traveller.leave()


def test_a_broken_run_is_refused_and_costs_no_submission(browser, tmp_path):
    with organised(tmp_path, runs=False) as server:
        ann = server.person(browser, "ann", dark=True)
        steps.send_broken_runs(ann, server.files)
        ann.leave(422)


def test_a_team_submits_until_the_rule_leaves_none(browser, tmp_path):
    with organised(tmp_path, runs=False) as server:
        ann = server.person(browser, "ann", dark=True)
        steps.submit_until_none_is_left(ann, server.files)
        ann.leave()


def test_a_run_under_an_embargo_is_seen_by_its_team(browser, tmp_path):
    with organised(tmp_path, runs=False) as server:
        bob, cleo = server.person(browser, "bob"), server.person(browser, "cleo", dark=True)
        steps.submit_under_an_embargo(bob, cleo, server.files)
        for traveller in (bob, cleo):
            traveller.leave()
