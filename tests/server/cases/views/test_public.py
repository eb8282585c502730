"""Public results: nothing of them is private, whatever the results behind them hold."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from runoff.display.charts import Chart
from runoff.server.cases.views.public import (
    PublicAudit,
    PublicBoard,
    PublicChart,
    PublicComparison,
    PublicRecords,
    public_board,
    public_comparison,
)
from runoff.server.cases.views.stored_board import load_board_data
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.verbs.board import board_of
from runoff.verbs.compare import compare
from tests.server.cases.public_parts import forbidden_parts
from tests.server.cases.served import NOW, PUBLIC, Served

QRELS = {f"query-{place}": {"d": 1} for place in range(12)}
FIRST = {query: {"d": 1.0, "x": 2.0} for query in QRELS}
SECOND = {query: {"d": 2.0} for query in list(QRELS)[:7]}

SERPS = Serps(
    run="a",
    query_ids=("q",),
    grades=np.array([[1, 0]], dtype=np.int8),
    retrieved=np.array([2]),
    judged=np.array([[1, 1]]),
    depth_tied=np.array([False]),
    tie_rule="trec_eval",
)


@pytest.fixture(scope="module")
def comparison():
    return compare(FIRST, SECOND, QRELS)


@pytest.fixture
def board(database, tmp_path):
    """A board and the data behind it."""
    served = Served.made_in(database, tmp_path)
    served.work()
    with served.database.read() as connection:
        data = load_board_data(connection, served.board, now=NOW)
    return served.board, data


@pytest.mark.parametrize("is_partial", [True, False])
def test_a_comparison_holds_no_lists_scores_or_arrays(comparison, is_partial):
    assert forbidden_parts(comparison)
    assert forbidden_parts(public_comparison(comparison, digits=3, protected=is_partial)) == []


def test_a_board_holds_no_lists_scores_or_arrays(board):
    settings, data = board
    result = board_of(data)
    assert forbidden_parts(result)
    shown = public_board(result, data, board=settings, key="key", protected=False)
    assert forbidden_parts(shown) == []
    assert not any(f"'{query}'" in repr(shown) for query in PUBLIC)
    assert [row.mean for row in shown.rows] == [round(row.mean, settings.digits) for row in result.rows]


@dataclass(frozen=True)
class WithCache:
    """Carries more than its fields say."""

    name: str


@pytest.mark.parametrize("planted", ["scores", "serps", "array", "chart", "result", "values", "cached", "unknown"])
def test_a_planted_field_is_found(comparison, planted):
    shown = public_comparison(comparison, digits=3, protected=False)
    cached = WithCache("x")
    object.__setattr__(cached, "by_query", np.zeros(3))
    parts: dict[str, Any] = {
        "scores": comparison.scores,
        "serps": SERPS,
        "array": {"differences": [np.zeros(3)]},
        "chart": comparison.charts()[0],
        "result": comparison,
        "values": tuple(np.linspace(0, 1, 1000).tolist()),
        "cached": cached,
        "unknown": (value for value in (1, 2)),
    }
    leaking = replace(shown, sentences=(*shown.sentences, parts[planted]))
    assert forbidden_parts(shown) == []
    assert len(forbidden_parts(leaking)) >= 1


def test_the_declared_types_name_nothing_private():
    private = ("Serps", "Scores", "Comparison", "BoardResult", "AuditResult", "Run", "NDArray", "BoardData", "Chart")
    for kind in (PublicAudit, PublicBoard, PublicChart, PublicComparison, PublicRecords):
        words = {word for text in kind.__annotations__.values() for word in text.replace("[", " ").split()}
        words = {word.strip(",]|.") for word in words}
        assert not words & set(private), kind


def test_of_hidden_labels_only_the_verdict_and_means_are_shown(comparison):
    assert "query-" in repr(public_comparison(comparison, digits=3, protected=False).charts)
    shown = public_comparison(comparison, digits=1, protected=True)
    assert "query-" not in repr(shown)
    assert shown.charts == ()
    assert [list(grid.rows) for grid in shown.tables] == [[("Mean RR@10", 0.5, 0.6)]]
    answer = json.loads(shown.answer)
    whole = comparison.to_dict()
    assert answer == {
        **{key: whole[key] for key in ("champion", "challenger", "queries", "measure")},
        "means": {"champion": 0.5, "challenger": 0.6},
        "verdict": {
            "overall": "better",
            "how": list(comparison.verdict.how),
            "marks": "",
            "alpha": 0.05,
            "correction": "holm",
        },
    }


def test_pictures_are_those_of_the_chart(comparison):
    chart: Chart = comparison.charts()[0].with_digits(3)
    shown = public_comparison(comparison, digits=3, protected=False).charts[0]
    assert isinstance(comparison.scores, Scores)
    assert shown.pictures["light", "page"].to_svg() == chart.to_svg()
    assert shown.pictures["dark", "phone"].to_svg() == chart.in_style(dark=True, size="phone").to_svg()
    assert (shown.title, shown.summary) == (chart.title, chart.summary)
