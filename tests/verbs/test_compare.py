"""What compare promises: verdicts by the rules, facts about the queries, and that every option does what it says."""

import json

import numpy as np
import pytest

import runoff
from runoff import CompareOptions, Policy, UsageError
from runoff.reading.sources import as_qrels, as_run
from tests.verbs.comparisons import (
    GRADED,
    clear_comparison,
    compare,
    comparison_of,
    comparison_of_several,
    qrels_of,
    run_of,
    trade_off,
)
from tests.verbs.real_boards import robust_runs

FEW = 50  # trials, where the tests that resample are not looked at


@pytest.mark.parametrize("ranks", [[1, 0, 3, 2, 0], [0, 4], [1]])
def test_runs_that_are_alike_differ_in_nothing(ranks):
    comparison = comparison_of(ranks, ranks)
    assert {test.p for test in comparison.tests} == {1.0}
    assert (comparison.outcome_tests.more.p, comparison.ipso.sign_p, comparison.means.difference) == (1.0, 1.0, 0.0)
    assert (comparison.verdict.strict, comparison.verdict.do_no_harm, comparison.verdict.marks) == (
        "inconclusive",
        "inconclusive",
        "",
    )
    assert (comparison.outcome, comparison.verdict.how, comparison.break_even) == ("inconclusive", (), None)
    assert {(facet.p, facet.shown) for facet in comparison.verdict.facets.values()} == {(1.0, 0)}
    assert "NaN" not in comparison.to_json()


def test_better_worse_trade_off_and_inconclusive():
    better = clear_comparison().verdict
    assert (better.overall, better.how, better.strict, better.do_no_harm) == (
        "better", ("more", "sooner"), "better", "better",
    )  # fmt: skip
    worse = comparison_of([1] * 20, [0] * 10 + [2] * 10).verdict
    assert (worse.overall, worse.how, worse.do_no_harm) == ("worse", ("fewer", "later"), "worse")
    mixed = comparison_of([0] * 20 + [1] * 20, [1] * 20 + [3] * 20)
    assert (mixed.outcome, mixed.verdict.how, mixed.is_better) == ("trade-off", ("more", "later"), False)
    assert (mixed.verdict.do_no_harm, mixed.verdict.strict) == ("trade-off", "trade-off")
    nothing = comparison_of([1, 2], [2, 1]).verdict
    assert (nothing.overall, nothing.how, nothing.strict) == ("inconclusive", (), "inconclusive")


def test_the_measure_can_decide_alone():
    """At this level neither facet of 10 queries is shown, and the t test is."""
    verdict = clear_comparison(policy=Policy(alpha=0.0001)).verdict
    assert (verdict.overall, verdict.how) == ("better", ("by RR@10 alone",))
    assert (verdict.strict, verdict.do_no_harm, verdict.marks[:1]) == ("inconclusive", "inconclusive", "†")
    assert "leave the measure out" in verdict.sentence


def test_a_facet_that_is_down_without_the_correction_takes_better_back():
    """Holm shows more and no loss of time, but at the full level the loss is there: nothing is claimed."""
    verdict = comparison_of([0] * 20 + [1] * 6, [10] * 20 + [2] * 6, measures="RR@10").verdict
    assert (verdict.more.shown, verdict.sooner.shown) == (1, 0)
    assert verdict.sooner.p >= 0.05 > verdict.sooner.raw_p
    assert (verdict.overall, verdict.do_no_harm) == ("inconclusive", "trade-off")
    assert "disagree" in verdict.sentence.split(".")[0]


def test_a_trade_off_of_the_measure_with_both_facets():
    """More and sooner to rank 10, and still a lower mean to rank 8, because of 14 queries."""
    low, high = [[9, 10]] * 40 + [[1]] * 14, [[8, 9, 10]] * 40 + [[]] * 14
    comparison = comparison_of_several(low, high, relevant=3, options=CompareOptions(measures="RR@8", depth=10))
    verdict = comparison.verdict
    assert (verdict.measure.shown, verdict.more.shown, verdict.sooner.shown) == (-1, 1, 1)
    assert (verdict.overall, verdict.how) == ("trade-off", ("more", "sooner", "worse by RR@8"))
    assert (verdict.strict, verdict.do_no_harm, comparison.break_even) == ("better", "better", None)


