"""The verdict on a board: who is not significantly worse, and what speaks against the lead."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.boards import BoardPower, WinnerResult
from runoff.boards.kendall import HalfReference, NoReference, SplitReference
from runoff.errors import UsageError
from runoff.verdicts import (
    BoardChecks,
    Policy,
    doubts_about,
    judge,
    lead_verdict,
    tau_sentence,
    verdict_order,
)
from tests.verdicts.cases import DEPTH, MIRROR, evidence_of, list_boards, serps_at, verdict_at

VERDICTS = ("better", "worse", "trade-off", "inconclusive")


@given(st.lists(st.sampled_from(VERDICTS), max_size=8))
def test_a_leader_is_clear_only_if_all_others_are_worse(found):
    verdicts = {f"r{place}": verdict for place, verdict in enumerate(found)}
    lead = lead_verdict("a", verdicts)
    assert (lead.kind == "alone") == (not found)
    assert (lead.kind == "clear") == (bool(found) and set(found) == {"worse"})
    assert lead.not_worse == tuple(name for name, verdict in verdicts.items() if verdict != "worse")
    assert lead.others == len(found)


@pytest.mark.parametrize(
    "verdicts, sentence",
    [
        ({}, "a is the only run, so there is nothing to compare it with."),
        ({"b": "worse"}, "a is the clear leader: the other run is significantly worse."),
        ({"b": "worse", "c": "worse"}, "a is the clear leader: both other runs are significantly worse."),
        (
            {"b": "inconclusive"},
            "There is no clear winner: a has the best mean, but the other run (b) is not significantly worse.",
        ),
        (
            {"b": "inconclusive", "c": "worse", "d": "inconclusive"},
            (
                "There is no clear winner: a has the best mean, but 2 of the 3 other runs (b, d) are not "
                "significantly worse."
            ),
        ),
        (
            dict.fromkeys("bcdef", "inconclusive"),
            ("There is no clear winner: a has the best mean, but none of the 5 other runs is significantly worse."),
        ),
    ],
)
def test_sentences(verdicts, sentence):
    assert lead_verdict("a", verdicts).sentence == sentence


@pytest.mark.parametrize(
    "verdicts, tied, sentence",
    [
        ({"b": "inconclusive"}, ["b"], "There is no clear winner: a and b tie for the lead."),
        (
            {"b": "inconclusive", "c": "worse", "d": "worse"},
            ["b"],
            ("There is no clear winner: a and b tie for the lead; both other runs are significantly worse than a."),
        ),
        (
            {"b": "inconclusive", "c": "inconclusive", "d": "inconclusive", "e": "worse"},
            ["b", "c"],
            (
                "There is no clear winner: a, b and c tie for the lead; 1 of the 2 other runs (d) is not "
                "significantly worse than a."
            ),
        ),
    ],
)
def test_runs_that_tie_are_one_leader_with_several_names(verdicts, tied, sentence):
    lead = lead_verdict("a", verdicts, tied=tied)
    assert (lead.sentence, lead.tied, lead.kind) == (sentence, tuple(tied), "shared")


def test_what_speaks_against_the_lead_elsewhere_is_in_the_sentence():
    lead = lead_verdict("a", {"b": "worse"}, led=(1, 3), alarm=True)
    assert not lead.holds
    assert lead.sentence.endswith(
        " Another run leads under 2 of 3 conditions. The overfitting alarm fired for its team."
    )
    assert lead_verdict("a", {"b": "worse"}, led=(3, 3)).holds


def doubted(**checks):
    """The sections and sentences of the doubts about run a, which is better than run b on 500 queries."""
    lead = checks.pop("lead", lead_verdict("a", {"b": "worse"}))
    doubts = doubts_about(BoardChecks(lead=lead, **{"queries": 500, **checks}))
    return [(doubt.section, doubt.sentence) for doubt in doubts]


def test_a_leader_that_passes_every_check_is_not_doubted():
    assert doubted() == []
    assert doubted(unjudged=0.09, freedom=0.04, resolution=resolution_of(gap_needed=500)) == []


def resolution_of(**numbers):
    given = {
        "measure": "AP",
        "queries": 500,
        "pairs": 1,
        "level": 0.05,
        "power": 0.8,
        "smallest": 0.02,
        "easy": 0.02,
        "hard": 0.02,
    }
    gap = {"first": "a", "second": "b", "gap": 0.01, "gap_smallest": 0.02, "gap_needed": 2100}
    return BoardPower(**{**given, **gap, **numbers})


def winner_of(**numbers):
    given = {"run": "a", "names": ("a",), "measure": "AP", "runs": 40, "queries": 500, "score": 0.424}
    rest = {
        "optimism": 0.004,
        "corrected": 0.42,
        "ci95": (0.4, 0.43),
        "skewness": 0.0,
        "is_rough": False,
        "trials": 100,
        "seed": 0,
    }
    return WinnerResult(**{**given, **rest, **numbers})


@pytest.mark.parametrize(
    "checks, section, sentence",
    [
        (
            {"lead": lead_verdict("a", {"b": "worse"}, led=(1, 3)), "leads": "leads under 1 of 3 conditions"},
            "elsewhere",
            "With other queries, labels or measures the order changes: a leads under 1 of 3 conditions.",
        ),
        (
            {"alarms": ["X", "Y"]},
            "elsewhere",
            (
                "Overfitting alarm for X and Y: the gain on public queries carries over to private ones less than the "
                "gains of other teams do."
            ),
        ),
        ({"violations": 1}, "elsewhere", "1 submission breaks the submission rule of the board."),
        ({"violations": 2}, "elsewhere", "2 submissions break the submission rule of the board."),
        (
            {"resolution": resolution_of()},
            "leader",
            (
                "A lead as small as that of a over b, 0.0100, usually goes undetected with 500 queries; it needs about "
                "2,100 queries (80% power)."
            ),
        ),
        (
            {"winner": winner_of()},
            "leader",
            "The best of 40 means is partly luck: corrected for that, a scores about 0.4200, not 0.4240.",
        ),
        (
            {"unjudged": 0.934},
            "labels",
            "Nobody judged 93% of the documents in the runs' top 10; most measures count them as not relevant.",
        ),
        (
            {"freedom": 0.081},
            "measures",
            (
                "The choice of measure matters: two reasonable measures may disagree about 8% of the pairs of ranked "
                "lists."
            ),
        ),
        (
            {"queries": 53},
            "leader",
            ("There are only 53 queries: below 100, confidence can be lower than stated where scores are skewed."),
        ),
    ],
)
def test_each_reason_for_doubt(checks, section, sentence):
    assert doubted(**checks) == [(section, sentence)]


def test_a_correction_that_nobody_would_see_is_no_doubt():
    assert doubted(winner=winner_of(corrected=0.4239)) == []


def test_evidence_that_conflicts_is_doubt():
    conflict, agree = (SimpleNamespace(kind=kind, champion="a", challenger="b", sentence="It does.") for kind in KINDS)
    assert doubted(evidence=conflict) == [("evidence", "b against a: It does.")]
    assert doubted(evidence=agree) == []


KINDS = ("conflict", "agree")
ALONE = Policy(correction="none")


def board_of(*ranks):
    return [serps_at(one, run=f"r{place}") for place, one in enumerate(ranks)]


@given(st.data(), st.sampled_from([Policy(alpha=0.2), Policy(alpha=0.2, esl_test="t")]))
def test_equals_the_verdict_of_each_pair(data, policy):
    queries = data.draw(st.integers(1, 12))
    ranks = st.lists(st.integers(0, 6), min_size=queries, max_size=queries)
    runs = data.draw(st.lists(ranks, min_size=2, max_size=4))
    means = data.draw(st.lists(st.floats(0, 1), min_size=len(runs), max_size=len(runs)))
    result = verdict_order(board_of(*runs), means, cutoff=10, policy=policy)
    for i, challenger in enumerate(runs):
        for j, champion in enumerate(runs):
            expected = None if i == j else verdict_at(champion, challenger, policy=policy).do_no_harm
            assert result.verdicts[i][j] == expected
            assert result.verdicts[j][i] == MIRROR[result.verdicts[i][j]]
        assert result.better[i] == result.verdicts[i].count("better")
        assert result.copeland[i] == result.better[i] - result.worse[i]
    assert sum(result.copeland) == 0
    keys = [(-result.copeland[run], -means[run], result.runs[run]) for run in result.order]
    assert keys == sorted(keys)


@given(list_boards(), st.sampled_from([ALONE, Policy(alpha=0.2, sooner="reciprocal_ranks", correction="none")]))
def test_several_relevant_documents_give_the_verdict_of_each_pair(board, policy):
    result = verdict_order(board, [0.5] * len(board), cutoff=DEPTH, policy=policy)
    for i, challenger in enumerate(board):
        for j, champion in enumerate(board):
            if i == j:
                continue
            verdict = judge([evidence_of(champion, challenger)], policy)[0]
            assert verdict.sooner is not None
            # Means that differ by rounding alone lean either way.
            if abs(verdict.sooner.difference) > 1e-12 or not verdict.sooner.difference:
                assert result.verdicts[i][j] == verdict.do_no_harm


def test_nothing_is_corrected():
    steady, worse = [4] * 40, [4] * 34 + [0] * 6  # p = 0.031
    few = verdict_order(board_of(steady, worse), [0.3, 0.2], cutoff=10, policy=Policy())
    many = verdict_order(board_of(steady, worse, *[steady] * 8), [0.3] * 10, cutoff=10, policy=Policy())
    assert few.verdicts[1][0] == many.verdicts[1][0] == "worse"


def test_the_order_can_differ_from_the_order_of_the_means():
    # The first run has the higher mean by few rank 1 answers; the others answer far more queries, all late.
    brilliant = [1] * 12 + [0] * 28
    steady = [4] * 40
    means = [12 / 40, 1 / 4]
    result = verdict_order(board_of(brilliant, steady), means, cutoff=10, policy=ALONE)
    assert result.verdicts[1][0] == "trade-off"
    assert result.order == (0, 1)  # a trade-off is no win: the mean decides
    worse = [4] * 12 + [0] * 28
    result = verdict_order(board_of(worse, steady), [0.9, 0.1], cutoff=10, policy=ALONE)
    assert result.order == (1, 0)
    assert result.copeland == (-1, 1)


def test_equal_runs_are_in_the_order_of_their_names():
    result = verdict_order(board_of([1, 2], [1, 2]), [0.75, 0.75], cutoff=10, policy=ALONE)
    assert result.order == (0, 1)
    assert result.copeland == (0, 0)


def test_a_mean_per_run_is_needed():
    with pytest.raises(UsageError, match="1 means of 2 runs"):
        verdict_order(board_of([1], [2]), [0.5], cutoff=10, policy=ALONE)


SPLITS = SplitReference(trials=1000, median=0.8, range95=(0.7, 0.9), p=0.03)
HALVES = HalfReference(trials=1000, across=0.4, within=(0.5, 0.6))
NONE = NoReference(why="the queries differ, and so do the labels")


def test_a_small_p_is_about_the_order_or_the_difficulty():
    assert tau_sentence(SPLITS) == (
        "Random splits of the same queries have a median tau of 0.80 (0.70 to 0.90 in 95% of 1,000; p = 0.0300). The "
        "order of the runs, or the difficulty of the queries, differs between the two sets."
    )
    assert tau_sentence(SPLITS, alpha=0.01).endswith("That is what the luck of the queries alone could do.")


def test_halves_and_nothing():
    assert tau_sentence(HALVES) == (
        "Between disjoint halves of the queries tau is 0.40 across the two on average, and 0.50 and 0.60 within each."
    )
    assert tau_sentence(NONE) == ("This tau has no reference value: the queries differ, and so do the labels.")
