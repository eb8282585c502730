"""The sentence: golden ones of every kind, and laws about what it may and may not say."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.verdicts import Policy, judge
from runoff.verdicts.sentence import p_text
from tests.verdicts.cases import evidence_of, rank_pairs, repeated, serps_at, verdict_at, verdict_on_scores

NOT_THERE = "There may still be a difference: not shown is not the same as not there."
ABOUT = "This is about these labels and queries like these."
SCORES = "Scores alone do not tell whether the number of answers or their ranks make the difference."
AGREE = "the queries on which every measure must agree vote"

GOLDEN = {
    "better by both": (
        {(4, 2): 20, (2, 2): 10, (0, 3): 9, (3, 0): 1},
        "On 40 queries, at level 0.05, new is better than old: it answers more queries (9 that only it answers against "
        "1; p = 0.0215), and where both answer, its answers come earlier (mean rank 2.00 against 3.33; p < 0.0001). "
        "The mean RR@10 is better (0.4500 against 0.2583, +0.1917; t test, p < 0.0001), and the queries on which every "
        "measure must agree vote the same way. " + ABOUT,
    ),
    "worse by both": (
        {(2, 4): 20, (2, 2): 10, (3, 0): 9, (0, 3): 1},
        "On 40 queries, at level 0.05, new is worse than old: it answers fewer queries (1 that only it answers against "
        "9; p = 0.0215), and where both answer, its answers come later (mean rank 3.33 against 2.00; p < 0.0001). The "
        "mean RR@10 is worse (0.2583 against 0.4500, -0.1917; t test, p < 0.0001), and the queries on which every "
        "measure must agree vote the same way. " + ABOUT,
    ),
    "better by answers": (
        {(0, 10): 9, (3, 0): 1, (1, 2): 3, (2, 1): 3},
        "On 16 queries, at level 0.05, new is better than old in one way and not shown to be worse in the other: it "
        "answers more queries (9 that only it answers against 1; p = 0.0215), and where both answer, its answers are "
        "not shown to come earlier or later (mean rank 1.50 against 1.50; p = 1). The mean RR@10 is not shown to "
        "differ (0.3375 against 0.3021, +0.0354; t test, p = 0.6782). " + ABOUT,
    ),
    "better by ranks": (
        {(4, 2): 20, (0, 3): 4, (3, 0): 3},
        "On 27 queries, at level 0.05, new is better than old in one way and not shown to be worse in the other: where "
        "both answer, its answers come earlier (mean rank 2.00 against 4.00; p < 0.0001), and it is not shown to "
        "answer more or fewer queries (4 that only it answers against 3; p = 1). The mean RR@10 is better (0.4198 "
        "against 0.2222, +0.1975; t test, p < 0.0001), and the queries on which every measure must agree vote the same "
        "way. " + ABOUT,
    ),
    "worse by answers": (
        {(10, 0): 9, (0, 3): 1, (1, 2): 3, (2, 1): 3},
        "On 16 queries, at level 0.05, new is worse than old in one way and not shown to be better in the other: it "
        "answers fewer queries (1 that only it answers against 9; p = 0.0215), and where both answer, its answers are "
        "not shown to come earlier or later (mean rank 1.50 against 1.50; p = 1). The mean RR@10 is not shown to "
        "differ (0.3021 against 0.3375, -0.0354; t test, p = 0.6782). " + ABOUT,
    ),
    "worse by ranks, same queries": (
        {(2, 4): 20, (0, 0): 1},
        "On 21 queries, at level 0.05, new is worse than old in one way and not shown to be better in the other: where "
        "both answer, its answers come later (mean rank 4.00 against 2.00; p < 0.0001), and both answer the same "
        "queries. The mean RR@10 is worse (0.2381 against 0.4762, -0.2381; t test, p < 0.0001), and the queries on "
        "which every measure must agree vote the same way. " + ABOUT,
    ),
    "trade-off, more answers": (
        {(2, 4): 20, (0, 3): 9, (3, 0): 1},
        "On 30 queries, at level 0.05, new against old is a trade-off: it answers more queries (9 that only it answers "
        "against 1; p = 0.0215), but where both answer, its answers come later (mean rank 4.00 against 2.00; p < "
        "0.0001); which of the two matters more, no test can say. The mean RR@10 is not shown to differ (0.2667 "
        "against 0.3444, -0.0778; t test, p = 0.1311). " + ABOUT,
    ),
    "trade-off, earlier": (
        {(4, 2): 20, (3, 0): 9, (0, 3): 1},
        "On 30 queries, at level 0.05, new against old is a trade-off: where both answer, its answers come earlier "
        "(mean rank 2.00 against 4.00; p < 0.0001), but it answers fewer queries (1 that only it answers against 9; p "
        "= 0.0215); which of the two matters more, no test can say. The mean RR@10 is not shown to differ (0.3444 "
        "against 0.2667, +0.0778; t test, p = 0.1311). " + ABOUT,
    ),
    "inconclusive": (
        {(1, 2): 3, (2, 1): 4, (0, 1): 2, (3, 0): 1},
        "On 10 queries, at level 0.05, new is not shown to answer better or worse than old: it is not shown to answer "
        "more or fewer queries (2 that only it answers against 1; p = 1), and where both answer, its answers are not "
        "shown to come earlier or later (mean rank 1.43 against 1.57; p = 1). The mean RR@10 is not shown to differ "
        "(0.7500 against 0.5333, +0.2167; t test, p = 0.2933). " + NOT_THERE,
    ),
    "identical": (
        {(1, 1): 3, (4, 4): 2, (0, 0): 3},
        "On 8 queries, at level 0.05, new and old answer the same queries at the same ranks. The mean RR@10 is not "
        "shown to differ (0.4375 against 0.4375, +0.0000; t test, p = 1). " + NOT_THERE,
    ),
    "no answers": (
        {(0, 0): 3},
        "On 3 queries, at level 0.05, neither new nor old answers any query. The mean RR@10 is not shown to differ "
        "(0.0000 against 0.0000, +0.0000; t test, p = 1). " + NOT_THERE,
    ),
    "no query answered by both": (
        {(0, 1): 12, (1, 0): 1},
        "On 13 queries, at level 0.05, new is better than old in one way and not shown to be worse in the other: it "
        "answers more queries (12 that only it answers against 1; p = 0.0034), and no query is answered by both. The "
        "mean RR@10 is better (0.9231 against 0.0769, +0.8462; t test, p = 0.0001), and the queries on which every "
        "measure must agree vote the same way. " + ABOUT,
    ),
    "one query": (
        {(2, 1): 1},
        "On 1 query, at level 0.05, new is not shown to answer better or worse than old: both answer the same queries, "
        "and where both answer, its answers are not shown to come earlier or later (mean rank 1.00 against 2.00; p = "
        "1). The mean RR@10 is not shown to differ (1.0000 against 0.5000, +0.5000; t test, p = 1). " + NOT_THERE,
    ),
}


@pytest.mark.parametrize("kind", GOLDEN)
def test_golden_sentences(kind):
    pairs, sentence = GOLDEN[kind]
    assert verdict_at(*repeated(pairs)).sentence == sentence


def test_scores_only_names_both_runs():
    low, high = [0.1, 0.2, 0.3, 0.4, 0.5], [0.21, 0.3, 0.41, 0.5, 0.61]
    means = "(0.4060 against 0.3000, +0.1060; t test, p < 0.0001)"
    better = f"On 5 queries, at level 0.05, the mean AP of new is better than that of old {means}. {SCORES}"
    assert verdict_on_scores(low, high).sentence == better
    assert "the mean AP of new is worse than that of old (0.3000 against" in verdict_on_scores(high, low).sentence
    same = "(0.3000 against 0.3000, +0.0000; t test, p = 1)"
    undecided = f"On 5 queries, at level 0.05, the mean AP of new is not shown to differ from that of old {same}."
    assert verdict_on_scores(low, low).sentence == f"{undecided} {NOT_THERE}"


def test_a_family_is_named():
    champion = serps_at([4] * 12, run="old")
    evidence = [evidence_of(champion, serps_at([rank] * 12, run=f"new{rank}")) for rank in (1, 2, 3)]
    for verdict in judge(evidence, Policy(alpha=0.01)):
        assert verdict.sentence.startswith("On 12 queries, at level 0.01 (Holm, 3 challengers), new")
    for verdict in judge(evidence, Policy(correction="none")):
        assert verdict.sentence.startswith("On 12 queries, at level 0.05, new")


def test_thousands_are_grouped():
    assert verdict_at([1] * 1200, [1] * 1200).sentence.startswith("On 1,200 queries, ")


def test_a_measure_that_points_the_other_way_is_told():
    # Twelve answers at rank 10 are won, and worth less in RR than what is lost at the top.
    verdict = verdict_at(*repeated({(0, 10): 12, (1, 3): 4, (3, 2): 4, (2, 2): 20}))
    assert verdict.do_no_harm == "better"
    assert "which points the other way" not in verdict.sentence  # the measure is not significant
    verdict = verdict_at(*repeated({(0, 10): 12, (1, 3): 10, (10, 8): 10}))
    assert (verdict.do_no_harm, verdict.measure.is_behind) == ("better", True)
    assert "), which points the other way. " in verdict.sentence


def test_a_vote_the_other_way_is_told_only_where_it_is_significant():
    verdict = verdict_at(*repeated({(10, 9): 30, (1, 5): 8}))
    assert (verdict.marks, verdict.measure.is_behind) == ("†", True)
    assert f", but {AGREE} the other way. " in verdict.sentence
    verdict = verdict_at(*repeated({(10, 9): 10, (1, 5): 8}))
    assert (verdict.marks, verdict.measure.is_behind) == ("†", True)
    assert AGREE not in verdict.sentence


def test_a_mean_that_its_test_does_not_follow_is_told():
    pair = repeated({(10, 8): 30, (1, 8): 4})
    verdict = verdict_at(*pair, policy=Policy(measure_test="signed_rank"))
    assert verdict.marks == ""
    assert "The mean RR@10 and its test do not agree on which run is better (0.1250 against 0.2059" in verdict.sentence


HOSTILE = ["<b>x</b>", "a%s{0}{x}", "new\nline", "p = 0.001", "$\\alpha$ & _", "‡†", "", "  ", "it answers more"]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", ["better by both", "trade-off, earlier", "inconclusive", "identical", "no answers"])
def test_hostile_names_pass_unchanged(name, kind):
    pair = repeated(GOLDEN[kind][0])
    plain = verdict_at(*pair, names=("OLD", "NEW"))
    hostile = verdict_at(*pair, names=("OLD", name))
    assert hostile.sentence == plain.sentence.replace("NEW", name)
    assert hostile.marks == plain.marks
    champion = verdict_at(*pair, names=(name, "NEW"))
    assert champion.sentence == plain.sentence.replace("OLD", name)


CLAIMS = {
    "it answers more queries": ("answered", "is_ahead"),
    "it answers fewer queries": ("answered", "is_behind"),
    "its answers come earlier": ("earlier", "is_ahead"),
    "its answers come later": ("earlier", "is_behind"),
    "mean RR@10 is better": ("measure", "is_ahead"),
    "mean RR@10 is worse": ("measure", "is_behind"),
}
policies = st.builds(
    Policy,
    alpha=st.sampled_from([0.01, 0.05, 0.3]),
    esl_test=st.sampled_from(["signed_rank", "t"]),
    measure_test=st.sampled_from(["t", "signed_rank", "sign", "rank_sum"]),
)


@given(rank_pairs(), policies)
def test_it_claims_what_is_significant_and_nothing_else(pair, policy):
    verdict = verdict_at(*pair, policy=policy)
    for words, (facet, state) in CLAIMS.items():
        assert (words in verdict.sentence) == getattr(getattr(verdict, facet), state), words
    assert (" is better than " in verdict.sentence) == (verdict.do_no_harm == "better")
    assert (" is worse than " in verdict.sentence) == (verdict.do_no_harm == "worse")
    assert ("trade-off" in verdict.sentence) == (verdict.do_no_harm == "trade-off")
    assert (f", and {AGREE} the same way" in verdict.sentence) == ("‡" in verdict.marks)
    # Words of comparison stand nowhere but in these claims and in "not shown to ..." phrases.
    rest = verdict.sentence
    for words in (*CLAIMS, " is better than ", " is worse than "):
        rest = rest.replace(words, " ")
    rest = re.sub(r"not shown to [^,.(:]*|do not agree on [^,.(:]*|which of the two matters more", " ", rest)
    assert not re.search(r"\b(more|fewer|earlier|later|better|worse)\b", rest), rest


@given(rank_pairs(), policies)
def test_it_never_takes_not_shown_for_none(pair, policy):
    verdict = verdict_at(*pair, policy=policy)
    assert not re.search(r"\bequal|\bas good|no difference|identical|comparable|on par", verdict.sentence)
    undecided = verdict.do_no_harm == "inconclusive" and not verdict.measure.significant
    assert (NOT_THERE in verdict.sentence) == undecided


@given(rank_pairs(), policies)
def test_it_is_well_formed(pair, policy):
    sentence = verdict_at(*pair, policy=policy).sentence
    assert "  " not in sentence
    assert "nan" not in sentence
    assert sentence.count("(") == sentence.count(")")
    assert sentence.endswith(".")
    assert len(sentence) < 700


@given(st.floats(1e-12, 1.0), st.sampled_from([0.1, 0.05, 0.01, 0.001, 0.00001]))
def test_p_is_never_rounded_across_the_level(p, level):
    relation, value = p_text(p, level).split()[1:]
    if relation == "<":
        assert p < float(value) < level
    else:
        assert (float(value) < level) == (p < level)
        assert abs(float(value) - p) <= 0.00005


def test_p_in_words():
    assert [p_text(p) for p in (0.0499999, 0.05, 0.00009999, 0.0001, 0.99994, 0.99999)] == [
        "p = 0.0499999",
        "p = 0.0500",
        "p < 0.0001",
        "p = 0.0001",
        "p = 0.9999",
        "p = 1",
    ]
