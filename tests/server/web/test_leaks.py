"""Nothing private leaves the server: every address, as everybody, before and after the days on which it is shown.

The addresses are crawled once for each visitor and day; the tests read what was found.
"""

from __future__ import annotations

import html
from contextlib import closing
from importlib import import_module

import pytest

from runoff.display.charts import Chart
from runoff.server import worker
from runoff.server.cases.runs.score import score_submission
from runoff.server.store.boards import StoredBoard
from tests.server.store.upgraded import open_upgraded
from tests.server.web.crawls import (
    ABSENT,
    ASKED,
    GHOSTS,
    LATER,
    MARKS,
    NAMED,
    NOBODY,
    REVEAL,
    SCORED,
    VEILED,
    crawled,
    everything_read,
    hiding_server,
    leaks,
    logged,
)
from tests.server.web.marked import DOCUMENT, SCORES, SEALED, private_mean
from tests.server.web.serving import API

OTHERS = ("visitor", "other team")
TELLING = ("Oaks", "Ann", "ann@example.org", "oaks-secret")
"""Words that tell whose an anonymous run is."""


def opened(folder):
    """A server in a folder of its own."""
    database = open_upgraded(folder / "runoff.db")
    return closing(database), hiding_server(database, folder)


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """What everybody reads at first, and what a visitor reads when teams are named and when all is shown."""
    database, server = opened(tmp_path_factory.mktemp("leaks"))
    with database, server as serving, logged() as log:
        found = dict(everything_read(serving, log))
        for name, day in (("named", NAMED), ("revealed", REVEAL)):
            serving.clock.moment = day
            found[name] = crawled(serving, NOBODY)
    return found


@pytest.fixture
def hiding(tmp_path):
    """A server of the test's own."""
    database, server = opened(tmp_path)
    with database, server as serving:
        yield serving


def places(crawl, word):
    return {path for path, _ in crawl.holding([word])}


def test_before_the_reveal_nobody_reads_anything_private(read):
    assert list(leaks((name, crawl) for name, crawl in read.items() if name != "revealed")) == []
    # The organiser's page does show the private means, so it would have been seen.
    assert f"{private_mean(6):.6f}" in read["organiser"].found["/boards/trees/organise"].text


@pytest.mark.proof
def test_before_the_reveal_nobody_reads_anything_private_with_all_values(hiding):
    with logged() as log:
        assert list(leaks(everything_read(hiding, log, product=True))) == []


def test_after_the_reveal_means_are_shown_and_nothing_else(read):
    crawl = read["revealed"]
    assert crawl.holding([*MARKS, *SCORES]) == []
    assert crawl.holding([f"{private_mean(seed):.8f}" for seed in SCORED]) == []
    for seed in SCORED:
        shown = places(crawl, f"{private_mean(seed):.6f}".rstrip("0"))
        assert "/boards/trees" in shown
        assert len(shown) >= 3, "on the board, on the run's page and in the API"


@pytest.mark.parametrize("name", OTHERS)
def test_an_anonymous_run_is_nobodys_until_teams_are_named(read, name):
    crawl = read[name]
    assert crawl.holding([*TELLING, "Team 0", "Team 1"]) == []
    assert "ghost" in crawl.found["/boards/trees"].text
    assert "ariation of" not in crawl.found[f"/boards/trees/runs/{GHOSTS[1]}"].text
    assert crawl.found["/boards/trees/organise"].status in {401, 403, 303}


def test_a_team_sees_its_anonymous_run_and_others_when_teams_are_named(read):
    run = (f"/boards/trees/runs/{GHOSTS[0]}", f"{API}/runs/{GHOSTS[0]}")
    assert {*run, "/teams/oaks"} <= places(read["team"], "Oaks")
    assert {*run, "/boards/trees", f"{API}/boards/trees"} <= places(read["named"], "Oaks")
    assert read["named"].holding(["Ann", "ann@example.org"]) == []


def without(answer, number):
    text = html.unescape(answer.text).replace(f"runs/{number}", "runs/N").replace(f"run {number}", "run N")
    return answer.status, text.replace(f"'{number}'", "'N'").replace(f"challenger={number}", "challenger=N")


@pytest.mark.parametrize("name", OTHERS)
def test_a_run_under_embargo_is_not_there_for_others(read, name):
    crawl = read[name]
    assert crawl.holding(["veiled"]) == []
    for path in ASKED:
        absent = crawl.found[path.format(ABSENT)]
        for number in VEILED:
            hidden = crawl.found[path.format(number)]
            assert hidden.status in {404, 422}
            assert without(hidden, number) == without(absent, ABSENT), path
    assert "later" in crawl.found[f"/boards/trees/runs/{LATER}"].text


def test_a_team_sees_its_run_under_embargo_and_others_when_that_ends(read):
    run = (f"/boards/trees/runs/{VEILED[0]}", f"{API}/runs/{VEILED[0]}")
    assert {*run, "/boards/trees", "/teams/oaks"} <= places(read["team"], "veiled")
    assert {*run, "/boards/trees", f"{API}/boards/trees"} <= places(read["named"], "veiled")


def plant(where, monkeypatch):
    """Let the server tell something private in one place."""
    if where == "page":
        monkeypatch.setattr(import_module("runoff.server.web.pages.team"), "_counts", lambda *_: SEALED[3])
    if where == "picture":
        monkeypatch.setattr(Chart, "said", property(lambda _: f"It is about {SEALED[4]}."))
    if where == "api":
        monkeypatch.setattr("runoff.server.web.api.run_answers.rounded_text", lambda *_: f"{DOCUMENT}4")
    if where == "mail":
        monkeypatch.setattr("runoff.server.cases.mail.send_mail.one_line", lambda _: f"one query scores {1 / 7:.4f}")
    if where == "log":
        score = score_submission

        def telling(*given, **named):
            worker.LOG.info("%s", SEALED[0])
            return score(*given, **named)

        monkeypatch.setattr(worker, "score_submission", telling)
    if where == "reveal":
        monkeypatch.setattr(StoredBoard, "shows_private", lambda *_: True)
    if where == "query":
        monkeypatch.setattr(
            "runoff.server.web.api.run_answers.rounded_text", lambda *_: f"one query scores {1 / 7:.4f}"
        )
    if where == "error":
        monkeypatch.setattr("runoff.server.cases.runs.submit.clean_file_name", lambda *_: f"expected {SEALED[2]}")


@pytest.mark.parametrize(
    "where",
    [
        "page",
        *(
            pytest.param(one, marks=pytest.mark.proof)
            for one in ("log", "error", "mail", "picture", "api", "reveal", "query")
        ),
    ],
)
def test_a_planted_leak_is_found(hiding, monkeypatch, where):
    plant(where, monkeypatch)
    with logged() as log:
        assert next(leaks(everything_read(hiding, log)), None) is not None
