"""Several challengers: their family, each column's correction, and what is said of them."""

import json

import numpy as np
import pytest

import runoff
from runoff import Policy, Question
from runoff.significance import Family, correct
from runoff.significance.corrections import spoken_correction
from tests.workflows.duels import compare_all, compare_scores, qrels_of, run_of

RANKS = {
    "clear": [1] * 10 + [2] * 10,
    "some": [0] * 4 + [2] * 6 + [5] * 10,
    "same": [0] * 10 + [5] * 10,
    "poor": [0] * 18 + [5] * 2,
}
CORRECTIONS = ("bonferroni", "holm", "benjamini_hochberg")


def contest_of(*names, policy=None, measure="RR@10"):
    champion = run_of("old", [0] * 10 + [5] * 10)
    challengers = [run_of(name, RANKS[name]) for name in names]
    question = Question(measure=measure, trials=50)
    return compare_all(champion, challengers, qrels_of(20), question=question, policy=policy)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_each_column_is_a_family_of_its_own(correction):
    contest = contest_of("clear", "some", "poor", policy=Policy(correction=correction))
    raw = [contest_of(name).duels[0].verdict for name in ("clear", "some", "poor")]
    for facet in ("measure", "answered", "earlier", "ipso"):
        alone = [getattr(verdict, facet).p for verdict in raw]
        expected = correct(alone, correction=correction, family=Family("three", 3)).p
        found = [getattr(duel.verdict, facet) for duel in contest.duels]
        np.testing.assert_allclose([one.p for one in found], expected, rtol=1e-12)
        assert [one.raw_p for one in found] == alone
        assert {one.family.size for one in found} == {3}
    assert (
        f"p-values are corrected by {spoken_correction(correction)} over 3 challengers, each column a family"
        in contest.to_text(200)
    )


def test_a_correction_can_take_a_verdict_back():
    names = ("some", "same", "poor")
    alone = contest_of("some").duels[0].verdict
    assert alone.do_no_harm == "better"
    strictly = contest_of(*names, policy=Policy(alpha=alone.answered.p * 1.5, correction="bonferroni"))
    freely = contest_of(*names, policy=Policy(alpha=alone.answered.p * 1.5, correction="none"))
    assert (strictly.duels[0].verdict.do_no_harm, freely.duels[0].verdict.do_no_harm) == ("inconclusive", "better")
    assert "p-values are not corrected" in freely.to_text(200)
    assert freely.duels[0].verdict.family_size == 1


def test_the_p_values_of_the_tests_are_never_corrected():
    several, alone = contest_of("clear", "some", "poor"), contest_of("clear")
    assert several.duels[0].tests == alone.duels[0].tests
    assert several.duels[0].to_dict()["outcomes"] == alone.duels[0].to_dict()["outcomes"]


def test_the_order_and_the_keys():
    content = json.loads(contest_of("poor", "clear").to_json())
    assert (content["champion"], content["correction"], content["family_size"]) == ("old", "holm", 2)
    assert [one["challenger"] for one in content["challengers"]] == ["poor", "clear"]
    assert [one["verdict"]["do_no_harm"] for one in content["challengers"]] == ["worse", "better"]
    assert set(content["challengers"][0]) == set(contest_of("poor").duels[0].to_dict())


def test_who_is_better_comes_first_and_sentences_only_for_few():
    few = contest_of("clear", "same", "poor")
    assert (
        few.opening(80)[0] == "Under do no harm, against old: 1 better (clear), 1 worse (poor), 1 inconclusive (same)."
    )
    assert [duel.verdict.sentence for duel in few.duels] == list(few.opening(80)[1:])
    assert "(Holm, 3 challengers)" in few.opening(80)[1]
    many = contest_of("clear", "some", "same", "poor")
    assert len(many.opening(80)) == 1
    assert many.opening(80)[0].endswith("1 better (clear), 1 worse (poor), 2 inconclusive (some, same).")


def test_the_table_has_a_row_for_each():
    grid = contest_of("clear", "same").grid()
    assert grid.values("challenger") == ("clear", "same")
    assert grid.values("do_no_harm") == ("better", "inconclusive")
    assert grid.values("marks") == ("†‡", "")
    assert grid.columns[4].heading == "Δ RR@10"
    assert "‡ is no promise about all measures" in contest_of("clear", "same").to_text(400)


def test_every_remark_is_kept_and_named_if_it_is_not_about_all():
    contest = contest_of("clear", "some", "poor", measure="ESL@10")
    text = contest.to_text(300)
    assert "clear, some: ESL@10 is undefined for 10 of 20 queries" in text
    assert "\npoor: ESL@10 is undefined for 18 of 20 queries" in text
    assert text.count("\nold: 95.0% unjudged to rank 10; no list cut by the tie rule trec_eval.\n") == 1
    assert "\nsome: 92.0% unjudged" in text


def test_long_lists_fit_a_page():
    names = tuple(RANKS)
    for width in (60, 80, 100):
        assert max(map(len, contest_of(*names).to_text(width).splitlines())) <= width
    assert len(contest_of(*names).to_text(100).splitlines()) <= 24


def test_names_cannot_make_lines():
    runs = run_of("a\nb", [1]), run_of("c\x1b[2J\nd", [0])
    contest = compare_all(runs[0], [runs[1], run_of("e", [1])], qrels_of(1))
    assert not any(line.startswith(("b", "d")) for line in contest.to_text(200).splitlines())
    assert "\x1b" not in contest.to_text(200)


def test_latex_has_a_row_per_challenger():
    text = contest_of("clear", "same", "poor").to_latex()
    assert text.count("\nold & clear & ") == text.count("\nold & poor & ") == 2


def test_scores_of_several_runs():
    values = np.column_stack([np.arange(9) / 10, np.arange(9) / 10 + 0.05 + np.arange(9) / 100, np.arange(9) / 10])
    scores = runoff.Scores(measure="AP", query_ids=tuple("abcdefghi"), runs=("old", "new", "copy"), values=values)
    contest = compare_scores(scores, "old", ["new", "copy"])
    assert contest.opening(80)[0] == "By the mean alone, against old: 1 better (new), 1 inconclusive (copy)."
    assert contest.grid().values("do_no_harm") == (None, None)
    assert contest.paper_grids() == (contest.grid(),)
    assert r"\begin{tabular}" in contest.to_latex()


def test_the_chart_has_a_bar_per_challenger():
    chart = contest_of("clear", "some", "same").chart()
    assert [one.challenger for one in chart.outcomes] == ["clear", "some", "same"]