def test_levels_of_recall_are_counted_and_queries_vote_once():
    """Two of three documents at ranks 1, 4 against three at 2, 3, 9: one level more, the shared ones sooner by 0."""
    comparison = comparison_of_several([[1, 4]] * 8 + [[], [5]], [[2, 3, 9]] * 8 + [[1], []], relevant=[3] * 8 + [1, 1])
    found = comparison.to_dict()["outcomes"]
    assert [found[name] for name in ("neither", "champion_only", "challenger_only", "both")] == [0, 1, 9, 16]
    assert found["shares"] == pytest.approx(
        {"neither": 0.0, "champion_only": 1 / 10, "challenger_only": (8 / 3 + 1) / 10, "both": 8 * (2 / 3) / 10}
    )
    assert found["queries_more"] == {"champion": 1, "challenger": 9}
    assert (found["esl"]["champion"], found["esl"]["challenger"]) == (2.5, 2.5)
    assert (found["unanswerable"], found["several_relevant"]) == (0, 8)
    assert comparison.verdict.more.difference == pytest.approx(0.8)


def test_queries_that_nobody_can_answer_are_left_out_and_counted():
    answered = [[1, 4]] * 8, [[2, 3, 9]] * 8
    alone = comparison_of_several(*answered, relevant=3)
    more = comparison_of_several(*(one + [[]] * 4 for one in answered), relevant=[3] * 8 + [0] * 4)
    assert (alone.outcomes.unanswerable, more.outcomes.unanswerable, more.queries) == (0, 4, 12)
    for name in ("shares", "queries_more", "binomial_p", "esl", "rr", "neither", "both"):
        assert more.to_dict()["outcomes"][name] == alone.to_dict()["outcomes"][name], name
    assert more.verdict.more.ci95 == alone.verdict.more.ci95
    assert "4 queries have no relevant document in the labels" in more.remarks[0]


def test_a_break_even_is_for_runs_that_oppose_each_other():
    found = trade_off(measures="nDCG@10")
    assert found.outcome == "trade-off"
    assert json.loads(found.to_json())["break_even"] == [{"results": 9.5, "ci95": [9, 10]}]
    assert "challenger is better for users who read more than about" in found.to_text(100)
    assert found.chart("break_even_curve").name == "break_even_curve"
    better = clear_comparison()
    assert json.loads(better.to_json())["break_even"] == []
    assert "break_even_curve" not in [chart.name for chart in better.charts()]


def test_real_comparisons_are_one_screen(shared_data):
    runs, qrels = robust_runs(shared_data)
    question = CompareOptions(measures="AP", depth=10, gains=(0, 1, 1), trials=FEW)
    for comparison in compare(runs[3], runs[4:], qrels, options=question).comparisons:
        assert comparison.to_text(100).count("\n") <= 53  # runs of long names
        assert max(map(len, comparison.to_text(100).splitlines())) <= 100


def test_the_depth_of_outcomes_is_the_cutoff_unless_it_is_named():
    ranks = [1, 3, 6, 0], [1, 3, 6, 8]
    assert [comparison_of(*ranks, measures=name).depth for name in ("RR@5", "RR", "AP", "P@3")] == [5, 100, 100, 3]
    assert comparison_of(*ranks, measures="RR@5").outcomes.counts["both"] == 2
    deeper = comparison_of(*ranks, options=CompareOptions(measures="RR@5", depth=7))
    assert (deeper.depth, deeper.outcomes.both, deeper.ipso.depth) == (7, 3, 7)
    assert deeper.means == comparison_of(*ranks, measures="RR@5").means  # the cutoff of the measure is its own
    shallower = comparison_of(*ranks, options=CompareOptions(measures="RR", depth=2))
    assert (shallower.outcomes.both, shallower.means.challenger) == (1, (1 + 1 / 3 + 1 / 6 + 1 / 8) / 4)


def test_lists_that_end_before_the_depth_are_no_error():
    comparison = comparison_of([1, 2], [2, 0], options=CompareOptions(measures="AP", depth=1000))
    assert (comparison.depth, comparison.ipso.depth, comparison.outcomes.champion_only) == (1000, 1000, 1)


