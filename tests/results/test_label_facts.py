"""What was judged, against counts by hand."""

import pytest

from runoff.reading.sources import as_qrels, as_run
from runoff.verbs._report import label_facts

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}, "q3": {"e": 0}}
RUNS = [
    {"q1": {"a": 2.0, "x": 1.0}, "q2": {"x": 2.0, "c": 1.0}},
    {"q1": {"b": 1.0}, "q2": {"c": 1.0}, "q3": {"y": 1.0}},
]


@pytest.fixture
def found():
    qrels = as_qrels(QRELS)
    serps = [as_run(run, name=f"r{place}").serps(qrels, depth=10) for place, run in enumerate(RUNS)]
    return label_facts(serps, [1, 0])


def test_shares_by_hand(found):
    second, first = found.runs
    assert (first.run, first.unjudged_first, first.unjudged_top, first.missing_queries) == ("r0", 0.5, 0.5, 1)
    assert (second.run, second.unjudged_first, second.unjudged_top) == ("r1", 1 / 3, 1 / 3)
    assert found.unjudged == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert (found.relevant, found.without, found.queries) == (pytest.approx(2 / 3), 1, 3)


def test_the_sentences_have_the_numbers(found):
    said, known = found.opening(0)
    assert "41.7%" in said
    assert "and 33.3% of those that the leader, r1, ranks first." in said
    assert "0.67 relevant documents" in known
    assert "1 of 3 queries have none" in known
    assert found.grid().rows[1][:3] == ("r0", 0.5, 0.5)
    assert found.to_dict()["runs"][0]["run"] == "r1"
