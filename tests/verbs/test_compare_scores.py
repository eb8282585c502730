"""Scores alone: the facet of the measure, and nothing that needs ranked lists."""

import dataclasses
import json

import numpy as np
import pytest

import runoff
from runoff import CompareOptions, UsageError
from runoff.significance import Family, correct
from tests.verbs.comparisons import compare_scores, scipy_p

FEW = 50  # trials, where the tests that resample are not looked at
PROMISED_TESTS = ["t", "signed_rank", "rank_sum", "sign", "randomization"]
SCORES = runoff.Scores(
    measure="score",
    query_ids=tuple("abcdefgh"),
    runs=("old", "new", "same"),
    values=np.column_stack([np.arange(8) / 10, np.arange(8) / 10 + np.linspace(0.1, 0.2, 8), np.arange(8) / 10]),
)


def test_scores_alone():
    multi_comparison = compare_scores(SCORES, "old", ["new", "same"], options=CompareOptions(trials=FEW))
    better, same = multi_comparison.comparisons
    assert (better.is_better, same.is_better, better.verdict.strict) == (True, False, None)
    assert [test.name for test in better.tests][:5] == PROMISED_TESTS
    for name, (_, p) in scipy_p(SCORES.of("old"), SCORES.of("new")).items():
        assert {test.name: test.p for test in better.tests}[name] == pytest.approx(p, rel=1e-9)
    assert {test.p for test in same.tests} == {1.0}
    content = json.loads(better.to_json())
    assert (content["outcomes"], content["ipso"], content["depth"]) == (None, None, None)
    assert "Outcomes and IPSO need ranked lists and judgments; scores alone do not hold them." in better.to_text(100)
    assert "Outcomes and IPSO need ranked lists and judgments" in " ".join(str(multi_comparison).split())
    assert r"\caption{Significance tests on 8 queries}" in better.to_latex()
    assert better.to_latex().count(r"\begin{tabular}") == 1


def test_the_measure_is_the_only_facet_and_decides():
    multi_comparison = compare_scores(SCORES, "old", ["new", "same"], options=CompareOptions(trials=FEW))
    raw = [next(test.p for test in comparison.tests if test.name == "t") for comparison in multi_comparison.comparisons]
    corrected = correct(raw, correction="holm", family=Family("both", 2)).p
    for comparison, p in zip(multi_comparison.comparisons, corrected, strict=True):
        content = json.loads(comparison.to_json())
        assert list(content["facets"]) == ["measure"]
        assert content["facets"]["measure"]["p_corrected"] == p
        assert content["break_even"] == []
        assert (content["verdict"]["how"], content["verdict"]["do_no_harm"]) == ([], None)
        assert content["verdict"]["family_size"] == 2
    new, same = (json.loads(comparison.to_json()) for comparison in multi_comparison.comparisons)
    assert (new["verdict"]["overall"], new["facets"]["measure"]["direction"]) == ("better", 1)
    assert (same["verdict"]["overall"], same["facets"]["measure"]["direction"]) == ("inconclusive", 0)
    assert new["facets"]["measure"]["difference"] == pytest.approx(0.15)
    low, high = new["facets"]["measure"]["ci95"]
    assert low < 0.15 < high
    assert new["verdict"]["sentence"].startswith("new is better than old. On 8 queries, its mean score is better (")


def test_scores_that_are_named_after_a_measure_know_its_scale_and_its_good_end():
    esl = dataclasses.replace(SCORES, measure="ESL@10")
    comparison, unnamed = (compare_scores(scores, "old", ["new"]).comparisons[0] for scores in (esl, SCORES))
    assert (comparison.is_better, comparison.verdict.measure.shown < 0) == (False, True)
    for found, permitted in ((comparison, True), (unnamed, None)):
        assert {test["permitted"] for test in json.loads(found.to_json())["tests"].values()} == {permitted}


def test_scores_with_gaps_and_scores_that_are_not_there():
    values = SCORES.values.copy()
    values[:3, 1] = np.nan
    gaps = dataclasses.replace(SCORES, values=values)
    comparison = compare_scores(gaps, "old", ["new"]).comparisons[0]
    assert (comparison.tests[0].n, comparison.remarks[0]) == (
        5, "score is undefined for 3 of 8 queries; its means and tests are over the others.",
    )  # fmt: skip
    with pytest.raises(UsageError, match="no scores of a run 'else'"):
        compare_scores(SCORES, "old", ["else"])
    with pytest.raises(UsageError, match="a run is named twice"):
        compare_scores(SCORES, "old", ["new", "new"])
    for challengers in ([], ["old"]):
        with pytest.raises(UsageError, match="no challenger"):
            compare_scores(SCORES, "old", challengers)