def test_the_whole_list_is_read_for_a_measure_without_a_cutoff(tmp_path):
    lines = [f"q0 Q0 x{at} 0 {-at} tag\n" for at in range(300)]
    for name, place in (("early", 150), ("late", 299)):
        text = "".join([*lines[:place], f"q0 Q0 d 0 {0.5 - place} tag\n", *lines[place:]])
        (tmp_path / name).write_text(text, encoding="utf-8")
    comparison = compare(
        tmp_path / "late", tmp_path / "early", qrels_of(1), options=CompareOptions(measures="AP", depth=100)
    )
    assert (comparison.means.champion, comparison.means.challenger) == (1 / 300, 1 / 151)
    assert (comparison.outcomes.neither, comparison.ipso.at_depth.equal) == (1, 1)  # to rank 10 they are alike


def graded(name, *docs):
    return as_run({query: {doc: float(-at) for at, doc in enumerate(docs)} for query in GRADED}, name=name)


def test_graded_labels_need_gains_for_ipso():
    pair = graded("a", "n", "e", "d"), graded("b", "d", "n", "e")
    without = compare(*pair, GRADED, measures="nDCG@3")
    assert without.ipso is None
    assert without.to_dict()["ipso"] is None
    assert any(remark.startswith("IPSO is left out: the labels have grades up to 2") for remark in without.remarks)
    assert "write --gains 0,0.5,1" in " ".join(without.to_text(200).split())
    gained = compare(*pair, GRADED, options=CompareOptions(measures="nDCG@3", gains=(0, 0.5, 1)))
    assert (gained.ipso.at_depth.ns, gained.verdict.marks) == (12, "†‡")
    assert not any("IPSO" in remark for remark in gained.remarks)
    with pytest.raises(UsageError, match="there are gains for the grades 0 to 1, but the labels have grades up to 2"):
        compare(*pair, GRADED, options=CompareOptions(gains=(0, 1)))


def test_the_level_says_what_an_answer_is():
    pair = graded("a", "e", "d"), graded("b", "d", "e")
    plain = compare(*pair, GRADED, measures="RR@2")
    assert (plain.outcomes.counts["both"], plain.outcomes.esl.champion) == (24, 1.5)  # ranks 1 and 2
    by_level = compare(*pair, GRADED, options=CompareOptions(measures="RR@2", level=2))
    assert (by_level.outcomes.level, by_level.outcomes.esl.champion, by_level.ipso.at_depth.ns) == (2, 2.0, 12)
    by_rel = compare(*pair, GRADED, measures="RR(rel=2)@2")
    assert by_rel.outcomes.counts == by_level.outcomes.counts
    assert (by_rel.outcomes.level, by_rel.ipso.at_depth, by_rel.means.champion) == (2, by_level.ipso.at_depth, 0.5)
    assert (by_rel.outcomes.several_relevant, plain.outcomes.several_relevant) == (0, 12)
    none = compare(*pair, GRADED, options=CompareOptions(measures="RR@2", level=3))
    assert (none.outcomes.neither, none.outcomes.unanswerable, none.outcome_tests.esl) == (0, 12, None)
    assert json.loads(none.to_json())["outcomes"]["esl"] == dict.fromkeys(
        ("champion", "challenger", "signed_rank_p", "t_p")
    )


def test_a_measure_that_is_undefined_somewhere():
    comparison = comparison_of([1, 2, 0, 0], [1, 1, 1, 0], measures="ESL@10")
    assert (comparison.means.champion, comparison.means.challenger, comparison.tests[0].n, comparison.queries) == (
        1.5,
        1.0,
        2,
        4,
    )
    assert comparison.remarks[0] == "ESL@10 is undefined for 2 of 4 queries; its means and tests are over the others."
    assert "ESL@10, 2 queries" in comparison.to_text()
    with pytest.raises(UsageError, match="ESL@10 is defined for no query of both runs"):
        comparison_of([1, 0], [0, 1], measures="ESL@10")


def test_lower_is_better_for_esl():
    comparison = comparison_of([9] * 10, [1] * 10, measures="ESL@10")
    assert (comparison.outcome, comparison.verdict.how, comparison.verdict.measure.shown > 0) == (
        "better",
        ("sooner",),
        True,
    )
    assert comparison.to_dict()["facets"]["measure"]["difference"] == 8.0  # ahead, though the mean is lower


def test_missing_and_extra_queries_are_reported():
    qrels = qrels_of(6)
    champion = run_of("champion", [1] * 8)  # two queries too many
    challenger = run_of("challenger", [1] * 4)
    comparison = compare(champion, challenger, qrels, measures="RR@5")
    assert (comparison.queries, comparison.means.challenger, comparison.outcomes.champion_only) == (6, 4 / 6, 2)
    assert "champion: 2 other queries ignored; 80.0% unjudged to rank 5" in " ".join(comparison.remarks)
    assert "challenger: 2 of 6 queries missing, where nothing is found" in " ".join(comparison.remarks)


