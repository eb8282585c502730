"""The table of systems x measures: what is marked, what is said of it, and what every format makes of it."""

import json

import numpy as np
import pytest

import runoff
from runoff import CompareOptions, Policy, UsageError
from tests.verbs.comparisons import compare

RNG = np.random.default_rng(7)
QUERIES = tuple(f"q{place}" for place in range(30))


def scores_of(measure="AP", **shifts):
    base = RNG.random(30) * 0.2 + 0.3
    columns = [base + shift + 0.02 * RNG.standard_normal(30) for shift in shifts.values()]
    return runoff.Scores(measure=measure, query_ids=QUERIES, runs=tuple(shifts), values=np.column_stack(columns))


SHIFTS = {"bm25": 0.0, "dense": 0.1, "late": 0.2}
SCORES = [scores_of("AP", **SHIFTS), scores_of("nDCG@10", **SHIFTS)]


def table_of(champion="bm25", others=("dense", "late"), scores=SCORES, policy=None, **options):
    chosen = CompareOptions(measures=[each.measure for each in scores], trials=50, **options)
    return compare(champion, list(others), scores=scores, options=chosen, policy=policy).table


def test_letters_of_the_systems_that_are_beaten():
    table = table_of()
    assert table.letters == {"bm25": "a", "dense": "b", "late": "c"}
    assert [table.marks_of(each) for each in table.measures] == [{"bm25": "", "dense": "a", "late": "ab"}] * 2
    assert table.legend == (
        "Superscripts name the systems that a score is significantly better than (paired t test, p < 0.05, Holm over 3 "
        "comparisons per measure)."
    )


def test_a_mark_is_on_the_better_system_wherever_it_is_listed():
    assert table_of("late", ["bm25", "dense"]).marks_of(table_of("late", ["bm25", "dense"]).measures[0]) == {
        "late": "bc", "bm25": "", "dense": "b",
    }  # fmt: skip


def test_two_systems_or_marks_against_the_baseline_have_daggers():
    for table in (table_of(others=["late"]), table_of(marks="baseline")):
        assert table.letters == {}
        assert table.marks_of(table.measures[0])["late"] == "†"
        assert table.legend.startswith("† differs significantly from bm25 (paired t test, p < 0.05")
    assert table_of(others=["late"]).legend == "† differs significantly from bm25 (paired t test, p < 0.05)."
    assert "Holm over 2 comparisons per measure" in table_of(marks="baseline").legend


def test_a_system_that_is_worse_than_the_baseline_differs_too():
    table = table_of("late", ["bm25", "dense"], marks="baseline")
    assert table.marks_of(table.measures[0]) == {"late": "", "bm25": "†", "dense": "†"}


def test_several_baselines_have_letters():
    table = table_of(["bm25", "dense"], ["late"])
    assert table.letters == {"bm25": "a", "dense": "b"}
    assert table.marks_of(table.measures[0]) == {"bm25": "", "dense": "", "late": "ab"}
    assert table.family_size == 2
    assert table.legend.startswith("Superscripts name the baselines that a score differs from significantly (")
    assert [pair.first for pair in table.measures[0].pairs] == ["bm25", "dense"]


def test_more_than_eight_systems_are_marked_against_the_baseline():
    shifts = {f"s{place}": 0.01 * place for place in range(9)}
    scores = [scores_of("AP", **shifts)]
    eight, nine = table_of("s0", list(shifts)[1:8], scores), table_of("s0", list(shifts)[1:], scores)
    assert (eight.marks, eight.family_size) == ("each", 28)
    assert (nine.marks, nine.family_size) == ("baseline", 8)
    with pytest.raises(UsageError, match=r"marks='each' with 9 systems; expected at most 8"):
        table_of("s0", list(shifts)[1:], scores, marks="each")
    with pytest.raises(UsageError, match="9 baselines; expected at most 8"):
        table_of(list(shifts), ["new"], [scores_of("AP", **shifts, new=0.1)])


@pytest.mark.parametrize("options", [{"marks": "all"}, {"digits": -1}, {"digits": 2.5}, {"digits": 99}])
def test_options_that_cannot_be(options):
    with pytest.raises(UsageError, match=r"cannot be used; expected (one of each, baseline|0 to 12|a whole number)"):
        CompareOptions(**options)


def test_another_test_and_no_correction_are_named():
    table = table_of(policy=Policy(measure_test="sign", correction="none", alpha=0.01))
    assert "(sign test, p < 0.01, not corrected for 3 comparisons per measure)" in table.legend


