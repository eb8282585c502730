"""Nothing private leaves the server: every address, as everybody, before and after the reveal."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from typing import Any
from unittest.mock import patch

import pytest

from runoff.reports.charts import Chart
from runoff.store.boards import StoredBoard, load_board
from runoff.store.mails import MAIL
from runoff.store.people import save_person
from runoff.store.teams import save_team
from runoff.web import worker
from runoff.workflows.board import board_from_file
from runoff.workflows.score_submission import load_share, queue_rescoring, save_share, score_submission
from tests.web.leaks import Crawl, addresses
from tests.web.marked import DOCUMENT, OPEN, SCORES, SEALED, marked_run, private_mean, write_marked_board
from tests.web.serving import API, Serving
from tests.workflows.mailbox import mail_server
from tests.workflows.served import NOW

pytestmark = pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
NOBODY: dict[str, str] = {}
REVEAL = NOW + timedelta(days=9)
MARKS = ("zzsealedzz", DOCUMENT)
CHARTS = ("rank_heat_map", "rank_intervals", "timeline", "unjudged", "outcome_bars", "ipso_strips", "differences", "no")


@pytest.fixture
def marked(database, tmp_path):
    """A server with a marked board, whose private results are shown on a later day."""
    made = Serving.made_in(database, tmp_path, write=write_marked_board, private_until=REVEAL, digits=4, most=9)
    with made as serving:
        yield serving


def other_team(serving):
    def work(connection):
        person = save_person(
            connection, email="eve@example.org", display_name="Eve", role="member", actor=None, now=NOW
        )
        save_team(connection, slug="elms", name="Elms", founder=person.id, now=NOW)
        return person

    return serving.token_of(serving.site.database.write(work), "read", "submit")


def starts(runs):
    numbers = [*map(str, runs), "99999"]
    values = {
        "slug": ["trees", "none", "oaks", "elms", "team-0", "team-1"],
        "run_id": [*numbers, "0", "-1", "x"],
        "number": ["1", "2", "99999", "x"],
        "name": CHARTS,
        "token": ["x"],
        "version": ["x"],
    }
    # A team is not asked for as a board: one board that is there and one that is not are enough.
    teams = tuple(f"{start}/boards/{slug}" for start in ("", API) for slug in values["slug"][2:])
    found = [path for path in addresses(values) if not path.startswith(teams)]
    board = f"{API}/boards/trees"
    for extra in ("query_set=private", "labels=dev%20private", "query_set=x", "query_set=private&labels=dev%20private"):
        found += [f"{board}?{extra}", f"/boards/trees?{extra.replace('query_set', 'queries')}"]
        found.append(f"/boards/trees/compare?champion=1&challenger=2&{extra.replace('query_set', 'queries')}")
    for name in [*numbers, "run%201", "secret%20run"]:
        for page in (f"{board}/compare", "/boards/trees/compare", "/boards/trees/compare/charts/differences.svg"):
            found.append(f"{page}?champion=2&challenger={name}")
    return found


def means_of(seeds):
    return [text for seed in seeds for text in (f"{private_mean(seed):.4f}", f"{private_mean(seed):.6f}")]


def crawled(serving, headers, runs):
    crawl = Crawl(serving.client, headers).follow(starts(runs))
    assert crawl.faults == []
    return crawl


def submitted(serving):
    """Runs of the team: with private queries and without, bad ones, and dry runs; and the seeds of those scored."""
    answers = [
        serving.send(marked_run(5, skill=0.9, private=False), said={"name": "run 5"}),
        serving.send(marked_run(6, skill=0.6), said={"name": "run 6"}),
        serving.send("bad", said={"name": "bad"}),
        serving.send("zz Q0 d 1 1.0 x\n", said={"name": "foreign"}),
        serving.send(marked_run(7), dry_run="true"),
        serving.send("bad", dry_run="true"),
    ]
    serving.work()
    return answers, (0, 1, 2, 6)


def mailed(serving):
    """Submit runs to the server with mail set: what `submitted` returns, and what the mails say."""
    with mail_server() as box:
        settings = replace(serving.site.settings, mail=box.address, mail_from="runoff@example.org")
        serving.site = replace(serving.site, settings=settings)
        answers, seeds = submitted(serving)
        postman = worker.Worker(serving.site, kinds=(MAIL,))
        while postman.work_once():
            pass
    assert len(box.messages) == 2, "one for each run that was taken"
    texts = [f"{message.items()}\n{message.get_content()}" for _, message in box.messages]
    return answers, seeds, texts


def leaks(serving, caplog):
    """Every place at which somebody reads what they must not: who, where, what; whoever asks for one waits for one."""
    answers, seeds, mails = mailed(serving)
    private = (*MARKS, *SCORES, *means_of(seeds))
    yield from (("mail", text.partition("\n")[0], mark) for text in mails for mark in private if mark in text)
    runs = range(1, 9)
    organiser = serving.token_of(serving.served.organiser, "read", "submit", "organise")
    people = {"visitor": NOBODY, "team": serving.bearer, "other team": other_team(serving), "organiser": organiser}
    yield from (("sender", str(one.url), mark) for one in answers for mark in MARKS if mark in one.text)
    for name, headers in people.items():
        forbidden = MARKS if name == "organiser" else private
        crawl = crawled(serving, headers, runs)
        yield from ((name, *place) for place in crawl.holding(forbidden))
    yield from (("log", one.name, mark) for one in caplog.records for mark in MARKS if mark in one.getMessage())


def test_before_the_reveal_nobody_reads_anything_private(marked, caplog):
    with caplog.at_level(logging.DEBUG):
        assert list(leaks(marked, caplog)) == []
    # The organiser's page does show the private means, so it would have been seen.
    organiser = Crawl(marked.client, marked.token_of(marked.served.organiser, "read", "organise"))
    assert f"{private_mean(6):.4f}" in organiser.get("/boards/trees/organise").text


def test_after_the_reveal_means_are_shown_and_nothing_else(marked):
    _, seeds = submitted(marked)
    marked.clock.moment = REVEAL
    crawl = crawled(marked, {}, range(1, 9))
    assert crawl.holding([*MARKS, *SCORES]) == []
    assert crawl.holding([f"{private_mean(seed):.6f}" for seed in seeds]) == []
    for seed in seeds:
        places = {path for path, _ in crawl.holding([f"{private_mean(seed):.4f}".rstrip("0")])}
        assert "/boards/trees" in places
        assert len(places) >= 3, "on the board, on the run's page and in the API"


def plant(where, monkeypatch):
    """Let the server tell something private in one place."""
    if where == "page":
        monkeypatch.setattr(import_module("runoff.web.pages.team._routes"), "_counts", lambda *_: SEALED[3])
    if where == "picture":
        monkeypatch.setattr(Chart, "said", property(lambda _: f"It is about {SEALED[4]}."))
    if where == "api":
        monkeypatch.setattr("runoff.web.api.run_answers.rounded_text", lambda *_: f"{DOCUMENT}4")
    if where == "mail":
        monkeypatch.setattr("runoff.workflows.mail_words.one_line", lambda _: f"one query scores {1 / 7:.4f}")
    if where == "log":
        score = score_submission

        def telling(*given, **named):
            worker.LOG.info("%s", SEALED[0])
            return score(*given, **named)

        monkeypatch.setattr(worker, "score_submission", telling)
    if where == "reveal":
        monkeypatch.setattr(StoredBoard, "shows_private", lambda *_: True)
    if where == "query":
        monkeypatch.setattr("runoff.web.api.run_answers.rounded_text", lambda *_: f"one query scores {1 / 7:.4f}")
    if where == "error":
        monkeypatch.setattr("runoff.workflows.submit_run.clean_file_name", lambda *_: f"expected {SEALED[2]}")


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
def test_a_planted_leak_is_found(marked, caplog, monkeypatch, where):
    plant(where, monkeypatch)
    with caplog.at_level(logging.DEBUG):
        assert next(leaks(marked, caplog), None) is not None


def hide(serving, share):
    def work(connection):
        board = load_board(connection, serving.served.board.id)
        # Always the same choice: by another a mean of some queries may look like one of all.
        with patch("runoff.workflows.score_submission.secrets.token_hex", lambda size: "5e" * size):
            save_share(connection, board, share, actor=None, now=NOW)
        return queue_rescoring(connection, board, now=NOW)

    return serving.site.database.write(work)


def test_no_page_tells_which_queries_are_left_out(marked):
    submitted(marked)
    before = Crawl(marked.client)
    before.get("/boards/trees/compare?champion=2&challenger=3")
    assert before.holding(OPEN) != [], "without a hidden share queries are named"
    assert hide(marked, 0.4) == 5
    none = marked.client.get(f"{API}/boards/trees").json()
    assert none["runs"] == [], "until runs are scored again nothing is shown"
    marked.work()
    organiser = marked.token_of(marked.served.organiser, "read", "submit", "organise")
    with marked.site.database.read() as connection:
        secret = connection.exec_driver_sql("SELECT secret FROM hidden_share").scalar_one()
        assert load_share(connection, marked.served.board) == 0.4
    whole = [f"{row.mean:.4f}" for row in board_from_file(marked.served.toml, trials=10).rows]
    for headers in (NOBODY, other_team(marked)):
        crawl = crawled(marked, headers, range(1, 9))
        assert crawl.holding([*OPEN, *whole, secret, secret[:16]]) == []
        board = json.loads(crawl.get(f"{API}/boards/trees").text.partition("\n{")[2].join(["{", ""]))
        assert 0 < board["queries"] < 30
        assert {len(run["ci95"]) for run in board["runs"]} == {2}
    own = crawled(marked, marked.bearer, range(1, 9))
    # Its own bad run is told which ids the board has, by the first of all of them.
    assert {word for _, word in own.holding([*OPEN, *whole, secret])} <= {min(OPEN)}
    seen = crawled(marked, organiser, range(1, 9))
    assert {word for _, word in seen.holding(whole)} == set(whole)
    assert seen.holding([secret]) == []
    assert "You are an organiser" in seen.get("/boards/trees").text
    assert "queries are left out" in crawl.get("/boards/trees").text


def test_the_public_numbers_are_those_of_the_shown_queries_alone(marked):
    hide(marked, 0.4)
    marked.work()
    with marked.site.database.read() as connection:
        board = load_board(connection, marked.served.board.id)
    shown = shown_queries(marked)
    assert 0 < len(shown) < len(OPEN)
    folder = marked.served.toml.parent
    (folder / "shown.txt").write_text("\n".join(shown) + "\n")
    toml = folder / "shown.toml"
    toml.write_text(marked.served.toml.read_text().replace("public.txt", "shown.txt"))
    expected: dict[str, Any] = board_from_file(toml).to_dict()
    found = marked.client.get(f"{API}/boards/trees").json()
    assert found["queries"] == len(shown) == expected["queries"]
    for row, right in zip(found["runs"], expected["runs"], strict=True):
        assert row["run"] == right["run"]
        assert row["mean"] == round(right["mean"], 4)
        assert row["ci95"] == [round(end, 4) for end in right["ci95"]]
        assert (row["verdict"], row["group"]) == (right["verdict"], right["group"])
    assert board.choice == 1


def shown_queries(serving):
    """The queries in the public array; tests look where no page does."""
    from runoff.store.arrays import PackedArray, unpack_array

    with serving.site.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT content_hash, content FROM analysis WHERE kernel LIKE '%choice%'")
        tables: list[Any] = [unpack_array(PackedArray(row[0], bytes(row[1]))) for row in rows]
    (found,) = {tuple(query.decode() for query in table["query_id"].tolist()) for table in tables}
    return found


def test_the_choice_stays_when_runs_come_and_changes_with_the_share(marked):
    hide(marked, 0.4)
    marked.work()
    first = shown_queries(marked)
    marked.send(marked_run(8), said={"name": "run 8"})
    marked.work()
    assert shown_queries(marked) == first
    marked.send(marked_run(9, skill=0.8), said={"name": "run 9"})
    marked.work()
    sentence = marked.run(5).json()["verdict"]["sentence"]
    assert f"On {len(first)} queries" in sentence, "verdicts are over the shown queries"
    hide(marked, 0.4)
    marked.work()
    assert shown_queries(marked) == first, "the same share is the same choice"
    hide(marked, 0.7)
    marked.work()
    assert len(marked.client.get(f"{API}/boards/trees").json()["runs"]) == 5
    assert marked.client.get(f"{API}/boards/trees").json()["queries"] < len(first)
    hide(marked, 0.0)
    assert marked.client.get(f"{API}/boards/trees").json()["queries"] == len(OPEN)


def test_a_verdict_over_all_queries_is_not_shown_any_more(marked):
    submitted(marked)
    page = f"/boards/trees/runs/{2}"
    assert "On 30 queries" in marked.client.get(page).text
    hide(marked, 0.4)
    marked.work()
    for headers in (NOBODY, marked.bearer):
        assert "On 30 queries" not in marked.client.get(page, headers=headers).text
        assert marked.run(2, headers).json()["verdict"] is None
    organiser = marked.token_of(marked.served.organiser, "read", "organise")
    assert "On 30 queries" in marked.client.get(page, headers=organiser).text
