"""What evaluate promises: the query set, what it reports beside the scores, the order, and its keys."""

import itertools
import json
import math
import sys

import numpy as np
import pytest

import runoff
from runoff import InputError, MeasureError, MissingExtraError, UsageError, evaluate
from runoff.reading.sources import as_run

QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}, "q3": {"d": 1}}
GOOD = {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"c": 2.0, "y": 1.0}, "q3": {"z": 2.0, "d": 1.0}}
POOR = {"q1": {"x": 3.0, "y": 2.0, "b": 1.0}, "q2": {"y": 2.0, "c": 1.0}, "q9": {"c": 1.0}}
EMPTY_HANDED = {"q1": {"x": 1.0}, "q2": {"x": 1.0}, "q3": {"x": 1.0}}


def run_of(name, table, **options):
    return as_run(table, name=name, **options)


@pytest.fixture
def runs():
    return [run_of("poor", POOR), run_of("good", GOOD), run_of("none", EMPTY_HANDED)]


def test_a_missing_query_scores_0_and_is_reported(runs):
    result = evaluate(runs, QRELS, measures=["RR@10"])
    assert result.mean("poor", "RR@10") == pytest.approx((0 + 1 / 2 + 0) / 3)
    assert {facts.run: facts.missing_queries for facts in result.facts} == {"good": 0, "poor": 1, "none": 0}
    assert "Missing queries, which score 0: poor 1 (of 3)." in result.grid().notes
    assert any(note.startswith("No document of none is judged, to the depth") for note in result.grid().notes)


@pytest.mark.parametrize(
    "table, message",
    [
        (
            {"q7": {"a": 1.0}},
            "other: no query in common with qrels, which has 3; expected query ids such as 'q1'; check",
        ),
        (
            EMPTY_HANDED,
            "other: no document to rank 10 of the lists is judged in qrels, so all scores would be 0; expected",
        ),
    ],
)
def test_a_run_of_other_labels_is_refused(table, message):
    with pytest.raises(InputError, match=message):
        evaluate(run_of("other", table), QRELS)


def test_extra_queries_are_ignored_and_counted(runs):
    result = evaluate(runs, QRELS, measures=["RR@10"])
    assert {facts.run: facts.extra_queries for facts in result.facts} == {"good": 0, "poor": 1, "none": 0}
    assert result.query_ids == ("q1", "q2", "q3")
    assert "Other queries of the runs are ignored (1 of 3 runs, up to 1 query each)." in result.grid().notes


def test_a_named_subset_of_queries(runs):
    whole = evaluate(runs, QRELS, measures=["RR@10", "nDCG@10"])
    part = evaluate(runs, QRELS, measures=["RR@10", "nDCG@10"], queries=["q3", "q1"])
    assert part.query_ids == ("q1", "q3")
    for one, other in zip(whole.scores, part.scores, strict=True):
        assert one.values[[0, 2]][:, [one.runs.index(run) for run in other.runs]].tolist() == other.values.tolist()
    assert "Scores on 2 queries" in str(part)
    with pytest.raises(UsageError, match="1 of 2 chosen queries are not in qrels, the first is 'q7'"):
        evaluate(runs, QRELS, queries=["q1", "q7"])


def test_unjudged_share_is_of_what_was_retrieved_to_the_depth():
    unjudged = [evaluate(GOOD, QRELS, measures=[m]).facts[0].unjudged_at_depth for m in ("RR@1", "RR@2", "RR")]
    assert unjudged == [1 / 3, 3 / 6, 3 / 7]


def test_tie_rules_differ_and_do_not_mix():
    run = {"q1": {"a": 1.0, "x": 1.0}, "q2": {"c": 1.0}, "q3": {"d": 1.0}}
    in_file_order = runoff.ReadOptions(tie_rule="file")
    result = evaluate(run, QRELS, measures=["RR"], reading=in_file_order)
    assert (result.mean("run 1", "RR"), result.tie_rule) == (1.0, "file")
    pair = [run_of("one", run), run_of("two", run, reading=in_file_order)]
    with pytest.raises(UsageError, match="the runs have the tie rules file and trec_eval; expected one for all"):
        evaluate(pair, QRELS)
    with pytest.raises(UsageError, match="run 'one' is ranked by the tie rule trec_eval; expected file"):
        evaluate(pair[0], QRELS, reading=in_file_order)
    with pytest.raises(UsageError, match="tie_rule='dice' cannot be used; expected one of trec_eval, float32, file"):
        evaluate(run, QRELS, reading=runoff.ReadOptions(tie_rule="dice"))  # type: ignore[arg-type]


def test_the_best_run_is_first_and_undefined_is_last(runs):
    assert evaluate(runs, QRELS, measures=["RR@10"]).runs == ("good", "poor", "none")
    assert evaluate(runs, QRELS, measures=["ESL@10", "RR@10"]).runs == ("good", "poor", "none")


