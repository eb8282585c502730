"""Who sees what: anonymous runs, runs under embargo, and pages that were made for somebody else."""

from __future__ import annotations

import html
from dataclasses import replace
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient

from runoff.web.app import create_app
from runoff.web.kept import Kept
from tests.web.leaks import Crawl
from tests.web.marked import marked_run, write_marked_board
from tests.web.serving import API, Serving
from tests.web.test_leaks import NOBODY, crawled, hide, other_team
from tests.workflows.served import NOW

pytestmark = pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
NAMED = NOW + timedelta(days=5)
RUNS = range(1, 7)
MOVING = {"/metrics", "/boards/trees/submit", "/organise/people"}
"""Answers that differ each time: counters, and the key that a form draws."""


def served(database, tmp_path, **settings):
    return Serving.made_in(database, tmp_path, write=write_marked_board, most=9, variants=5, **settings)


def send_hidden(serving):
    """Two anonymous runs of the team Oaks, one a variation of the other, from files that are named for the team."""
    said = {"name": "ghost", "anonymous": True}
    serving.send(marked_run(5, skill=0.9), said=said, name="oaks-secret.run")
    serving.send(marked_run(6), said=said | {"name": "ghost 2", "variant_of": "ghost"}, name="oaks-secret.run")
    serving.work()


TELLING = ("Oaks", "Ann", "ann@example.org", "oaks-secret")


def test_an_anonymous_run_is_nobodys_until_teams_are_named(database, tmp_path):
    with served(database, tmp_path, anonymous_until=NAMED) as serving:
        send_hidden(serving)
        others = other_team(serving)
        for headers in (NOBODY, others):
            crawl = crawled(serving, headers, RUNS)
            assert crawl.holding([*TELLING, "Team 0", "Team 1"]) == []
            assert "ghost" in crawl.get("/boards/trees").text
            assert "ariation of" not in crawl.get("/boards/trees/runs/5").text
            assert crawl.get("/boards/trees/organise").status in {401, 403, 303}
        own = crawled(serving, serving.bearer, RUNS)
        assert {"/boards/trees/runs/4", f"{API}/runs/4", "/teams/oaks"} <= {path for path, _ in own.holding(["Oaks"])}
        serving.clock.moment = NAMED
        crawl = crawled(serving, {}, RUNS)
        assert {"/boards/trees", "/boards/trees/runs/4", f"{API}/runs/4", f"{API}/boards/trees"} <= {
            path for path, _ in crawl.holding(["Oaks"])
        }
        assert crawl.holding(["Ann", "ann@example.org"]) == []


def test_a_run_that_wants_to_stay_anonymous_does(database, tmp_path):
    with served(database, tmp_path) as serving:
        send_hidden(serving)
        crawl = crawled(serving, {}, RUNS)
        assert crawl.holding(TELLING) == []
        assert crawl.holding(["Team 1"]) != []


def without(answer, number):
    text = html.unescape(answer.text).replace(f"runs/{number}", "runs/N").replace(f"run {number}", "run N")
    return answer.status, text.replace(f"'{number}'", "'N'").replace(f"challenger={number}", "challenger=N")


ASKED = (
    "/boards/trees/runs/{}",
    f"{API}/runs/{{}}",
    "/boards/trees/compare?champion=2&challenger={}",
    "/boards/trees/compare?champion={}&challenger=2",
    "/boards/trees/compare/charts/outcome_bars.svg?champion=2&challenger={}",
    f"{API}/boards/trees/compare?champion=2&challenger={{}}",
)


def test_a_run_under_embargo_is_not_there_for_others(database, tmp_path):
    with served(database, tmp_path) as serving:
        said = {"name": "veiled", "embargo_until": NAMED.date().isoformat()}
        sent = serving.send(marked_run(5, skill=0.95), said=said)
        assert sent.json()["id"] == 4
        for state in ("queued", "scored"):
            for headers in (NOBODY,) if state == "queued" else (NOBODY, other_team(serving)):
                crawl = crawled(serving, headers, RUNS)
                assert crawl.holding(["veiled"]) == []
                for path in ASKED:
                    hidden, absent = crawl.get(path.format(4)), crawl.get(path.format(9))
                    assert hidden.status in {404, 422}
                    assert without(hidden, 4) == without(absent, 9), path
            serving.work()
        own = crawled(serving, serving.bearer, RUNS)
        assert {"/boards/trees", "/boards/trees/runs/4", f"{API}/runs/4", "/teams/oaks"} <= {
            path for path, _ in own.holding(["veiled"])
        }
        later = serving.send(marked_run(6), said={"name": "later"}).json()["id"]
        serving.work()
        assert Crawl(serving.client).get(f"{API}/runs/{later}").text.count("veiled") == 0
        serving.clock.moment = NAMED
        crawl = crawled(serving, {}, RUNS)
        assert {"/boards/trees", "/boards/trees/runs/4", f"{API}/runs/4", f"{API}/boards/trees"} <= {
            path for path, _ in crawl.holding(["veiled"])
        }


def cold(serving):
    """The same server as if it had just been started."""
    return TestClient(create_app(replace(serving.site, answers=Kept(most=64))), follow_redirects=False)


@pytest.mark.proof
@pytest.mark.parametrize("share", [0.0, 0.4])
def test_no_page_that_was_kept_for_one_is_shown_to_another(database, tmp_path, share):
    settings = {"anonymous_until": NAMED, "private_until": NAMED, "digits": 4}
    with served(database, tmp_path, **settings) as serving:
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
        warm = [crawled(serving, headers, RUNS) for headers in people]
        again = [crawled(serving, headers, RUNS) for headers in reversed(people)][::-1]
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
    with served(database, tmp_path) as serving:
        for headers, kept in ((NOBODY, "private, no-cache"), (serving.bearer, "no-store")):
            picture = serving.client.get("/boards/trees/charts/timeline.svg", headers=headers)
            assert picture.headers["cache-control"] == kept
            assert "Cookie" in picture.headers["vary"]
            assert serving.client.get("/boards/trees", headers=headers).headers["cache-control"] == "no-store"
