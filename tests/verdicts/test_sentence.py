"""The sentence: golden ones of every kind, and laws about what it may and may not say."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.boards.rank_sets import rank_sets
from runoff.phrases import p_text
from runoff.verdicts import Policy, all_pair_facets, judge, judge_on_board
from tests.verdicts.cases import (
    DEPTH,
    evidence_of,
    list_boards,
    rank_pairs,
    repeated,
    scores_of,
    serps_at,
    serps_with,
    verdict_at,
    verdict_on_scores,
)

NOT_THERE = "There may still be a difference: not shown is not the same as not there."
ABOUT = "This is about these labels and queries like these."
SCORES = "Scores alone do not tell whether it finds more, or finds sooner."
VOTE = "The queries on which every measure must agree vote for"
HOLM = "p-values are corrected by Holm over 3 facets"
INTERVALS = f"{HOLM}; intervals are 95%, not corrected."

PAIRS = {
    "better by both": {(4, 2): 20, (2, 2): 10, (0, 3): 9, (3, 0): 1},
    "worse by both": {(2, 4): 20, (2, 2): 10, (3, 0): 9, (0, 3): 1},
    "finds more": {(0, 3): 12, (1, 2): 3, (2, 1): 3},
    "finds sooner": {(4, 2): 20, (0, 3): 4, (3, 0): 3},
    "the measure alone": {(0, 1): 11, (10, 0): 5, (2, 2): 9},
    "trade-off, more": {(2, 4): 20, (0, 3): 9, (3, 0): 1},
    "trade-off, sooner": {(4, 2): 20, (3, 0): 9, (0, 3): 1},
    "trade-off with the measure": {(0, 10): 14, (1, 3): 10, (10, 8): 10},
    "inconclusive": {(1, 2): 3, (2, 1): 4, (0, 1): 2, (3, 0): 1},
    "inconclusive, but not by do no harm": {(0, 10): 9, (3, 0): 1, (1, 2): 3, (2, 1): 3},
    "none of both": {(0, 1): 12, (1, 0): 1},
}
"""Ranks of the champion and the challenger, and on how many queries."""
GOLDEN = {
    "better by both": (
        "new is better than old: more, sooner. On 40 queries, it finds more relevant documents (more on 9 queries, "
        "fewer on 1; p = 0.0215); it finds sooner what both find (mean search length 2.00 against 3.33; p < 0.0001); "
        f"its mean RR@10 is better (0.4500 against 0.2583, +0.1917; t test, p < 0.0001). {VOTE} new too. {HOLM}. "
        f"{ABOUT}"
    ),
    "worse by both": (
        "new is worse than old: fewer, later. On 40 queries, it finds fewer relevant documents (more on 1 query, "
        "fewer on 9; p = 0.0215); it finds later what both find (mean search length 3.33 against 2.00; p < 0.0001); "
        f"its mean RR@10 is worse (0.2583 against 0.4500, -0.1917; t test, p < 0.0001). {VOTE} old too. {HOLM}. {ABOUT}"
    ),
    "finds more": (
        "new is better than old: more. On 18 queries, it finds more relevant documents (more on 12 queries, fewer on "
        "0; p = 0.0015); it is not shown to find sooner or later what both find (mean search length 1.50 against "
        "1.50; p = 1; 1.15 ranks later to 1.15 ranks sooner); its mean RR@10 is better (0.4722 against 0.2500, "
        f"+0.2222; t test, p = 0.0253). {VOTE} new too. {INTERVALS} By Lin et al.'s strict rule it is inconclusive, "
        f"because sooner is not shown. {ABOUT}"
    ),
    "finds sooner": (
        "new is better than old: sooner. On 27 queries, it is not shown to find more or fewer relevant documents "
        "(more on 4 queries, fewer on 3; p = 1; -16.4% to +20.8% of queries); it finds sooner what both find (mean "
        "search length 2.00 against 4.00; p < 0.0001); its mean RR@10 is better (0.4198 against 0.2222, +0.1975; t "
        f"test, p < 0.0001). {VOTE} new too. {INTERVALS} By Lin et al.'s strict rule it is inconclusive, because more "
        f"is not shown. {ABOUT}"
    ),
    "the measure alone": (
        "new is better than old, by RR@10 alone. On 25 queries, it is not shown to find more or fewer relevant "
        "documents (more on 11 queries, fewer on 5; p = 0.4202; -11.1% to +49.9% of queries); what both find is at "
        f"the same ranks; its mean RR@10 is better (0.6200 against 0.2000, +0.4200; t test, p = 0.0016). {INTERVALS} "
        f"It is inconclusive (do no harm and strict) by Lin et al.'s rules, which leave the measure out. {ABOUT}"
    ),
    "trade-off, more": (
        "new against old is a trade-off: more, later. On 30 queries, it finds more relevant documents (more on 9 "
        "queries, fewer on 1; p = 0.0430); it finds later what both find (mean search length 4.00 against 2.00; p < "
        "0.0001); its mean RR@10 is not shown to differ (0.2667 against 0.3444, -0.0778; t test, p = 0.1311; -0.1801 "
        f"to +0.0246). {INTERVALS} {ABOUT}"
    ),
    "trade-off, sooner": (
        "new against old is a trade-off: fewer, sooner. On 30 queries, it finds fewer relevant documents (more on 1 "
        "query, fewer on 9; p = 0.0430); it finds sooner what both find (mean search length 2.00 against 4.00; p < "
        "0.0001); its mean RR@10 is not shown to differ (0.3444 against 0.2667, +0.0778; t test, p = 0.1311; -0.0246 "
        f"to +0.1801). {INTERVALS} {ABOUT}"
    ),
    "trade-off with the measure": (
        "new against old is a trade-off: more, worse by RR@10. On 34 queries, it finds more relevant documents (more "
        "on 14 queries, fewer on 0; p = 0.0004); it is not shown to find sooner or later what both find (mean search "
        "length 5.50 against 5.50; p = 1; 0.96 ranks later to 0.96 ranks sooner); its mean RR@10 is worse (0.1760 "
        f"against 0.3235, -0.1475; t test, p = 0.0336). {VOTE} new, however. {INTERVALS} It is better (do no harm), "
        "inconclusive (strict) by Lin et al.'s rules, which leave the measure out, and do not correct over "
        f"facets. {ABOUT}"
    ),
    "inconclusive": (
        "new is not shown to be better or worse than old. On 10 queries, it is not shown to find more or fewer "
        "relevant documents (more on 2 queries, fewer on 1; p = 1; -24.3% to +29.5% of queries); it is not shown to "
        "find sooner or later what both find (mean search length 1.43 against 1.57; p = 1; 0.85 ranks later to 1.13 "
        "ranks sooner); its mean RR@10 is not shown to differ (0.7500 against 0.5333, +0.2167; t test, p = 0.8799; "
        f"-0.2225 to +0.6558). {INTERVALS} {NOT_THERE}"
    ),
    "inconclusive, but not by do no harm": (
        "new is not shown to be better or worse than old. On 16 queries, it is not shown to find more or fewer "
        "relevant documents (more on 9 queries, fewer on 1; p = 0.0645; +6.9% to +62.2% of queries); it is not shown "
        "to find sooner or later what both find (mean search length 1.50 against 1.50; p = 1; 1.15 ranks later to "
        "1.15 ranks sooner); its mean RR@10 is not shown to differ (0.3375 against 0.3021, +0.0354; t test, p = 1; "
        f"-0.1430 to +0.2138). {INTERVALS} It is better (do no harm), inconclusive (strict) by Lin et al.'s rules, "
        f"which test more and sooner alone, not corrected over facets. {NOT_THERE}"
    ),
    "none of both": (
        "new is better than old: more. On 13 queries, it finds more relevant documents (more on 12 queries, fewer on "
        "1; p = 0.0068); for no query do both find a relevant document; its mean RR@10 is better (0.9231 "
        f"against 0.0769, +0.8462; t test, p = 0.0004). {VOTE} new too. {HOLM}. By Lin et al.'s strict rule it is "
        f"inconclusive, because sooner is not shown. {ABOUT}"
    ),
}


@pytest.mark.parametrize("kind", GOLDEN)
def test_golden_sentences(kind):
    assert verdict_at(*repeated(PAIRS[kind])).sentence == GOLDEN[kind]


def test_facets_that_disagree_are_named():
    # Finds more after the correction, and later without it alone.
    verdict = verdict_at(*repeated({(0, 10): 14, (1, 2): 9, (2, 1): 2, (2, 2): 8}))
    start = "It is not shown whether new is better or worse than old: how much it finds and how soon disagree. On 33 "
    assert verdict.sentence.startswith(start)
    assert "(mean search length 1.89 against 1.53; p = 0.0696; 0.04 to 0.70 ranks later)" in verdict.sentence


def test_runs_that_are_the_same():
    sentence = verdict_at(*repeated({(1, 1): 3, (4, 4): 2, (0, 0): 3})).sentence
    assert sentence.startswith("new is not shown to be better or worse than old. On 8 queries, ")
    assert "both find the same number of relevant documents for every query; what both find is at the same" in sentence
    assert sentence.endswith("The two runs score the same on every query.")


@pytest.mark.parametrize("pairs", [{(2, 1): 1}, {(2, 1): 1, (0, 1): 9}])
def test_an_interval_that_is_not_known_is_left_out(pairs):
    assert "inf" not in verdict_at(*repeated(pairs)).sentence


def test_intervals_are_explained_only_where_there_is_one():
    # Both find the same documents, which needs no interval; the rest is significant.
    sentence = verdict_at(*repeated({(2, 4): 20, (0, 0): 1})).sentence
    assert ("intervals" in sentence) == (" to +" in sentence or " to -" in sentence)


def test_scores_only():
    low, high = [0.1, 0.2, 0.3, 0.4, 0.5], [0.21, 0.3, 0.41, 0.5, 0.61]
    means = "(0.4060 against 0.3000, +0.1060; t test, p < 0.0001)"
    better = f"new is better than old. On 5 queries, its mean AP is better {means}. {SCORES}"
    assert verdict_on_scores(low, high).sentence == better
    assert verdict_on_scores(high, low).sentence.startswith(
        "new is worse than old. On 5 queries, its mean AP is worse (0.3000 against 0.4060, -0.1060; "
    )
    mixed = [0.3, 0.1, 0.4, 0.4, 0.4]
    undecided = "(0.3200 against 0.3000, +0.0200; t test, p = 0.7489; -0.1419 to +0.1819)"
    assert verdict_on_scores(low, mixed).sentence == (
        f"new is not shown to be better or worse than old. On 5 queries, its mean AP is not shown to differ "
        f"{undecided}. Intervals are 95%. {NOT_THERE}"
    )


def test_a_family_is_named():
    champion = serps_at([4] * 12, run="old")
    evidence = [evidence_of(champion, serps_at([rank] * 12, run=f"new{rank}")) for rank in (1, 2, 3)]
    for verdict in judge(evidence, Policy(alpha=0.01)):
        assert "p-values are corrected by Holm over 3 facets of 3 challengers" in verdict.sentence
    for verdict in judge(evidence, Policy(correction="benjamini_hochberg")):
        assert "p-values are corrected by Benjamini-Hochberg over 3 facets of 3 challengers" in verdict.sentence
    for verdict in judge(evidence, Policy(correction="none")):
        assert "corrected" not in verdict.sentence


def test_thousands_are_grouped():
    assert " On 1,200 queries, " in verdict_at([1] * 1200, [1] * 1200).sentence
    assert (
        "(more on 1,000 queries, fewer on 1,100; "
        in verdict_at([0] * 1000 + [1] * 1100, [1] * 1000 + [0] * 1100).sentence
    )


def test_a_vote_the_other_way_is_said_only_where_it_is_significant():
    verdict = verdict_at(*repeated({(10, 9): 30, (1, 5): 8}))
    assert (verdict.marks, verdict.measure.shown < 0) == ("†", True)
    assert f". {VOTE} new, however. " in verdict.sentence
    verdict = verdict_at(*repeated({(10, 9): 10, (1, 5): 8}))
    assert (verdict.marks, verdict.measure.shown < 0) == ("†", True)
    assert VOTE not in verdict.sentence


def test_a_mean_that_its_test_does_not_follow_is_said():
    pair = repeated({(10, 8): 30, (1, 8): 4})
    verdict = verdict_at(*pair, policy=Policy(measure_test="signed_rank"))
    assert verdict.marks == ""
    assert "its mean RR@10 and its test disagree on which run is better (0.1250 against 0.2059" in verdict.sentence


# Why Lin et al.'s rules differ from the headline; what each case shows uncorrected is in the comments.
RULES = {
    "the rules leave the measure out": ({(0, 1): 11, (10, 0): 5, (2, 2): 9}, "which leave the measure out."),
    "three facets are corrected": ({(0, 10): 9, (3, 0): 1, (1, 2): 3, (2, 1): 3}, "not corrected over facets."),
    "both": (
        {(0, 10): 14, (1, 3): 10, (10, 8): 10},
        "leave the measure out, and do not correct over facets.",
    ),
    "strict asks for more, too": ({(4, 2): 20, (0, 3): 4, (3, 0): 3}, "because more is not shown."),
    "strict asks for sooner, too": ({(0, 3): 12, (1, 2): 3, (2, 1): 3}, "because sooner is not shown."),
    "strict asks for fewer, too": ({(2, 4): 20, (0, 3): 3, (3, 0): 4}, "because fewer is not shown."),
    "strict asks for later, too": ({(3, 0): 12, (1, 2): 3, (2, 1): 3}, "because later is not shown."),
}


@pytest.mark.parametrize("case", RULES)
def test_rules_that_differ_from_the_headline_say_why(case):
    pairs, why = RULES[case]
    verdict = verdict_at(*repeated(pairs))
    assert {verdict.strict, verdict.do_no_harm} != {verdict.overall}
    assert why in verdict.sentence


@given(
    list_boards(max_runs=2, max_queries=30), st.sampled_from([Policy(), Policy(alpha=0.3), Policy(correction="none")])
)
def test_lin_et_al_are_named_where_their_rules_differ(board, policy):
    verdict = judge([evidence_of(board[0], board[1], policy)], policy)[0]
    assert ("Lin et al." in verdict.sentence) == ({verdict.strict, verdict.do_no_harm} != {verdict.overall})
    for rule, name in ((verdict.do_no_harm, "(do no harm"), (verdict.strict, "strict")):
        if rule != verdict.overall:
            assert str(rule) in verdict.sentence
            assert name in verdict.sentence


def test_a_trade_off_has_its_article():
    verdict = verdict_at(*repeated({(0, 10): 14, (1, 2): 9, (2, 1): 2, (2, 2): 8}))
    assert verdict.do_no_harm == "trade-off"
    assert not re.search(r"\bis trade-off", verdict.sentence)


def test_a_board_does_not_say_that_one_facet_disagrees():
    # Fourteen documents more at rank 10, and nothing else: more is shown, the measure is not decided.
    old, new = repeated({(0, 10): 14, (1, 2): 12, (2, 1): 10})
    runs = serps_at(old, run="old"), serps_at(new, run="new")
    facets = all_pair_facets(runs, cutoff=DEPTH, policy=Policy())
    decisions = rank_sets(scores_of(runs), trials=400)
    verdict = judge_on_board([evidence_of(*runs)], decisions, facets, Policy())[0]
    assert (verdict.overall, facets.how("new", "old")) == ("inconclusive", ("more",))
    assert "disagree" not in verdict.sentence


HOSTILE = ["<b>x</b>", "a%s{0}{x}", "new\nline", "p = 0.001", "$\\alpha$ & _", "‡†", "", "  ", "it finds more"]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", ["better by both", "trade-off, sooner", "inconclusive", "the measure alone"])
def test_hostile_names_pass_unchanged(name, kind):
    pair = repeated(PAIRS[kind])
    plain = verdict_at(*pair, names=("OLD", "NEW"))
    hostile = verdict_at(*pair, names=("OLD", name))
    assert hostile.sentence == plain.sentence.replace("NEW", name)
    assert hostile.marks == plain.marks
    champion = verdict_at(*pair, names=(name, "NEW"))
    assert champion.sentence == plain.sentence.replace("OLD", name)


CLAIMS = {
    "it finds more relevant documents": ("more", 1),
    "it finds fewer relevant documents": ("more", -1),
    "it finds sooner what both find": ("sooner", 1),
    "it finds later what both find": ("sooner", -1),
    "mean RR@10 is better": ("measure", 1),
    "mean RR@10 is worse": ("measure", -1),
}
policies = st.builds(
    Policy,
    alpha=st.sampled_from([0.01, 0.05, 0.3]),
    esl_test=st.sampled_from(["signed_rank", "t"]),
    sooner=st.sampled_from(["ranks", "reciprocal_ranks"]),
    measure_test=st.sampled_from(["t", "signed_rank", "sign", "rank_sum"]),
)
# Where words of comparison stand without a claim: what is not shown, counts and intervals, and Lin et al.'s rules.
NO_CLAIM = (
    r"not shown (to|whether) [^,.(:]*|disagree on [^,.(:]*|"
    r"\(more on [\d,]+ quer(y|ies), fewer on |[\d.inf]+( ranks)? (sooner|later|higher|lower)|"
    r"By Lin et al\.'s strict rule[^.]*\.|It is [a-z -]*\([^.]* by Lin et al\.'s rules[^.]*\."
)


@given(rank_pairs(), policies)
def test_it_claims_what_is_significant_and_nothing_else(pair, policy):
    verdict = verdict_at(*pair, policy=policy)
    sentence = verdict.sentence
    for words, (facet, direction) in CLAIMS.items():
        assert (words in sentence) == (getattr(verdict, facet).shown == direction), words
    how = ", ".join(verdict.how)
    how = f", {how}" if how.startswith("by ") else f": {how}"
    headlines = {
        "better": f"new is better than old{how}. ",
        "worse": f"new is worse than old{how}. ",
        "trade-off": f"new against old is a trade-off{how}. ",
    }
    for overall, headline in headlines.items():
        assert sentence.startswith(headline) == (verdict.overall == overall)
    winner = "new" if verdict.measure.shown > 0 else "old"
    assert (f". {VOTE} {winner} too. " in sentence) == ("‡" in verdict.marks)
    # Words of comparison are nowhere but in these claims, and where it is said that something is not shown.
    rest = sentence.removeprefix(headlines.get(verdict.overall, ""))
    for words in CLAIMS:
        rest = rest.replace(words, " ")
    rest = re.sub(NO_CLAIM, " ", rest)
    assert not re.search(r"\b(more|fewer|sooner|later|better|worse|higher|lower)\b", rest), rest


@given(rank_pairs(), policies)
def test_it_never_takes_not_shown_for_none(pair, policy):
    verdict = verdict_at(*pair, policy=policy)
    # "Equally many" is said of documents that were counted, not of what is true of other queries.
    words = r"\bequal(?!ly many relevant documents of every query)|\bas good|no difference|identical|comparable|on par"
    assert not re.search(words, verdict.sentence)
    is_same = verdict.measure.ci95 == (0.0, 0.0)
    assert (NOT_THERE in verdict.sentence) == (verdict.overall == "inconclusive" and not is_same)


@given(list_boards(max_runs=2, max_queries=30), policies)
def test_it_is_well_formed(board, policy):
    sentence = judge([evidence_of(board[0], board[1], policy)], policy)[0].sentence
    assert "  " not in sentence
    assert "nan" not in sentence
    assert sentence.count("(") == sentence.count(")")
    assert sentence.endswith(".")
    assert len(sentence) < 1000


def test_several_relevant_documents():
    # Two of three at ranks 1 and 3 against one at rank 2, twelve times; the same two, once later, nine times.
    old = serps_with([(2,)] * 12 + [(1, 4)] * 9, run="old")
    new = serps_with([(1, 3)] * 12 + [(1, 6)] * 9, run="new")
    verdict = judge([evidence_of(old, new)], Policy())[0]
    # The sign test has p = 1/2048, the t test less: Holm takes the one times two.
    assert "it finds more relevant documents (more on 12 queries, fewer on 0; p = 0.0010)" in verdict.sentence
    # One rank sooner over the one document that both find, twelve times; one later over two, on average, nine times.
    assert "(mean search length 2.07 against 2.21; " in verdict.sentence


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


@pytest.mark.parametrize("level", [0.05, 1e-4, 1e-5, 1e-9, 1e-30, 1e-300])
@pytest.mark.parametrize("p", [0.0, 1e-320, 1e-30, 9.9e-10, 1.1e-9, 9.99e-6, 1e-5, 5e-5, 1e-4, 0.04999, 1.0])
def test_a_p_value_is_never_written_as_0_nor_across_the_level(p, level):
    text = p_text(p, level)
    assert "0.0000" not in text.replace("0.0001", "")
    shown = float(text.split()[-1])
    assert shown > 0.0
    if text.startswith("p ="):
        assert (shown < level) == (p < level)
    else:
        assert p < shown <= max(level, 1e-300)
