"""What compare promises: scipy's p-values, symmetry, and that every option does what it says."""

import dataclasses
import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff
from runoff import Policy, Question, UsageError
from runoff.simulation import SparseBoardConfig, simulate_sparse_board
from tests.workflows.duels import (
    GRADED,
    SCIPY_TESTS,
    clear_duel,
    compare,
    compare_all,
    compare_scores,
    duel_of,
    qrels_of,
    run_of,
    scipy_p,
)

FEW = 50  # trials, where the tests that resample are not looked at
PROMISED_TESTS = ["t", "signed_rank", "rank_sum", "sign", "randomization"]


def check_against_scipy(duel, champion, challenger):
    """Every p of a duel, given both runs' scores and their ranks of the first answer, NaN for none."""
    found = {test.name: test for test in duel.tests}
    for name, (statistic, p) in scipy_p(champion[0], challenger[0]).items():
        assert found[name].p == pytest.approx(p, rel=1e-9, abs=1e-300), (name, duel.champion, duel.challenger)
        assert found[name].statistic == pytest.approx(statistic, rel=1e-9), name
    both = ~np.isnan(champion[1]) & ~np.isnan(challenger[1])
    tests, counts = duel.outcome_tests, duel.outcomes
    assert counts.both == both.sum()
    only = np.isnan(champion[1]).astype(float) - np.isnan(challenger[1])
    assert (counts.champion_only, counts.challenger_only) == ((only < 0).sum(), (only > 0).sum())
    assert tests.binomial_p == pytest.approx(scipy_p(np.zeros(len(only)), only, tests=["sign"])["sign"][1], rel=1e-9)
    ranks = champion[1][both], challenger[1][both]
    rr = [np.nan_to_num(1.0 / one[1], nan=0.0) for one in (champion, challenger)]
    for tested, values in ((tests.esl, ranks), (tests.rr, [1.0 / one for one in ranks]), (tests.naive, rr)):
        names = [name for name in SCIPY_TESTS if hasattr(tested, name)]
        assert names
        for name, (_, p) in scipy_p(*values, tests=names).items():
            assert getattr(tested, name).p == pytest.approx(p, rel=1e-9, abs=1e-300), name
    assert tests.naive.difference == pytest.approx(rr[1].mean() - rr[0].mean(), abs=1e-12)


@pytest.fixture(scope="module")
def robust(shared_data):
    """Twelve real runs, and their qrels."""
    folder = shared_data / "robust03"
    runs = [runoff.read_run(file) for file in sorted(folder.glob("input.*.gz"))]
    return runs, runoff.read_qrels(folder / "qrels.txt.gz")


@pytest.mark.parametrize(
    "measure, champions", [("RR@100", 11), ("AP", 1), pytest.param("AP", 11, marks=pytest.mark.proof)]
)
def test_every_p_of_66_real_pairs_is_that_of_scipy(robust, measure, champions):
    """Each run against those behind it; for AP those of the first run, and all in `make proof`."""
    runs, qrels = robust
    scores, ranks = runoff.evaluate(runs, qrels, measures=[measure, "ESL@100"]).scores
    pairs = 0
    for place, champion in enumerate(runs[:champions]):
        question = Question(measure=measure, trials=FEW)
        contest = compare_all(champion, runs[place + 1 :], qrels, question=question)
        for duel in contest.duels:
            columns = [(scores.of(run), ranks.of(run)) for run in (duel.champion, duel.challenger)]
            check_against_scipy(duel, *columns)
            assert duel.means.difference == pytest.approx(columns[1][0].mean() - columns[0][0].mean(), abs=1e-12)
            pairs += 1
    assert pairs == {1: 11, 11: 66}[champions]


def test_real_duels_are_one_screen(robust):
    runs, qrels = robust
    question = Question(measure="AP", depth=10, gains=(0, 1, 1), trials=FEW)
    for duel in compare_all(runs[3], runs[4:], qrels, question=question).duels:
        assert duel.to_text(100).count("\n") <= 48  # runs of long names
        assert max(map(len, duel.to_text(100).splitlines())) <= 100


