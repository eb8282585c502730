"""Who sees what: runs that stay anonymous, and pages that were made for somebody else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from runoff.server.cache import Kept
from runoff.server.web.app import create_app
from tests.server.web.crawls import NAMED, NOBODY, crawled, marked_server, other_team, send_hidden
from tests.server.web.leaks import Crawl
from tests.server.web.marked import marked_run
from tests.server.web.test_hidden_share import hide
from tests.server.web.test_leaks import TELLING

pytestmark = pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
MOVING = {"/metrics", "/boards/trees/submit", "/organise/people"}
"""Answers that differ each time: counters, and the key that a form draws."""


def test_a_run_that_wants_to_stay_anonymous_does(database, tmp_path):
    with marked_server(database, tmp_path) as serving:
        send_hidden(serving)
        crawl = crawled(serving, NOBODY)
        assert crawl.holding(TELLING) == []
        assert crawl.holding(["Team 1"]) != []


def cold(serving):
    """The same server as if it had just been started."""
    return TestClient(create_app(replace(serving.site, answers=Kept(most=64))), follow_redirects=False)


@pytest.mark.proof
@pytest.mark.parametrize("share", [0.0, 0.4])
def test_no_page_that_was_kept_for_one_is_shown_to_another(database, tmp_path, share):
    settings = {"anonymous_until": NAMED, "private_until": NAMED, "closes_at": NAMED, "digits": 4}
    with marked_server(database, tmp_path, **settings) as serving:
        send_hidden(serving)
        serving.send(marked_run(7), said={"name": "veiled", "embargo_until": "2027-01-01"})
        serving.work()
        if share:
            hide(serving, share)
            serving.work()
        people = [
            serving.token_of(serving.served.organiser, "read", "organise"),
            serving.bearer,
            other_team(serving),
            NOBODY,
        ]
        # Whoever comes later meets what was kept for those before.
        warm = [crawled(serving, headers) for headers in people]
        again = [crawled(serving, headers) for headers in reversed(people)][::-1]
        for headers, first, second in zip(people, warm, again, strict=True):
            with cold(serving) as client:
                alone = Crawl(client, headers).follow(first.found)
            for path, answer in alone.found.items():
                if path not in MOVING:
                    assert first.found[path] == answer, path
                    assert second.found[path] == answer, path
        organiser, visitor = warm[0].get("/boards/trees"), warm[-1].get("/boards/trees")
        assert organiser.text != visitor.text
        assert "no-store" in visitor.text


def test_browsers_keep_no_page_and_no_picture_of_somebody(database, tmp_path):
    with marked_server(database, tmp_path) as serving:
        for headers, kept in ((NOBODY, "private, no-cache"), (serving.bearer, "no-store")):
            picture = serving.client.get("/boards/trees/charts/timeline.svg", headers=headers)
            assert picture.headers["cache-control"] == kept
            assert "Cookie" in picture.headers["vary"]
            assert serving.client.get("/boards/trees", headers=headers).headers["cache-control"] == "no-store"