def test_the_mean_of_esl_is_over_the_queries_where_it_is_defined(runs):
    result = evaluate(runs, QRELS, measures=["ESL@10"])
    assert result.mean("good", "ESL@10") == (1 + 1 + 2) / 3
    assert result.mean("poor", "ESL@10") == 2.0
    assert math.isnan(result.mean("none", "ESL@10"))
    by_run = {run["run"]: run["measures"]["ESL@10"] for run in json.loads(result.to_json())["runs"]}
    assert by_run == {"good": 4 / 3, "poor": 2.0, "none": None}
    values = {(row["run"], row["query"]): row["value"] for row in json.loads(result.per_query().to_json())["per_query"]}
    assert values["none", "q1"] is None
    assert any(note.startswith("ESL: lower is better") for note in result.grid().notes)


def test_the_order_and_number_of_runs_change_nothing(runs):
    twin = run_of("a twin of good", GOOD)
    expected = evaluate([*runs, twin], QRELS)
    assert expected.runs[:2] == ("a twin of good", "good")  # equal means: by name
    for order in itertools.permutations([*runs, twin]):
        assert evaluate(order, QRELS).to_dict() == expected.to_dict()
    for run in [*runs[:2], twin]:
        alone = evaluate(run, QRELS)
        place = expected.runs.index(run.name)
        for one, many in zip(alone.scores, expected.scores, strict=True):
            assert one.values[:, 0].tolist() == many.values[:, place].tolist()
        assert alone.facts[0] == expected.facts[place]


def test_deeper_measures_do_not_change_the_others(runs):
    alone = evaluate(runs, QRELS, measures=["nDCG@2"]).scores[0]
    beside = evaluate(runs, QRELS, measures=["RR", "nDCG@2"]).scores[1]
    assert alone.values.tolist() == beside.values.tolist()


def test_measures_may_be_objects_and_print_as_they_were_typed():
    result = evaluate(GOOD, QRELS, measures=[runoff.parse_measure("MRR@10"), "P( rel = 2 )@1"])
    assert [scores.measure for scores in result.scores] == ["RR@10", "P(rel=2)@1"]
    assert result.mean("run 1", "P(rel=2)@1") == 1 / 3


def test_unusable_requests_are_explained(runs):
    with pytest.raises(UsageError, match="no runs; expected one or more"):
        evaluate([], QRELS)
    with pytest.raises(UsageError, match="no measure; expected at least one, such as RR@10"):
        evaluate(GOOD, QRELS, measures=[])
    with pytest.raises(UsageError, match="measure RR@10 is asked for twice; expected every measure once"):
        evaluate(GOOD, QRELS, measures=["RR@10", "P@1", "RR@10"])
    with pytest.raises(UsageError, match="measure nDCG@10 is asked for twice; expected every measure once"):
        evaluate(GOOD, QRELS, measures=["nDCG@10", "NDCG@10"])
    with pytest.raises(UsageError, match="no run 'best' was scored; expected one of good, poor, none"):
        evaluate(runs, QRELS).mean("best", "RR@10")
    with pytest.raises(UsageError, match="no measure 'P@1' was scored; expected one of RR@10, nDCG@10"):
        evaluate(runs, QRELS, measures=["RR@10", "nDCG@10"]).mean("good", "P@1")


def test_a_measure_of_ir_measures_in_the_same_call(runs):
    pytest.importorskip("ir_measures")
    mixed = evaluate(runs, QRELS, measures=["SetP", "RR@1", "SetP(rel=2)"])
    assert [scores.measure for scores in mixed.scores] == ["SetP", "RR@1", "SetP(rel=2)"]
    assert mixed.runs == ("good", "poor", "none")
    assert mixed.scores[0].of("good").tolist() == pytest.approx([1 / 3, 1 / 2, 1 / 2])
    assert mixed.scores[0].of("poor").tolist() == [0.0, 0.5, 0.0]
    own = evaluate(runs, QRELS, measures=["RR@1"])
    assert np.array_equal(mixed.scores[1].of("poor"), own.scores[0].of("poor"))
    assert evaluate(runs, QRELS, measures=["SetP"], queries=["q2"]).mean("good", "SetP") == 0.5


def test_without_ir_measures_the_install_command_is_given(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(MissingExtraError, match=r"the measure SetP needs .*: pip install 'runoff\[ir-measures\]'"):
        evaluate(GOOD, QRELS, measures=["RR@10", "SetP"])
    with pytest.raises(MeasureError, match="no measure is called 'SetQ'; did you mean Set"):
        evaluate(GOOD, QRELS, measures=["SetQ"])


def test_progress_counts_the_runs(runs):
    seen: list[tuple[int, int]] = []
    evaluate(runs, QRELS, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
