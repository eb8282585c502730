"""A hidden share of the public queries: no page tells which they are, and numbers are those of the others."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import patch

import pytest

import runoff
from runoff.server.cases.runs.score import load_share, queue_rescoring, save_share
from runoff.server.store.boards import load_board
from tests.server.cases.served import NOW
from tests.server.web.crawls import NOBODY, REVEAL, crawled, marked_server, other_team, submitted
from tests.server.web.leaks import Crawl
from tests.server.web.marked import OPEN, marked_run
from tests.server.web.serving import API


@pytest.fixture
def backend():
    """What is hidden does not depend on the database."""
    return "sqlite"


@pytest.fixture
def marked(database, tmp_path):
    """A server with a marked board, whose private results are shown on a later day."""
    with marked_server(database, tmp_path, private_until=REVEAL, closes_at=REVEAL, digits=4) as serving:
        yield serving


def hide(serving, share):
    def work(connection):
        board = load_board(connection, serving.served.board.id)
        # Always the same choice: by another a mean of some queries may look like one of all.
        with patch("runoff.server.cases.runs.score.secrets.token_hex", lambda size: "5e" * size):
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
    whole = [f"{row.mean:.4f}" for row in runoff.board(marked.served.toml, trials=10).rows]
    for headers in (NOBODY, other_team(marked)):
        crawl = crawled(marked, headers)
        assert crawl.holding([*OPEN, *whole, secret, secret[:16]]) == []
        board = json.loads(crawl.get(f"{API}/boards/trees").text.partition("\n{")[2].join(["{", ""]))
        assert 0 < board["queries"] < 30
        assert {len(run["ci95"]) for run in board["runs"]} == {2}
    own = crawled(marked, marked.bearer)
    # Its own bad run is told which ids the board has, by the first of all of them.
    assert {word for _, word in own.holding([*OPEN, *whole, secret])} <= {min(OPEN)}
    seen = crawled(marked, organiser)
    assert {word for _, word in seen.holding(whole)} == set(whole)
    assert seen.holding([secret]) == []
    assert "You are an organiser" in seen.get("/boards/trees").text
    assert "queries are left out" in crawl.get("/boards/trees").text


def test_the_public_numbers_are_those_of_the_shown_queries_alone(marked):
    hide(marked, 0.4)
    marked.work()
    with marked.site.database.read() as connection:
        stored = load_board(connection, marked.served.board.id)
    shown = shown_queries(marked)
    assert 0 < len(shown) < len(OPEN)
    folder = marked.served.toml.parent
    (folder / "shown.txt").write_text("\n".join(shown) + "\n")
    toml = folder / "shown.toml"
    toml.write_text(marked.served.toml.read_text().replace("public.txt", "shown.txt"))
    expected: dict[str, Any] = runoff.board(toml).to_dict()
    found = marked.client.get(f"{API}/boards/trees").json()
    assert found["queries"] == len(shown) == expected["queries"]
    for row, right in zip(found["runs"], expected["runs"], strict=True):
        assert row["run"] == right["run"]
        assert row["mean"] == round(right["mean"], 4)
        assert row["ci95"] == [round(end, 4) for end in right["ci95"]]
        assert (row["verdict"], row["group"]) == (right["verdict"], right["group"])
    assert stored.hidden_subset == 1


def shown_queries(serving):
    """The queries in the public array; tests look where no page does."""
    from runoff.server.store.scores import PackedArray, unpack_array

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
    organiser = marked.token_of(marked.served.organiser, "read", "organise")
    sentence = marked.run(5, organiser).json()["verdict"]["sentence"]
    assert f"On {len(first)} queries" in sentence, "verdicts are over the shown queries"
    assert marked.run(5).json()["verdict"]["sentence"].startswith("Against run "), "without counts of queries"
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