def test_several_seeds_are_one_system_with_its_spread():
    seeds = scores_of("AP", **{"bm25": 0.0, "dense#1": 0.1, "dense#2": 0.14})
    result = compare("bm25", ["dense"], scores=seeds)
    table = result.table
    assert dict(table.systems) == {"bm25": ("bm25",), "dense": ("dense#1", "dense#2")}
    with pytest.raises(UsageError, match="no scores of a run 'dens'; expected one of bm25 and dense; choose one"):
        compare("bm25", ["dens"], scores=seeds)
    means = seeds.values.mean(axis=0)
    assert table.measures[0].spreads == (None, pytest.approx(np.std(means[1:], ddof=1)))
    assert table.measures[0].means[1] == pytest.approx(means[1:].mean())
    from scipy.stats import ttest_rel

    expected = ttest_rel(seeds.values[:, 1:].mean(axis=1), seeds.values[:, 0])
    (pair,) = table.measures[0].pairs
    assert (pair.test.statistic, pair.test.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    assert "dense (2); tests use the mean over the runs for each query." in table.to_text(200)
    assert f"{means[1:].mean():.4f}† ±{np.std(means[1:], ddof=1):.4f}" in table.to_text(200)
    assert result.comparisons[0].means.challenger == pytest.approx(means[1:].mean())


def test_best_and_ties_are_bold_in_every_format_that_has_bold():
    values = np.array([[0.1, 0.5, 0.5], [0.3, 0.7, 0.7]])
    scores = runoff.Scores(measure="AP", query_ids=("p", "q"), runs=("a", "b", "c"), values=values)
    table = compare("a", ["b", "c"], scores=scores).table
    assert table.to_latex().count(r"\textbf{0.6000}") == 2
    assert table.to_html().count("<strong>0.6000</strong>") == 2
    assert table.to_markdown().count("**0.6000**") == 2
    assert table.to_text(colour=True).count("\x1b[1m 0.6000") + table.to_text(colour=True).count("\x1b[1m0.6000") == 2
    assert "Best in bold. Superscripts" in table.to_latex()
    assert "Best in bold" not in table.to_text()


def test_digits():
    table = table_of(digits=2)
    assert f"{table.measures[0].means[2]:.2f}ᵃᵇ" in table.to_text()
    assert f"{table.measures[0].means[2]:.4f}" not in table.to_text()
    assert repr(table.measures[0].means[2]) in table.to_csv()


def test_every_format():
    table = table_of()
    header, first, *_ = table.to_csv().splitlines()
    assert header == "letter,system,ap,ndcg_10,ap_marks,ndcg_10_marks"
    assert first.startswith("a,bm25,0.")
    assert table.to_frame()["ap_marks"].to_list() == ["", "a", "ab"]
    mean = f"{table.measures[0].means[2]:.4f}"
    assert f"| (c) late | **{mean}**<sup>ab</sup> |" in table.to_markdown()
    assert f'<strong>{mean}</strong></td><td class="tail"><sup>ab</sup></td>' in table.to_html()
    assert rf"(c) late & \textbf{{{mean}}} & \textsuperscript{{ab}} &" in table.to_latex()
    assert table.to_latex().count(r"\begin{table}") == 1


def test_keys():
    content = json.loads(table_of().to_json())
    assert content["table"] == {
        "queries": 30, "baselines": ["bm25"], "marks": "each", "test": "t", "alpha": 0.05, "correction": "holm",
        "family_size": 3,
        "systems": [
            {"letter": letter, "system": system, "runs": [system], "missing_queries": 0}
            for letter, system in zip("abc", SHIFTS, strict=True)
        ],
    }  # fmt: skip
    assert list(content["measures"]) == ["AP", "nDCG@10"]
    found = content["measures"]["AP"]
    assert found["marks"] == {"bm25": "", "dense": "a", "late": "ab"}
    assert [(pair["first"], pair["second"], pair["better"]) for pair in found["tests"]] == [
        ("bm25", "dense", "dense"), ("bm25", "late", "late"), ("dense", "late", "late"),
    ]  # fmt: skip
    assert found["means"]["late"] - found["means"]["bm25"] == pytest.approx(found["tests"][1]["difference"])


def test_missing_queries_are_reported():
    qrels = {f"q{place}": {"d": 1} for place in range(6)}
    whole = {query: {"x": 2.0, "d": 1.0} for query in qrels}
    part = {query: {"d": 1.0} for query in list(qrels)[:4]}
    table = compare({"old": whole}, {"new": part, "copy": whole}, qrels, measures=["RR@10", "AP"]).table
    assert "Missing queries, which score 0: new 2 (of 6)." in table.to_text(200)
    assert "Missing queries, which score 0: new 2 (of 6)." in table.to_latex()
    assert table.measures[0].means[1] == pytest.approx(4 / 6)


def test_a_measure_of_which_low_is_best():
    values = np.column_stack([np.full(30, 3.0) + np.arange(30) * 0.01, np.full(30, 1.0), np.full(30, 4.0)])
    esl = runoff.Scores(measure="ESL@10", query_ids=QUERIES, runs=("a", "b", "c"), values=values)
    table = compare("a", ["b", "c"], scores=esl).table
    assert table is not None
    assert table.measures[0].pairs[0].better == "b"
    assert r"\textbf{1.0000}" in table.to_latex()


def test_papers_call_systems_without_the_endings_of_files():
    runs = {"bm25.run": 0.0, "my.bm25.run": 0.1, "late.TREC": 0.2}
    scores = [scores_of(measure, **runs) for measure in ("AP", "nDCG@10")]
    result = compare("bm25.run", ["my.bm25.run", "late.TREC"], scores=scores)
    for latex in (result.to_latex(), result.table.to_latex()):
        assert [line.split(" & ")[0] for line in latex.splitlines()[9:12]] == ["(a) bm25", "(b) my.bm25", "(c) late"]
    assert "differs significantly from bm25 (" in table_of("bm25.run", ["late.TREC"], scores).to_latex()
    assert "bm25.run" in result.to_text()
    one = compare("bm25.run", "late.TREC", scores=scores[0])
    assert "bm25 & late & AP" in one.to_latex()
    twins = scores_of("AP", **{"a.run": 0.0, "a.txt": 0.1})
    assert "a.run & a.txt & AP" in compare("a.run", "a.txt", scores=twins).to_latex()
