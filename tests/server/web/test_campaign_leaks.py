"""Nothing private leaves the server by a campaign: not to organisers, and to others not even the campaign."""

from __future__ import annotations

import re

import pytest

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.manage import create_campaign, start_campaign
from runoff.server.store.submissions import load_runs
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.cases.judging.campaigned import Campaigned
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import NOW
from tests.server.web.crawls import MARKS, NOBODY, other_team
from tests.server.web.leaks import Crawl
from tests.server.web.marked import write_marked_board
from tests.server.web.serving import Serving

pytestmark = pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
ADDRESS = "/boards/trees/campaigns"
PAGES = ("", "/progress", "/results", "/assessors", "/test-pairs", "/new-labels", "/files", "/files/judgments.csv",
         "/files/tasks.csv", "/files/pool.csv", "/files/preference.qrels", "/files/hush.zip", "/settings")  # fmt: skip


@pytest.fixture
def judged(database, tmp_path):
    """A marked board with a campaign on it in which somebody has judged."""
    with Serving.made_in(database, tmp_path, write=write_marked_board, most=9) as serving:
        board, organiser = serving.served.board, Actor(id=serving.served.organiser.id, role="organiser")
        with database.read() as connection:
            runs = [run.id for run in load_runs(connection, board.id, state="scored")]
        settings = CampaignSettings(
            slug="hush", title="Hush", board_id=board.id, label_set="dev", depth=2, tests_per_task=0
        )
        draft = create_campaign(database, settings, runs, actor=organiser, now=NOW)
        serving.work()
        campaign = start_campaign(database, serving.site.files, draft.id, actor=organiser, now=lambda: NOW, reader=HERE)
        made = Campaigned(database, serving.site.files, board, organiser, tmp_path)
        assert made.do(campaign, made.assessor(campaign)) is not None
        yield serving, campaign


def test_organisers_see_no_private_query_in_a_campaign(judged):
    serving, campaign = judged
    headers = serving.token_of(serving.served.organiser, "read", "organise")
    crawl = Crawl(serving.client, headers)
    for page in PAGES:
        assert crawl.get(f"{ADDRESS}/{campaign.id}{page}").status == 200, page
    assert crawl.get(ADDRESS).status == crawl.get(f"{ADDRESS}/new").status == 200
    assert crawl.holding(MARKS) == []
    assert crawl.holding(["Hush"]) != []


def test_others_see_neither_the_campaign_nor_that_there_is_one(judged):
    serving, campaign = judged
    for headers in (NOBODY, serving.bearer, other_team(serving)):
        crawl = Crawl(serving.client, headers)
        for page in ("/", "/boards/trees", "/boards/trees/organise", ADDRESS, f"{ADDRESS}/new", "/method"):
            crawl.get(page)
        for page in PAGES:
            there, absent = (crawl.get(f"{ADDRESS}/{number}{page}") for number in (campaign.id, 99))
            assert there.status in {303, 403}
            # Where to go on after signing in is the address that was asked for.
            texts = [
                re.sub(rf"/campaigns/{number}\b", "/campaigns/N", one.text)
                for number, one in ((campaign.id, there), (99, absent))
            ]
            assert texts[0] == texts[1]
        assert [(path, word) for path, word in crawl.holding(["Hush", "hush", *MARKS]) if word not in path] == []
    reader = serving.token_of(serving.served.organiser, "read")
    assert serving.client.get(ADDRESS, headers=reader).status_code == 403