@pytest.mark.parametrize("seed, queries", [(0, 400), (1, 60), (2, 9)])
def test_every_p_on_sparse_labels_is_that_of_scipy(seed, queries):
    board = simulate_sparse_board(SparseBoardConfig(queries=queries, runs=4, depth=30, seed=seed, tie_share=0.2))
    runs = [runoff.as_run("".join(board.run_lines(name)).encode(), name=name) for name in board.names]
    scores, ranks = runoff.evaluate(runs, board.qrels(), measures=["RR@10", "ESL@10"]).scores
    for one, other in itertools.combinations(runs, 2):
        question = Question(measure="RR@10", trials=FEW)
        duel = compare_all(one, [other], board.qrels(), question=question).duels[0]
        check_against_scipy(duel, *((scores.of(run.name), ranks.of(run.name)) for run in (one, other)))


def test_the_randomization_test_of_few_queries_is_exact():
    from scipy import stats

    duel = duel_of([1, 2, 0, 3, 9, 1, 4, 0], [2, 1, 5, 1, 3, 1, 2, 7])
    ranks = np.array([[1, 2, 0, 3, 9, 1, 4, 0], [2, 1, 5, 1, 3, 1, 2, 7]], dtype=float)
    first, second = np.divide(1.0, ranks, out=np.zeros_like(ranks), where=ranks > 0)
    expected = stats.permutation_test((second, first), lambda x, y: np.mean(x - y), permutation_type="samples")
    assert {test.name: test.p for test in duel.tests}["randomization"] == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("ranks", [[1, 0, 3, 2, 0], [0, 0], [1]])
def test_runs_that_are_alike_differ_in_nothing(ranks):
    duel = duel_of(ranks, ranks)
    assert {test.p for test in duel.tests} == {1.0}
    assert (duel.outcome_tests.binomial_p, duel.ipso.sign_p, duel.means.difference) == (1.0, 1.0, 0.0)
    assert (duel.verdict.strict, duel.verdict.do_no_harm, duel.verdict.marks) == ("inconclusive", "inconclusive", "")
    assert "NaN" not in duel.to_json()


MIRRORED = {"better": "worse", "worse": "better", "trade-off": "trade-off", "inconclusive": "inconclusive"}


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from([0, 1, 1, 2, 5, 9]), st.sampled_from([0, 1, 2, 2, 9])), min_size=1, max_size=40)
)
def test_swapping_the_runs_mirrors_everything(ranks):
    first, second = zip(*ranks, strict=True)
    question = Question(measure="RR@10", trials=FEW)
    one = duel_of(first, second, question=question)
    other = duel_of(second, first, question=question)
    assert one.means.difference == -other.means.difference
    assert (one.means.champion, one.means.challenger) == (other.means.challenger, other.means.champion)
    for test, mirror in zip(one.tests, other.tests, strict=True):
        assert test.p == pytest.approx(mirror.p, rel=1e-9), test.name
        assert test.effect - test.no_effect == pytest.approx(mirror.no_effect - mirror.effect, abs=1e-12), test.name
    mine, theirs = one.to_dict(), other.to_dict()
    assert mine["verdict"]["do_no_harm"] == MIRRORED[theirs["verdict"]["do_no_harm"]]
    assert mine["verdict"]["strict"] == MIRRORED[theirs["verdict"]["strict"]]
    assert mine["verdict"]["marks"] == theirs["verdict"]["marks"]
    found, back = mine["outcomes"], theirs["outcomes"]
    assert (found["neither"], found["both"]) == (back["neither"], back["both"])
    assert (found["champion_only"], found["challenger_only"]) == (back["challenger_only"], back["champion_only"])
    assert found["binomial_p"] == back["binomial_p"]
    for facet in ("esl", "rr"):
        np.testing.assert_equal(found[facet]["champion"], back[facet]["challenger"])
        for p in ("signed_rank_p", "t_p"):
            one_p, other_p = (np.nan if side[facet][p] is None else side[facet][p] for side in (found, back))
            assert one_p == pytest.approx(other_p, rel=1e-9, nan_ok=True)
    assert mine["ipso"]["champion_favoured"] == theirs["ipso"]["challenger_favoured"]
    assert mine["ipso"]["sign_p_range"] == theirs["ipso"]["sign_p_range"]