def test_a_subset_of_queries():
    qrels = as_qrels(qrels_of(4)).only(["q1", "q3"])
    comparison = compare(run_of("a", [1, 0, 1, 0]), run_of("b", [0, 1, 0, 1]), qrels)
    assert (comparison.queries, comparison.outcomes.challenger_only, comparison.outcomes.both) == (2, 2, 0)


def test_an_external_measure_is_refused():
    with pytest.raises(UsageError, match="infAP is computed by ir_measures; expected a measure of runoff"):
        comparison_of([1], [2], measures="infAP")


def test_what_cannot_be_compared():
    with pytest.raises(UsageError, match="no challenger; expected at least one run"):
        compare(run_of("a", [1]), [], qrels_of(1))
    with pytest.raises(UsageError, match="two runs are called 'a'"):
        compare(run_of("a", [1]), run_of("a", [1]), qrels_of(1))
    table = {"q0": {"d": 1.0}}
    in_file_order = as_run(table, name="b", reading=runoff.ReadOptions(tie_rule="file"))
    with pytest.raises(UsageError, match="the runs have the tie rules file and trec_eval; expected one for all"):
        compare(run_of("a", [1]), in_file_order, qrels_of(1))
    with pytest.raises(runoff.RunoffError, match=r"depth|cutoff|rank"):
        comparison_of([1], [2], options=CompareOptions(depth=0))


def test_seed_and_trials_reach_the_tests_that_resample():
    ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0] * 3, [2, 1, 5, 1, 3, 1, 2, 7, 1, 1] * 3
    by_name = {
        seed: {test.name: test for test in comparison_of(*ranks, options=CompareOptions(seed=seed, trials=99)).tests}
        for seed in (0, 0, 1)
    }
    for name in ("randomization", "bootstrap"):
        assert (by_name[1][name].trials, by_name[1][name].seed) == (99, 1)
        assert by_name[0][name].p * 100 == pytest.approx(round(by_name[0][name].p * 100))
    assert by_name[0]["t"] == by_name[1]["t"]


def test_a_question_and_a_measure_are_one_too_many():
    run, other, qrels = {"q": {"d": 1.0}}, {"q": {"d": 1.0}}, {"q": {"d": 1}}
    assert runoff.compare(run, other, qrels, depth=7).depth == 7
    with pytest.raises(UsageError, match="options and a measure or depth"):
        runoff.compare(run, other, qrels, measures="RR@10", options=CompareOptions())


@pytest.mark.parametrize("measure", ["RR@10", "nDCG@10", "AP"])
def test_there_is_one_way_to_a_mean(measure):
    rng = np.random.default_rng(5)
    first, second = (run_of(name, rng.integers(0, 11, 997).tolist()) for name in ("first", "second"))
    qrels = qrels_of(997)
    comparison = runoff.compare(first, second, qrels, measures=measure)
    means = runoff.evaluate([first, second], qrels, measures=[measure])
    board = runoff.board([first, second], qrels, measures=measure, trials=10)
    by_run = {row.run: row.mean for row in board.rows}
    for name, mean in (("first", comparison.means.champion), ("second", comparison.means.challenger)):
        assert mean == means.mean(name, measure) == by_run[name]
    of_scores = runoff.compare("first", "second", scores=comparison.scores)
    assert of_scores.means == comparison.means


def test_what_is_not_requested_is_not_computed():
    options = CompareOptions(all_tests=False, evidence=False, resolution=False)
    runs = [run_of("b", [2, 1, 3, 0] * 5), run_of("c", [1] * 20)]
    small, whole = (
        compare(run_of("a", [1, 2, 3, 0] * 5), runs, qrels_of(20), options=question) for question in (options, None)
    )
    assert small.evidence == small.detectable == ()
    for less, more in zip(small.comparisons, whole.comparisons, strict=True):
        assert (less.lines, less.power_rows) == (None, ())
        assert [test.name for test in less.tests] == ["t"]
        assert [power.facet for power in less.powers] == ["measure"]
        assert (less.verdict, less.means) == (more.verdict, more.means)
    assert small.to_text(100) == whole.to_text(100)
    assert small.to_dict()["challengers"][0]["evidence"] is None
