"""The sentences of an audit."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from runoff.boards import SubmissionRule, near_duplicates, submissions
from runoff.reading.sources import as_run
from runoff.results import audit_findings as findings
from runoff.results.audit_parts import LabelFits, ScoredConditions
from runoff.results.fit import Fit
from runoff.tables import BoardRun
from tests.results.test_audit_parts import orders_of, steps

RULE = "at most 2 in any 30 days, at most 1 small variation among them"


def run(name, day=1, team="A", **more):
    return BoardRun(name=name, team=team, date=date(2021, 1, day), **more)


def test_one_condition_says_so():
    (said,) = findings.order_sentences(orders_of(steps(3)))
    assert said == (
        "r00 leads 3 runs and is first in 100.0% of 50 bootstrap samples of the queries. There is only one condition "
        "(c0), so nothing can be said about other queries, labels or measures."
    )


def test_a_leader_that_is_first_less_often_than_another():
    skewed = np.exp(np.arange(12.0))
    values = np.column_stack([skewed / skewed.mean(), np.full(12, 0.999)])
    (said,) = findings.order_sentences(orders_of(values))
    assert ", r01 more often (" in said
    assert said.split("%)")[1].startswith(", so it may lead by luck")


def test_a_leader_everywhere():
    said = list(findings.order_sentences(orders_of(steps(3), steps(3))))
    assert said[0] == (
        "r00 leads under all 2 conditions; its expected rank is 1.0. Under 'c0' it is first in 100.0% of 50 bootstrap "
        "samples of the queries."
    )
    assert said[1] == "The means rank the runs in the same order under all conditions."


def test_the_least_alike_conditions_are_named():
    said = list(findings.order_sentences(orders_of(steps(3), steps(3), steps(3)[:, ::-1])))
    assert said[1] == (
        "The orders of 'c0' and 'c2' differ most: Kendall's tau -1.00. Between disjoint halves of the queries "
        "tau is -1.00 across the two on average, and 1.00 and 1.00 within each."
    )


def test_a_leader_here_and_there():
    tied = steps(4) * 0.0
    behind = steps(4)[:, ::-1]
    said = next(findings.order_sentences(orders_of(steps(4), behind, behind, tied)))
    assert said.startswith(
        "r00 leads under 1 of 4 conditions and ties for the lead under 1 (r03 under 2); its expected rank is from 1.0 "
        "to 4.0."
    )


def test_runs_that_are_not_shown_to_be_worse_are_counted():
    one = steps(4)
    one[:, 1] = one[::-1, 0]
    two = one.copy()
    two[:, 2] = np.roll(one[:, 0], 7)
    assert "; 1 other run is not shown to be worse. There" in next(findings.order_sentences(orders_of(one)))
    assert "; 2 other runs are not shown to be worse. There" in next(findings.order_sentences(orders_of(two)))


@pytest.mark.parametrize(
    "runs, sentence",
    [
        ([BoardRun(name="a")], "No run has a team and a date, so the rule for submissions cannot be checked."),
        (
            [run("a")],
            f"Of 1 submission by 1 team, none breaks the rule ({RULE}).",
        ),
        (
            [run(name, team=team) for team in "ABCD" for name in (f"{team}1", f"{team}2", f"{team}3")] + [run("A4")],
            f"Of 13 submissions by 4 teams, 5 break the rule ({RULE}): A (2), B (1), C (1) and 1 more team.",
        ),
    ],
)
def test_submissions(runs, sentence):
    assert findings.submission_sentence(submissions(runs)) == sentence


def test_a_submission_that_breaks_the_rule_twice_is_one():
    runs = [run("a"), run("b", 2, variant_of="a"), run("c", 3, variant_of="a")]
    sent = submissions(runs, rule=SubmissionRule(days=7))
    assert "1 breaks the rule" in findings.submission_sentence(sent)
    assert [findings.violation_sentence(one, sent.rule) for one in sent.violations] == [
        "With c on 2021-01-03, A has 3 submissions in 7 days, but only 2 are allowed: a, b, c.",
        "With c on 2021-01-03, A has 2 small variations in 7 days, but only 1 is allowed: b, c.",
    ]


def test_near_duplicates():
    tops = [as_run({"q": dict.fromkeys(docs, 1.0)}, name=name) for name, docs in (("a", "xy"), ("b", "xy"), ("c", "z"))]
    facts = {one.name: one for one in (run("a"), run("b", team="B"), run("c"))}
    said = findings.duplicate_sentence(near_duplicates(tops), facts)
    assert said == "1 pair of runs overlaps by 95% or more in the top 10, by different teams."
    assert findings.duplicate_sentence(near_duplicates(tops[1:]), facts) == (
        "No two of 2 runs overlap by 95% or more in the top 10."
    )
    three = [*tops, as_run({"q": {"x": 1.0, "y": 1.0}}, name="d")]
    said = findings.duplicate_sentence(near_duplicates(three), facts | {"d": run("d")})
    assert said == "3 pairs of runs overlap by 95% or more in the top 10; 2 of them by different teams."


def test_what_was_left_out_is_told():
    scored = ScoredConditions(
        runs=(run("a"),),
        left_out=(("public", "deep"),),
        fits={"sparse": LabelFits(fits=(Fit(run="a", missing_queries=1), Fit(run="b", missing_queries=3)), queries=9)},
    )
    assert list(findings.scoring_notes(scored, {"a": run("a"), "b": run("b")})) == [
        "Left out: 1 run without a file.",
        "Left out: query set public with labels deep, which share no query.",
        "Missing queries, which score 0: a 1, b 3 (of 9).",
    ]
    assert findings.board_words([run("a")], replace(scored, left_out=())) == "1 run"
