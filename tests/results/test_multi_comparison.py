"""Several challengers: their family, each column's correction, and what is said of them."""

import json

import numpy as np
import pytest

import runoff
from runoff import CompareOptions, Policy
from runoff.significance import Family, correct
from runoff.significance.corrections import spoken_correction
from runoff.verdicts import do_no_harm, strict
from tests.verbs.comparisons import compare, compare_scores, qrels_of, qrels_of_several, run_of, run_of_several

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
    question = CompareOptions(measures=measure, trials=50)
    return compare(champion, challengers, qrels_of(20), options=question, policy=policy)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_facets_of_all_challengers_are_one_family(correction):
    names = ("clear", "some", "poor")
    multi_comparison = contest_of(*names, policy=Policy(correction=correction))
    raw = [contest_of(name, policy=Policy(correction="none")).comparisons[0].verdict for name in names]
    alone = [facet.p for verdict in raw for facet in verdict.facets.values()]
    expected = correct(alone, correction=correction, family=Family("nine", 9)).p
    found = [facet for comparison in multi_comparison.comparisons for facet in comparison.verdict.facets.values()]
    np.testing.assert_allclose([one.p for one in found], expected, rtol=1e-12)
    assert [one.raw_p for one in found] == alone
    assert {str(one.family) for one in found} == {"3 facets of 3 challengers (9 p-values)"}
    how = f"p-values are corrected by {spoken_correction(correction)} over 3 facets of 3 challengers"
    assert how in multi_comparison.to_text(200)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_for_the_rules_of_the_paper_and_for_ipso_each_facet_is_a_family_of_its_own(correction):
    names = ("clear", "some", "poor")
    multi_comparison = contest_of(*names, policy=Policy(correction=correction))
    raw = [contest_of(name, policy=Policy(correction="none")).comparisons[0].verdict for name in names]
    for facets in (
        [
            (verdict.rule_facets[0], comparison.verdict.rule_facets[0])
            for verdict, comparison in zip(raw, multi_comparison.comparisons, strict=True)
        ],
        [
            (verdict.rule_facets[1], comparison.verdict.rule_facets[1])
            for verdict, comparison in zip(raw, multi_comparison.comparisons, strict=True)
        ],
        [
            (verdict.ipso, comparison.verdict.ipso)
            for verdict, comparison in zip(raw, multi_comparison.comparisons, strict=True)
        ],
    ):
        expected = correct([one.p for one, _ in facets], correction=correction, family=Family("three", 3)).p
        np.testing.assert_allclose([one.p for _, one in facets], expected, rtol=1e-12)
        assert {one.family.size for _, one in facets} == {3}
    for comparison in multi_comparison.comparisons:
        more, sooner = (facet.shown for facet in comparison.verdict.rule_facets)
        assert comparison.verdict.do_no_harm == do_no_harm(more, sooner)
        assert comparison.verdict.strict == strict(more, sooner)


def test_a_correction_can_take_a_verdict_back():
    names = ("some", "same", "poor")
    alone = contest_of("some").comparisons[0].verdict
    assert (alone.overall, alone.how) == ("better", ("by RR@10 alone",))
    level = alone.measure.raw_p * 5  # 3 facets of one challenger pass, 9 do not
    strictly, freely = (
        contest_of(*names, policy=Policy(alpha=level, correction=name)) for name in ("bonferroni", "none")
    )
    assert [one.comparisons[0].outcome for one in (strictly, freely)] == ["inconclusive", "better"]
    assert [one.comparisons[0].verdict.do_no_harm for one in (strictly, freely)] == ["inconclusive", "better"]
    assert "p-values are not corrected" in freely.to_text(200)
    assert (strictly.comparisons[0].verdict.family_size, freely.comparisons[0].verdict.family_size) == (9, 1)


def test_the_p_values_of_the_tests_are_never_corrected():
    several, alone = contest_of("clear", "some", "poor"), contest_of("clear")
    assert several.comparisons[0].tests == alone.comparisons[0].tests
    assert several.comparisons[0].to_dict()["outcomes"] == alone.comparisons[0].to_dict()["outcomes"]


def test_evidence_is_corrected_in_json_as_in_its_table():
    multi_comparison = contest_of("clear", "some", "poor")
    in_json = [one["evidence"] for one in multi_comparison.to_dict()["challengers"]]
    assert in_json == [one.to_dict() for one in multi_comparison.evidence_table().evidence]
    lines = [line for one in in_json for line in one["lines"] if line["key"] == "t"]
    expected = correct([line["raw_p"] for line in lines], correction="holm", family=Family("three", 3)).p
    np.testing.assert_allclose([line["p"] for line in lines], expected, rtol=1e-12)
    assert any(line["p"] > line["raw_p"] for line in lines)


def test_the_order_and_the_keys():
    content = json.loads(contest_of("poor", "clear").to_json())
    assert (content["champion"], content["correction"], content["family_size"]) == ("old", "holm", 6)
    assert [one["challenger"] for one in content["challengers"]] == ["poor", "clear"]
    assert [one["verdict"]["overall"] for one in content["challengers"]] == ["worse", "better"]
    assert [one["verdict"]["how"] for one in content["challengers"]] == [["fewer"], ["more", "sooner"]]
    alone = contest_of("poor").comparisons[0].to_dict()
    assert set(content["challengers"][0]) == set(alone)
    assert {"table", "measures"} <= set(content)
    assert not {"table", "measures"} & set(alone)  # two runs under one measure are said by the comparison


