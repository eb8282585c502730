"""Boards, comparisons and lists through the API equal what the command line prints."""

from __future__ import annotations

import json
import re

from runoff.comparisons.options import CompareOptions
from runoff.display.rounding import rounded_data
from runoff.reading.sources import as_qrels
from runoff.server.cases.views.public import api_answer
from runoff.verbs.board import board
from runoff.verbs.compare import compare
from tests.server.cases.served import PUBLIC
from tests.server.web.serving import API, Serving


def get(serving, path, **query):
    answer = serving.client.get(f"{API}{path}", params=query)
    return answer.status_code, answer.json()


def test_a_board_is_that_of_the_command_line(serving):
    exact = json.loads(json.dumps(board(serving.served.toml).to_dict()))
    expected = rounded_data(exact, serving.served.board.digits)
    assert expected != exact
    assert get(serving, "/boards/trees") == (200, expected)
    assert get(serving, "/boards/trees", query_set="public", labels="dev") == (200, expected)


def test_a_comparison_is_that_of_the_command_line(serving):
    folder = serving.served.toml.parent
    qrels = as_qrels(folder / "qrels.txt", queries=PUBLIC)
    options = CompareOptions(measures="RR@10", depth=10)
    expected = compare(folder / "run1.txt", folder / "run2.txt", qrels, options=options).to_dict()
    status, found = get(serving, "/boards/trees/compare", champion="run 1", challenger="run 2")
    assert status == 200
    plain = rounded_data(json.loads(json.dumps(expected)), serving.served.board.digits)
    assert (plain.pop("champion"), plain.pop("challenger")) == ("run1.txt", "run2.txt")
    assert (found.pop("champion"), found.pop("challenger")) == ("run 1", "run 2")
    # Names apart, every number and word is the same.
    text = json.dumps(plain).replace("run1.txt", "run 1").replace("run2.txt", "run 2")
    assert found == json.loads(text)
    found["resolution"].pop("level")  # alpha over three facets, and no score
    assert re.findall(rf"\d\.\d{{{serving.served.board.digits + 1},}}(?!e)", json.dumps(found)) == []
    number = serving.client.get(f"{API}/boards/trees/compare", params={"champion": "1", "challenger": "2"})
    assert number.status_code == 200


def test_the_list_of_boards(serving):
    _, found = get(serving, "/boards")
    (board,) = found["boards"]
    assert (board["slug"], board["runs"], board["is_open"], board["title"]) == ("trees", 3, True, "Trees <b>")


NOT_THERE: tuple[tuple[str, dict[str, str], int], ...] = (
    ("/boards/none", {}, 404),
    ("/boards/trees", {"query_set": "private"}, 422),
    ("/boards/trees", {"labels": "dev private"}, 422),
    ("/boards/trees/compare", {"champion": "run 1"}, 422),
    ("/boards/trees/compare", {"champion": "run 1", "challenger": "x"}, 404),
    ("/boards/trees/quota", {}, 401),
    ("/nothing", {}, 404),
)


def test_what_is_not_there(serving):
    for path, query, status in NOT_THERE:
        found, body = get(serving, path, **query)
        assert found == status, (path, query)
        assert set(body["error"]) == {"kind", "message", "problems"}


def test_a_board_without_scored_runs_is_empty(database, tmp_path):
    with Serving.made_in(database, tmp_path, work=False) as serving:
        assert get(serving, "/boards/trees")[1]["runs"] == []


def test_runs_are_compared_by_number_too_and_an_unknown_one_is_told(serving):
    by_name = get(serving, "/boards/trees/compare", champion="run 0", challenger="run 1")
    assert get(serving, "/boards/trees/compare", champion="1", challenger="2") == by_name
    status, found = get(serving, "/boards/trees/compare", champion="1", challenger="x")
    assert status == 404
    assert "there is no run 'x' on this board" in found["error"]["message"]


def test_numbers_that_json_lacks_are_null():
    assert json.loads(api_answer({"statistic": float("nan"), "mean": float("inf")}, 3)) == {
        "statistic": None,
        "mean": None,
    }
