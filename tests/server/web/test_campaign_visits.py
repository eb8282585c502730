"""Who may see the pages of a campaign."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runoff.errors import NotAllowedError, NotFoundError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.make import make_board
from runoff.server.store.label_sets import NewVersion, save_label_set
from runoff.server.web.app import ROUTES
from runoff.server.web.campaign_visits import about_words, load_open_labels, load_run_words, visit_campaign
from runoff.server.web.visitors import Visitor
from tests.server.cases.judging.campaigned import write_board
from tests.server.cases.reading_here import HERE
from tests.server.web.campaigning import ADDRESS
from tests.server.web.served import CSRF


def organiser(campaigning):
    return Visitor(actor=campaigning.campaigned.organiser, person=campaigning.organiser, csrf="c")


def test_organisers_alone_and_on_its_own_board_alone(campaigning):
    campaign = campaigning.campaigned.draft()
    visit = visit_campaign(campaigning.site, organiser(campaigning), "trees", campaign.id)
    assert (visit.campaign.id, visit.address) == (campaign.id, f"{ADDRESS}/{campaign.id}")
    member = Visitor(actor=Actor(id=9, role="member"))
    with pytest.raises(NotAllowedError):
        visit_campaign(campaigning.site, member, "trees", campaign.id)
    made = campaigning.campaigned
    toml = write_board(made.folder / "other", 1)
    make_board(made.database, made.files, toml, slug="other", settings={"most": 9}, now=made.now(), reader=HERE)
    with pytest.raises(NotFoundError):
        visit_campaign(campaigning.site, organiser(campaigning), "other", campaign.id)


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_no_page_of_a_campaign_is_for_anybody_else(campaigning):
    campaign = campaigning.campaigned.opened()
    member = campaigning.member()
    asked = 0
    for _, routers in ROUTES:
        for route in (route for router in routers for route in router.routes):
            path = getattr(route, "path", "")
            if not path.startswith("/boards/{slug}/campaigns"):
                continue
            for name, value in (("slug", "trees"), ("number", campaign.id), ("name", "pool.csv"), ("move", "pause")):
                path = path.replace(f"{{{name}}}", str(value))
            for name in ("link", "job", "pair", "person"):
                path = path.replace(f"{{{name}}}", "1")
            for method in route.methods or ():  # type: ignore[attr-defined]
                answer = campaigning.ask(path, method, person=member, data={"csrf": CSRF} if method == "POST" else None)
                assert answer.status_code == 403, (method, path)
                asked += 1
    assert asked > 20
    assert campaigning.campaigns[0].state == "open"


def test_private_labels_are_not_offered(campaigning):
    board = campaigning.campaigned.board
    new = NewVersion(board_id=board.id, name="secret", queries=3, content_hash=None)
    campaigning.site.database.write(
        lambda connection: save_label_set(connection, new, judged=3, actor=None, now=campaigning.campaigned.now())
    )
    assert campaigning.campaigned.read(load_open_labels, board) == ("dev",)
    found = campaigning.campaigned.read(load_run_words, board, organiser(campaigning), campaigning.site)
    assert sorted(found) == campaigning.campaigned.run_ids
    assert next(iter(found.values())).startswith("run 1 · Team 1 · 0.6")


def test_a_campaign_in_a_line(campaigning):
    campaign = campaigning.campaigned.draft()
    assert about_words(campaign) == "Labels dev · all queries · depth 1 · all pairs, each judged once"
    other = replace(campaign, sample=5, way="sequential", judgments_per_pair=2, standing=True)
    said = "Labels dev · 5 queries (seed 0) · depth 1 · sequential · standing"
    assert about_words(other) == said