def test_who_is_better_comes_first_and_sentences_only_for_few():
    few = contest_of("clear", "same", "poor")
    assert few.opening(80)[0] == "Against old: 1 better (clear), 1 worse (poor), 1 inconclusive (same)."
    assert [comparison.verdict.sentence for comparison in few.comparisons] == list(few.opening(80)[1:])
    assert "corrected by Holm over 3 facets of 3 challengers" in few.opening(80)[1]
    many = contest_of("clear", "some", "same", "poor")
    assert len(many.opening(80)) == 1
    assert many.opening(80)[0].endswith("1 better (clear), 1 worse (poor), 2 inconclusive (some, same).")


def test_the_table_has_a_row_for_each():
    multi_comparison = contest_of("clear", "same")
    grid = multi_comparison.verdict_grid()
    assert grid.values("challenger") == ("clear", "same")
    assert grid.values("verdict") == ("better: more, sooner †‡", "inconclusive")
    assert grid.values("do_no_harm") == ("better", "inconclusive")
    assert [column.heading for column in grid.columns if column.name == "difference"] == ["Δ RR@10"]
    for name in ("measure", "more", "sooner"):
        assert grid.values(f"{name}_p") == tuple(
            comparison.verdict.facets[name].p for comparison in multi_comparison.comparisons
        )
    assert "not a statement about all measures" in multi_comparison.to_text(400)


def test_every_remark_is_kept_and_named_if_it_is_not_about_all():
    multi_comparison = contest_of("clear", "some", "poor", measure="ESL@10")
    text = multi_comparison.to_text(300)
    assert "clear and some: ESL@10 is undefined for 10 of 20 queries" in text
    assert "\npoor: ESL@10 is undefined for 18 of 20 queries" in text
    assert text.count("\nold: 95.0% unjudged to rank 10; no list cut by the tie rule trec_eval.\n") == 1
    assert "\nsome: 92.0% unjudged" in text


def test_runs_with_the_same_remark_share_a_line():
    text = contest_of("clear", "same").to_text(300)
    assert "\nold and same: 95.0% unjudged to rank 10; no list cut by the tie rule trec_eval.\n" in text
    assert text.count("unjudged to rank 10") == 2


def test_long_lists_fit_a_page():
    names = tuple(RANKS)
    for width in (60, 80, 100):
        assert max(map(len, contest_of(*names).to_text(width).splitlines())) <= width
    assert len(contest_of(*names).to_text(100).splitlines()) <= 50


def test_names_cannot_make_lines():
    runs = run_of("a\nb", [1]), run_of("c\x1b[2J\nd", [0])
    multi_comparison = compare(runs[0], [runs[1], run_of("e", [1])], qrels_of(1))
    assert not any(line.startswith(("b", "d")) for line in multi_comparison.to_text(200).splitlines())
    assert "\x1b" not in multi_comparison.to_text(200)


def test_latex_has_a_row_per_challenger():
    multi_comparison = contest_of("clear", "same", "poor")
    systems, tests, outcomes, protocol = multi_comparison.paper_grids()
    assert systems.values("system") == ("old", "clear", "same", "poor")
    for table in (tests, outcomes, protocol):
        assert table.values("challenger") == ("clear", "same", "poor")
    text = multi_comparison.to_latex()
    assert text.count("\nold & clear & ") == text.count("\nold & poor & ") == 3
    ranked = contest_of("clear", "same", measure="nDCG@10").paper_grids()[1]
    assert ranked.values("measure") == ("nDCG@10", "RR@10") * 2  # RR below the chosen measure


def test_scores_of_several_runs():
    values = np.column_stack([np.arange(9) / 10, np.arange(9) / 10 + 0.05 + np.arange(9) / 100, np.arange(9) / 10])
    scores = runoff.Scores(measure="AP", query_ids=tuple("abcdefghi"), runs=("old", "new", "copy"), values=values)
    multi_comparison = compare_scores(scores, "old", ["new", "copy"])
    assert multi_comparison.opening(80)[0] == "Against old: 1 better (new), 1 inconclusive (copy)."
    assert multi_comparison.grid().values("do_no_harm") == (None, None)
    assert multi_comparison.to_dict()["family_size"] == 2  # the measure of two challengers
    assert [grid.values("challenger") for grid in multi_comparison.paper_grids()[1:]] == [("new", "copy")]
    assert r"\begin{tabular}" in multi_comparison.to_latex()


def test_the_chart_has_a_bar_per_challenger():
    chart = contest_of("clear", "some", "same").chart()
    assert [one.challenger for one in chart.outcomes] == ["clear", "some", "same"]


def test_a_trade_off_among_the_challengers_has_its_break_even():
    early, late = [[1, 2], [1, 3], [2, 3]] * 10, [[4, 5, 6, 7], [4, 6, 7, 8], [3, 5, 6, 8]] * 10
    runs = [run_of_several(name, ranks) for name, ranks in (("early", early), ("late", late), ("copy", early))]
    multi_comparison = compare(
        runs[0], runs[1:], qrels_of_several([4] * 30), options=CompareOptions(measures="nDCG@10", trials=50)
    )
    assert [comparison.outcome for comparison in multi_comparison.comparisons] == ["trade-off", "inconclusive"]
    said = [part for part in multi_comparison.opening(80) if "is better for users who read more than about" in part]
    assert [one.split()[0] for one in said] == ["late"]
    assert [chart.name for chart in multi_comparison.charts()] == ["outcome_bars", "break_even_curve"]
