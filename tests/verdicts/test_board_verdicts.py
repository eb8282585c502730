"""The verdicts of a board: they follow from the decisions about all pairs; facets explain and decide nothing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runoff.boards.rank_sets import rank_sets
from runoff.comparisons import FacetMeans
from runoff.verdicts import Policy, all_pair_facets, judge_on_board, lead_verdict
from tests.verdicts.cases import DEPTH, evidence_of, list_boards, repeated, scores_of, serps_at, serps_with

TRIALS = 400


def judged(runs, policy=None, *, trials=TRIALS, seed=0, with_lists=True):
    """Decisions, facets and the verdicts on all runs but that with the best mean, as a board has them."""
    policy = policy or Policy()
    scores = scores_of(runs)
    decisions = rank_sets(scores, alpha=policy.alpha, trials=trials, seed=seed)
    facets = all_pair_facets(runs, cutoff=DEPTH, policy=policy) if with_lists else None
    first = runs[int(scores.means.argmax())]
    evidence = [evidence_of(first, run, policy) for run in runs if run is not first]
    if not with_lists:
        evidence = [replace(one, outcomes=None, outcome_tests=None, ipso=None) for one in evidence]
    verdicts = judge_on_board(evidence, decisions, facets, policy)
    return (
        first.run,
        decisions,
        facets,
        {one.challenger: verdict for one, verdict in zip(evidence, verdicts, strict=True)},
    )


def simulated_board(seed=0, queries=60, shifts=(-0.3, -0.28, -0.1, 0.0, 0.1)):
    rng = np.random.default_rng(seed)
    hard = rng.random(queries)
    boards = []
    for place, shift in enumerate(shifts):
        ranks = np.floor(1 + 12 * np.clip(hard + 0.2 * rng.standard_normal(queries) + shift, 0, None)).astype(int)
        boards.append(serps_at([rank if rank <= DEPTH else 0 for rank in ranks.tolist()], run=f"r{place}"))
    return boards


@pytest.mark.parametrize("measure_test", ["t", "signed_rank", "sign"])
@pytest.mark.parametrize("seed", range(4))
def test_a_verdict_is_a_decision_and_nothing_else(seed, measure_test):
    first, decisions, _, verdicts = judged(simulated_board(seed), Policy(measure_test=measure_test))
    place = decisions.runs.index(first)
    for run, verdict in verdicts.items():
        above = decisions.above[decisions.runs.index(run), place]
        assert verdict.overall == ("worse" if above else "inconclusive")
        assert verdict.marks.startswith("†") == above
        assert verdict.measure.p == decisions.p[decisions.runs.index(run), place]
        # A run that is worse cannot be the best.
        assert not (above and decisions.could_be_best[decisions.runs.index(run)])
    assert {"worse", "inconclusive"} == {verdict.overall for verdict in verdicts.values()}
    assert lead_verdict(first, {run: verdict.overall for run, verdict in verdicts.items()}).kind == "shared"


@settings(max_examples=30)
@given(list_boards(), st.sampled_from(["t", "signed_rank", "sign"]), st.sampled_from([0.05, 0.3]))
def test_nobody_is_better_than_the_first(board, measure_test, alpha):
    first, decisions, facets, verdicts = judged(board, Policy(measure_test=measure_test, alpha=alpha), trials=200)
    assert facets is not None
    for run, verdict in verdicts.items():
        above = decisions.above[decisions.runs.index(run), decisions.runs.index(first)]
        assert verdict.overall == ("worse" if above else "inconclusive")
        assert verdict.measure.shown <= 0


def test_the_test_of_the_policy_has_no_say():
    # Fourteen first ranks are lost, forty ranks won at the bottom: the mean is decided, signed rank says the opposite.
    old, new = repeated({(1, 8): 14, (8, 7): 40})
    runs = serps_at(old, run="old"), serps_at(new, run="new")
    _, decisions, _, verdicts = judged(runs, Policy(measure_test="signed_rank"), trials=2000)
    assert evidence_of(*runs, Policy(measure_test="signed_rank")).test.favours == 1
    assert not decisions.could_be_best[1]
    assert (verdicts["new"].overall, verdicts["new"].marks) == ("worse", "†")
    assert "signed rank" not in verdicts["new"].sentence


def test_a_mean_that_is_higher_than_the_firsts_is_never_better():
    # The first run of a board can have a lower mean than another one on the queries of the two alone, as with ESL.
    low, high = serps_at([1] * 5 + [2] * 25, run="low"), serps_at([1] * 28 + [2] * 2, run="high")
    scores = scores_of([low, high])
    decisions = rank_sets(scores, trials=TRIALS)
    for champion, challenger in ((low, high), (high, low)):
        verdict = judge_on_board([evidence_of(champion, challenger)], decisions, None, Policy())[0]
        assert verdict.overall == ("worse" if champion is high else "inconclusive")
    # The decisions alone decide, so that a comparison says what the board's row says, whatever the means of the two.
    other = replace(evidence_of(high, low), means=FacetMeans(champion=0.1, challenger=0.9))
    verdict = judge_on_board([other], decisions, None, Policy())[0]
    assert (verdict.overall, verdict.measure.shown) == ("worse", -1)


def test_a_p_that_equals_the_level_is_decided_in_row_and_comparison_alike():
    runs = [serps_at([1] * 28 + [2] * 2, run="high"), serps_at([1] * 20 + [2] * 10, run="low")]
    found = rank_sets(scores_of(runs), trials=TRIALS)
    at_level = replace(found, alpha=float(found.p[1, 0]))  # the board decides where p <= alpha
    policy = Policy(alpha=at_level.alpha)
    verdict = judge_on_board([evidence_of(runs[0], runs[1], policy)], at_level, None, policy)[0]
    assert at_level.above[1, 0]
    assert (verdict.measure.p, verdict.overall) == (policy.alpha, "worse")


@pytest.mark.parametrize("correction", ["holm", "none"])
def test_how_comes_from_all_pairs(correction):
    first, _, facets, verdicts = judged(simulated_board(), Policy(correction=correction))
    assert facets is not None
    shown = set()
    for run, verdict in verdicts.items():
        assert verdict.more is not None
        assert verdict.sooner is not None
        at = facets.runs.index(first), facets.runs.index(run)
        assert (verdict.more.shown, verdict.sooner.shown) == (facets.more[at], facets.sooner[at])
        assert (verdict.more.p, verdict.sooner.p) == (facets.more_p[at], facets.sooner_p[at])
        if verdict.overall == "worse":
            assert verdict.how == (facets.how(run, first) or ("by RR@10 alone",))
        else:
            assert verdict.how == ()
        shown.update(verdict.how)
    assert shown <= {"fewer", "later", "by RR@10 alone"}
    assert "fewer" in shown


def test_facets_decide_nothing():
    runs = simulated_board()
    *_, with_lists = judged(runs)
    *_, scores_alone = judged(runs, with_lists=False)
    for run, verdict in with_lists.items():
        other = scores_alone[run]
        assert (verdict.overall, verdict.measure.p) == (other.overall, other.measure.p)
        assert (other.how, other.strict, other.do_no_harm, other.more) == ((), None, None, None)


def test_facets_that_are_shown_do_not_make_a_run_worse():
    # Fourteen documents more, all at rank 10, and later on average: a trade-off by Lin et al., nothing by RR.
    old, new = repeated({(1, 5): 8, (2, 5): 2, (2, 1): 8, (1, 1): 22, (0, 10): 14})
    first, _, _, verdicts = judged([serps_at(old, run="old"), serps_at(new, run="new")])
    verdict = verdicts["new"]
    assert first == "old"
    assert verdict.more is not None
    assert verdict.sooner is not None
    assert (verdict.more.shown, verdict.sooner.shown, verdict.measure.shown) == (1, -1, 0)
    assert (verdict.overall, verdict.how) == ("inconclusive", ())
    assert (verdict.strict, verdict.do_no_harm) == ("trade-off", "trade-off")


def test_the_rules_of_lin_et_al_are_against_the_first_alone():
    first, _, _, verdicts = judged(simulated_board())
    for verdict in verdicts.values():
        assert verdict.rule_facets is not None
        assert [str(facet.family) for facet in verdict.rule_facets] == [
            "more of 4 challengers (4 p-values)",
            "sooner of 4 challengers (4 p-values)",
        ]
    assert first == "r1"
    assert (verdicts["r0"].strict, verdicts["r4"].strict) == ("inconclusive", "worse")


def test_both_families_are_named():
    *_, verdicts = judged(simulated_board())
    for verdict in verdicts.values():
        assert verdict.more is not None
        assert str(verdict.measure.family) == "all pairs of 5 runs (20 p-values)"
        assert str(verdict.more.family) == "more and sooner of 10 pairs (20 p-values)"
        assert (
            "p-values of the measure are corrected over all pairs of 5 runs, the others by Holm over more and sooner "
            "of 10 pairs"
        ) in verdict.sentence


def test_the_level_of_a_decision_is_that_of_the_first_step():
    runs = simulated_board()
    _, decisions, _, verdicts = judged(runs)
    level = 2 * stats.t.sf(decisions.critical, 59)
    assert [verdict.measure.level for verdict in verdicts.values()] == pytest.approx([level] * 4)
    assert 0.05 / 20 < level < 0.05


def test_two_queries_decide_nothing():
    *_, verdicts = judged([serps_at([1, 1], run="a"), serps_at([2, 3], run="b")])
    verdict = verdicts["b"]
    assert verdict.overall == "inconclusive"
    assert 0 < verdict.measure.level <= 0.05


def test_a_constant_difference_is_no_claim():
    # Always rank 1 against always rank 2: nothing varies, so nothing can be tested, and the others find as many.
    *_, verdicts = judged([serps_with([(1,)] * 30, run="a"), serps_with([(2,)] * 30, run="b")])
    assert verdicts["b"].overall == "inconclusive"
    assert verdicts["b"].marks == ""


def test_a_correction_that_is_not_made_is_not_named():
    *_, verdicts = judged(simulated_board(), Policy(correction="none"))
    assert all("by none" not in verdict.sentence for verdict in verdicts.values())


def test_decisions_are_not_called_holm():
    *_, verdicts = judged(simulated_board(), with_lists=False)
    assert all("Holm" not in verdict.sentence for verdict in verdicts.values())


def test_how_does_not_contradict_a_verdict():
    # Fourteen documents more, at rank 10, and eight first ranks lost: worse by RR, and it finds more.
    old, new = repeated({(1, 8): 8, (8, 7): 30, (0, 10): 14})
    *_, verdicts = judged([serps_at(old, run="old"), serps_at(new, run="new")], trials=2000)
    verdict = verdicts["new"]
    assert verdict.more is not None
    assert (verdict.overall, verdict.more.shown) == ("worse", 1)
    assert (verdict.how, verdict.spoken) == (("but more",), "worse, but more")
    assert verdict.sentence.startswith("new is worse than old, but more. ")
    # Lin et al.'s rules are descriptions on a board: it is better by do no harm, and the sentence keeps to its verdict.
    assert verdict.do_no_harm == "better"
    assert "Lin et al." not in verdict.sentence