def test_better_worse_trade_off_and_inconclusive():
    assert clear_duel().verdict.strict == "better"
    assert duel_of([1] * 20, [0] * 10 + [2] * 10).verdict.do_no_harm == "worse"
    trade_off = duel_of([0] * 20 + [1] * 20, [1] * 20 + [3] * 20)
    assert (trade_off.verdict.do_no_harm, trade_off.is_better) == ("trade-off", False)
    assert duel_of([1, 2], [2, 1]).verdict.strict == "inconclusive"
    assert clear_duel(policy=Policy(alpha=0.0001)).verdict.strict == "inconclusive"


def test_the_depth_of_outcomes_is_the_cutoff_unless_it_is_named():
    ranks = [1, 3, 6, 0], [1, 3, 6, 8]
    assert [duel_of(*ranks, measure=name).depth for name in ("RR@5", "RR", "AP", "P@3")] == [5, 100, 100, 3]
    assert duel_of(*ranks, measure="RR@5").outcomes.counts["both"] == 2
    deeper = duel_of(*ranks, question=Question(measure="RR@5", depth=7))
    assert (deeper.depth, deeper.outcomes.both, deeper.ipso.depth) == (7, 3, 7)
    assert deeper.means == duel_of(*ranks, measure="RR@5").means  # the cutoff of the measure is its own
    shallower = duel_of(*ranks, question=Question(measure="RR", depth=2))
    assert (shallower.outcomes.both, shallower.means.challenger) == (1, (1 + 1 / 3 + 1 / 6 + 1 / 8) / 4)


def test_lists_that_end_before_the_depth_are_no_error():
    duel = duel_of([1, 2], [2, 0], question=Question(measure="AP", depth=1000))
    assert (duel.depth, duel.ipso.depth, duel.outcomes.champion_only) == (1000, 1000, 1)


def test_the_whole_list_is_read_for_a_measure_without_a_cutoff(tmp_path):
    lines = [f"q0 Q0 x{at} 0 {-at} tag\n" for at in range(300)]
    for name, place in (("early", 150), ("late", 299)):
        text = "".join([*lines[:place], f"q0 Q0 d 0 {0.5 - place} tag\n", *lines[place:]])
        (tmp_path / name).write_text(text, encoding="utf-8")
    duel = compare(tmp_path / "late", tmp_path / "early", qrels_of(1), question=Question(measure="AP", depth=100))
    assert (duel.means.champion, duel.means.challenger) == (1 / 300, 1 / 151)
    assert (duel.outcomes.neither, duel.ipso.at_depth.equal) == (1, 1)  # to rank 100 they are alike


def graded(name, *docs):
    return runoff.as_run({query: {doc: float(-at) for at, doc in enumerate(docs)} for query in GRADED}, name=name)


def test_graded_labels_need_gains_for_ipso():
    pair = graded("a", "n", "e", "d"), graded("b", "d", "n", "e")
    without = compare(*pair, GRADED, measure="nDCG@3")
    assert without.ipso is None
    assert without.to_dict()["ipso"] is None
    assert any(remark.startswith("IPSO is left out: the labels have grades up to 2") for remark in without.remarks)
    assert "write --gains 0,0.5,1" in " ".join(without.to_text(200).split())
    gained = compare(*pair, GRADED, question=Question(measure="nDCG@3", gains=(0, 0.5, 1)))
    assert (gained.ipso.at_depth.ns, gained.verdict.marks) == (12, "†‡")
    assert not any("IPSO" in remark for remark in gained.remarks)
    with pytest.raises(UsageError, match="there are gains for the grades 0 to 1, but the labels have grades up to 2"):
        compare(*pair, GRADED, question=Question(gains=(0, 1)))


