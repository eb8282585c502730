"""What the result of an evaluation says: its keys, its rows and its notes."""

import json

import pytest

from runoff import InputError, evaluate
from runoff.reading.sources import as_run

QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}, "q3": {"d": 1}}
GOOD = {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"c": 2.0, "y": 1.0}, "q3": {"z": 2.0, "d": 1.0}}
POOR = {"q1": {"x": 3.0, "y": 2.0, "b": 1.0}, "q2": {"y": 2.0, "c": 1.0}, "q9": {"c": 1.0}}


@pytest.fixture
def runs():
    return [as_run(POOR, name="poor"), as_run(GOOD, name="good")]


def test_a_run_for_other_queries_is_refused_beside_others_too(runs):
    with pytest.raises(InputError, match="stranger: no query in common with qrels, which has 3"):
        evaluate([as_run({"q7": {"a": 1.0}}, name="stranger"), *runs], QRELS)


def test_ties_at_the_depth_are_counted_and_the_rule_is_named():
    run = {"q1": {"a": 1.0, "x": 1.0, "b": 0.5}, "q2": {"c": 1.0, "y": 1.0}, "q3": {"d": 2.0, "z": 1.0}}
    at_1, at_2 = evaluate(run, QRELS, measures=["RR@1"]), evaluate(run, QRELS, measures=["RR@2"])
    assert (at_1.facts[0].tied_at_depth, at_2.facts[0].tied_at_depth) == (2, 0)
    assert at_1.scores[0].values[:, 0].tolist() == [0.0, 0.0, 1.0]  # x before a, y before c
    assert "Tie rule trec_eval: equal scores by document id, descending" in str(at_1)
    assert "it decided what is inside rank 1 for 2 lists." in at_1.grid().notes[1]
    assert at_2.grid().notes[1].endswith("there are no ties at rank 2.")
    assert evaluate(run, QRELS, measures=["RR"]).grid().notes[1].endswith("(trec_eval 10.0).")


def test_keys_of_the_dictionary(runs):
    result = evaluate(runs, QRELS, measures=["RR@10", "RBP(p=0.5)@2"])
    content = result.to_dict()
    assert {"queries", "runs"} <= content.keys()
    assert list(content) == ["qrels", "queries", "depth", "tie_rule", "measure_note", "runs"]
    assert (content["queries"], content["depth"], content["qrels"]) == (3, 10, "qrels")
    best = json.loads(result.to_json())["runs"][0]
    assert {"run", "measures", "missing_queries", "unjudged_at_depth"} <= best.keys()
    assert best["measures"] == {"RR@10": (1 + 1 + 1 / 2) / 3, "RBP(p=0.5)@2": (0.5 + 0.5 + 0.25) / 3}
    assert best["residuals"]["RBP(p=0.5)@2"] == pytest.approx((0.5 + 0.5 + 0.75) / 3)
    assert "residuals" not in evaluate(runs, QRELS).to_dict()["runs"][0]  # type: ignore[index]


def test_one_row_per_run_query_and_measure(runs):
    rows = evaluate(runs[:2], QRELS, measures=["RR@10", "P@1"]).per_query().to_csv().splitlines()
    assert rows[0] == "run,query,measure,value"
    assert rows[1:4] == ["good,q1,RR@10,1.0", "good,q1,P@1,1.0", "good,q2,RR@10,1.0"]
    assert len(rows) == 1 + 2 * 3 * 2