def test_the_level_says_what_an_answer_is():
    pair = graded("a", "e", "d"), graded("b", "d", "e")
    assert compare(*pair, GRADED, measure="RR@2").outcomes.esl.champion == 1
    by_level = compare(*pair, GRADED, question=Question(measure="RR@2", level=2))
    assert (by_level.outcomes.level, by_level.outcomes.esl.champion, by_level.ipso.at_depth.ns) == (2, 2.0, 12)
    by_rel = compare(*pair, GRADED, measure="RR(rel=2)@2")
    assert by_rel.outcomes.counts == by_level.outcomes.counts
    assert (by_rel.outcomes.level, by_rel.ipso.at_depth, by_rel.means.champion) == (2, by_level.ipso.at_depth, 0.5)
    assert by_rel.outcomes.several_relevant.sum() == 0
    none = compare(*pair, GRADED, question=Question(measure="RR@2", level=3))
    assert (none.outcomes.neither, none.outcome_tests.esl) == (12, None)
    assert json.loads(none.to_json())["outcomes"]["esl"] == dict.fromkeys(
        ("champion", "challenger", "signed_rank_p", "t_p")
    )


def test_a_measure_that_is_undefined_somewhere():
    duel = duel_of([1, 2, 0, 0], [1, 1, 1, 0], measure="ESL@10")
    assert (duel.means.champion, duel.means.challenger, duel.tests[0].n, duel.queries) == (1.5, 1.0, 2, 4)
    assert duel.remarks[0] == "ESL@10 is undefined for 2 of 4 queries; its means and tests are over the others."
    assert "ESL@10, 2 queries" in duel.to_text()
    with pytest.raises(UsageError, match="ESL@10 is defined for no query of both runs"):
        duel_of([1, 0], [0, 1], measure="ESL@10")


def test_lower_is_better_for_esl():
    duel = duel_of([9] * 10, [1] * 10, measure="ESL@10")
    assert (duel.verdict.do_no_harm, duel.verdict.marks, duel.verdict.measure.is_ahead) == ("better", "†‡", True)


def test_missing_and_extra_queries_are_reported():
    qrels = qrels_of(6)
    champion = run_of("champion", [1] * 8)  # two queries too many
    challenger = run_of("challenger", [1] * 4)
    duel = compare(champion, challenger, qrels, measure="RR@5")
    assert (duel.queries, duel.means.challenger, duel.outcomes.champion_only) == (6, 4 / 6, 2)
    assert "champion: 2 other queries ignored; 80.0% unjudged to rank 5" in " ".join(duel.remarks)
    assert "challenger: lacks 2 of 6 queries, where it finds nothing" in " ".join(duel.remarks)


def test_a_subset_of_queries():
    qrels = runoff.as_qrels(qrels_of(4)).only(["q1", "q3"])
    duel = compare(run_of("a", [1, 0, 1, 0]), run_of("b", [0, 1, 0, 1]), qrels)
    assert (duel.queries, duel.outcomes.challenger_only, duel.outcomes.both) == (2, 2, 0)


def test_an_external_measure_is_refused():
    with pytest.raises(UsageError, match="infAP is computed by ir_measures; expected a measure of runoff"):
        duel_of([1], [2], measure="infAP")


def test_what_cannot_be_compared():
    with pytest.raises(UsageError, match="no challenger; expected at least one run"):
        compare_all(run_of("a", [1]), [], qrels_of(1))
    with pytest.raises(UsageError, match="two runs are called 'a'"):
        compare(run_of("a", [1]), run_of("a", [1]), qrels_of(1))
    table = {"q0": {"d": 1.0}}
    in_file_order = runoff.as_run(table, name="b", reading=runoff.Reading(tie_rule="file"))
    with pytest.raises(UsageError, match="the runs have the tie rules file and trec_eval; expected one for all"):
        compare(run_of("a", [1]), in_file_order, qrels_of(1))
    with pytest.raises(runoff.RunoffError, match=r"depth|cutoff|rank"):
        duel_of([1], [2], question=Question(depth=0))


def test_seed_and_trials_reach_the_tests_that_resample():
    ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0] * 3, [2, 1, 5, 1, 3, 1, 2, 7, 1, 1] * 3
    by_name = {
        seed: {test.name: test for test in duel_of(*ranks, question=Question(seed=seed, trials=99)).tests}
        for seed in (0, 0, 1)
    }
    for name in ("randomization", "bootstrap"):
        assert (by_name[1][name].trials, by_name[1][name].seed) == (99, 1)
        assert by_name[0][name].p * 100 == pytest.approx(round(by_name[0][name].p * 100))
    assert by_name[0]["t"] == by_name[1]["t"]


SCORES = runoff.Scores(
    measure="score",
    query_ids=tuple("abcdefgh"),
    runs=("old", "new", "same"),
    values=np.column_stack([np.arange(8) / 10, np.arange(8) / 10 + np.linspace(0.1, 0.2, 8), np.arange(8) / 10]),
)


def test_scores_alone():
    contest = compare_scores(SCORES, "old", ["new", "same"], question=Question(trials=FEW))
    better, same = contest.duels
    assert (better.is_better, same.is_better, better.verdict.strict) == (True, False, None)
    assert [test.name for test in better.tests][:5] == PROMISED_TESTS
    for name, (_, p) in scipy_p(SCORES.of("old"), SCORES.of("new")).items():
        assert {test.name: test.p for test in better.tests}[name] == pytest.approx(p, rel=1e-9)
    assert {test.p for test in same.tests} == {1.0}
    content = json.loads(better.to_json())
    assert (content["outcomes"], content["ipso"], content["depth"]) == (None, None, None)
    assert "Outcomes and IPSO need ranked lists and judgments; scores alone do not hold them." in better.to_text(100)
    assert "Outcomes and IPSO need ranked lists and judgments" in " ".join(str(contest).split())
    assert r"\caption{Means of new against old on 8 queries}" in better.to_latex()


def test_scores_that_are_named_after_a_measure_know_its_scale_and_its_good_end():
    esl = dataclasses.replace(SCORES, measure="ESL@10")
    duel = compare_scores(esl, "old", ["new"]).duels[0]
    assert (duel.is_better, duel.verdict.measure.is_behind) == (False, True)
    assert {test["permitted"] for test in duel.to_dict()["tests"].values()} == {True}
    assert {
        test["permitted"] for test in compare_scores(SCORES, "old", ["new"]).duels[0].to_dict()["tests"].values()
    } == {None}


def test_scores_with_gaps_and_scores_that_are_not_there():
    values = SCORES.values.copy()
    values[:3, 1] = np.nan
    gaps = dataclasses.replace(SCORES, values=values)
    duel = compare_scores(gaps, "old", ["new"]).duels[0]
    assert (duel.tests[0].n, duel.remarks[0]) == (
        5, "score is undefined for 3 of 8 queries; its means and tests are over the others.",
    )  # fmt: skip
    with pytest.raises(UsageError, match="no scores of a run 'else'"):
        compare_scores(SCORES, "old", ["else"])
    with pytest.raises(UsageError, match="a run is named twice"):
        compare_scores(SCORES, "old", ["old"])
    with pytest.raises(UsageError, match="no challenger"):
        compare_scores(SCORES, "old", [])


def test_a_question_and_a_measure_are_one_too_many():
    run, qrels = {"q": {"d": 1.0}}, {"q": {"d": 1}}
    assert runoff.compare(run, run, qrels, depth=7).depth == 7
    with pytest.raises(UsageError, match="a question and a measure or depth are given"):
        runoff.compare(run, run, qrels, measure="RR@10", question=Question())
