"""All evidence together: counts, the sentence, and the correction over challengers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.comparisons import recall_paired_tests
from runoff.measures import RR
from runoff.significance import BY_NAME, PairedT
from runoff.verdicts import EvidenceLine, EvidenceResult, MoreEvidence, Policy, Votes, together
from runoff.verdicts import evidence_of as lines_of
from runoff.verdicts.facet import decided
from tests.verdicts.cases import evidence_of, serps_at


def line(key, lead, p, basis="scores", *, counts=True):
    facet = decided(key, lead, p, Policy())
    return EvidenceLine(key=key, label=f"the {key}", basis=basis, facet=facet, strength="", meaning="", counts=counts)


def evidence(*lines):
    return EvidenceResult(champion="old", challenger="new", lines=lines, policy=Policy())


@pytest.mark.parametrize(
    "lines, kind, sentence",
    [
        ([("a", 1, 0.01), ("b", 1, 0.02)], "agree", "All 2 lines of evidence favour new."),
        (
            [("a", -1, 0.01), ("b", 1, 0.2)],
            "lean",
            "1 of 2 lines of evidence favours old, none new; the b shows no difference.",
        ),
        ([("a", 1, 0.5), ("b", -1, 0.2)], "nothing", "None of the 2 lines of evidence favours new or old."),
        (
            [("a", 1, 0.01), ("b", -1, 0.02), ("c", 1, 0.01), ("d", 0, 1.0)],
            "conflict",
            (
                "The evidence conflicts: 2 of 4 lines favour new (the a and the c), 1 old (the b); the d shows no "
                "difference."
            ),
        ),
    ],
)
def test_kinds_and_sentences(lines, kind, sentence):
    found = evidence(*(line(*one) for one in lines))
    assert (found.kind, found.sentence) == (kind, sentence)


def test_several_tests_of_one_measure_count_once():
    found = evidence(
        line("t", 1, 0.01),
        line("signed_rank", 1, 0.01, counts=False),
        line("sign", -1, 0.01, counts=False),
        line("more", 1, 0.3, basis="found"),
    )
    assert [one.key for one in found.lines if one.counts] == ["t", "more"]
    assert (found.kind, found.sentence) == (
        "lean",
        "1 of 2 lines of evidence favours new, none old; the more shows no difference.",
    )
    content = found.to_dict()
    assert [content[key] for key in ("favour_challenger", "favour_champion", "cannot_tell")] == [1, 0, 1]
    assert [one["counts"] for one in content["lines"]] == [True, False, False, True]
    assert [one["favours"] for one in content["lines"]] == ["challenger", "challenger", "champion", None]


def test_one_line_is_not_counted_in_the_plural():
    found = evidence(line("t", 1, 0.01), line("sign", 1, 0.01, counts=False))
    assert (found.kind, found.sentence) == ("agree", "The only line of evidence favours new.")


def test_one_line_that_cannot_tell_is_not_counted_in_the_plural():
    assert "1 lines" not in evidence(line("t", 1, 0.5), line("sign", 1, 0.5, counts=False)).sentence


def test_the_caution_names_what_is_apart():
    assert "except" not in evidence(line("a", 1, 0.01)).caution
    found = evidence(line("a", 1, 0.01), line("votes", 1, 0.01, basis="people"))
    assert found.caution.startswith("The lines, except the votes, look at the same queries")


@given(st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.floats(1e-6, 1), st.booleans()), min_size=1, max_size=12))
def test_counts_add_up_and_swapping_mirrors(drawn):
    found = evidence(*(line(str(at), lead, p, counts=counts) for at, (lead, p, counts) in enumerate(drawn)))
    counts = [len(found.favouring(side)) for side in ("challenger", "champion", None)]
    assert sum(counts) == sum(counts for _, _, counts in drawn)
    swapped = evidence(*(line(str(at), -lead, p, counts=counts) for at, (lead, p, counts) in enumerate(drawn)))
    assert [len(swapped.favouring(side)) for side in ("champion", "challenger", None)] == counts
    assert swapped.kind == found.kind


def test_each_line_is_corrected_over_the_challengers():
    three = [evidence(line("a", 1, 0.02), line("b", 1, 0.001)) for _ in range(3)]
    found = together(three, Policy(correction="bonferroni"))
    assert [one.facet.p for one in found[0].lines] == pytest.approx([0.06, 0.003])
    assert [one.speaks_for for one in found[0].lines] == [None, "challenger"]
    # a line that one of them lacks has a smaller family
    fewer = together([*three[:2], replace(three[2], lines=three[2].lines[1:])], Policy(correction="bonferroni"))
    assert fewer[0].lines[0].facet.p == pytest.approx(0.04)
    assert together(three[:1], Policy())[0].lines == three[0].lines


def test_keys():
    content = evidence(line("a", 1, 0.01), line("b", 1, 0.5)).to_dict()
    assert (content["favour_challenger"], content["favour_champion"], content["cannot_tell"]) == (1, 0, 1)
    assert content["lines"][0]["favours"] == "challenger"
    assert content["lines"][1]["favours"] is None


def gathered(champion, challenger, policy=None, **more):
    runs = serps_at(champion, run="old"), serps_at(challenger, run="new")
    values = [RR(cutoff=10).values(one) for one in runs]
    tests = [test.compare(*values) for test in BY_NAME.values()]
    found = MoreEvidence(recall_paired=recall_paired_tests(*runs), **more)
    return evidence_of(*runs), values, lines_of(evidence_of(*runs), tests, policy or Policy(), found)


CHAMPION = [1, 2, 3, 0, 1, 2, 0, 0, 4, 1] * 4
CHALLENGER = [2, 1, 3, 1, 1, 2, 0, 5, 1, 1] * 4


def test_every_p_by_itself():
    votes = Votes(challenger=12, champion=3, even=1, asked=30, p=float(stats.binomtest(12, 15).pvalue))
    other = PairedT().compare([0.1, 0.2, 0.3, 0.4], [0.3, 0.3, 0.5, 0.6])
    _, (first, second), found = gathered(CHAMPION, CHALLENGER, votes=votes, elsewhere=("private", other))
    lines = {line.key: line for line in found.lines}
    assert list(lines) == [
        "t", "signed_rank", "sign", "bootstrap", "more", "sooner", "ipso", "rpp", "preferences", "elsewhere",
    ]  # fmt: skip
    wins, losses = int((second > first).sum()), int((second < first).sum())
    assert lines["t"].facet.p == pytest.approx(stats.ttest_rel(second, first).pvalue)
    assert lines["sign"].facet.p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)
    assert lines["more"].facet.p == pytest.approx(stats.binomtest(8, 8).pvalue)
    assert lines["more"].strength == "8 : 0 queries"
    both = [(one, other) for one, other in zip(CHAMPION, CHALLENGER, strict=True) if one and other]
    ranks = np.array(both, dtype=float)
    assert lines["sooner"].facet.p == pytest.approx(stats.wilcoxon(ranks[:, 1] - ranks[:, 0]).pvalue)
    assert lines["sooner"].strength == f"rank {ranks[:, 1].mean():.2f} : {ranks[:, 0].mean():.2f}"
    assert lines["rpp"].facet.p == pytest.approx(stats.ttest_1samp(np.sign(second - first), 0).pvalue)
    assert lines["preferences"].speaks_for == "challenger"
    assert lines["preferences"].strength == "12 : 3, 16 of 30 judged"
    assert (lines["elsewhere"].label, lines["elsewhere"].speaks_for) == ("private queries", "challenger")


@pytest.mark.parametrize(
    "measure_test, counted",
    [("t", "t"), ("signed_rank", "signed_rank"), ("sign", "sign"), ("bootstrap", "bootstrap"), ("randomization", "t")],
)
def test_several_tests_of_the_measure_count_once(measure_test, counted):
    _, _, found = gathered(CHAMPION, CHALLENGER, Policy(measure_test=measure_test))
    assert [line.key for line in found.lines if line.basis == "scores"] == ["t", "signed_rank", "sign", "bootstrap"]
    assert [line.key for line in found.lines if line.counts] == [counted, "more", "sooner", "ipso", "rpp"]


def test_sooner_by_reciprocal_ranks():
    _, _, found = gathered(CHAMPION, CHALLENGER, Policy(sooner="reciprocal_ranks"))
    line = next(line for line in found.lines if line.key == "sooner")
    both = [(1 / one, 1 / other) for one, other in zip(CHAMPION, CHALLENGER, strict=True) if one and other]
    first, second = np.array(both).T
    assert line.strength == f"RR {second.mean():.4f} : {first.mean():.4f}"
    assert line.facet.p == pytest.approx(stats.wilcoxon((second - first).round(12)).pvalue)


def test_no_query_of_which_both_find_a_document_has_no_line_for_sooner():
    _, _, found = gathered([1] * 5 + [0] * 5, [0] * 5 + [1] * 5)
    assert [line.key for line in found.lines if line.basis == "found"] == ["more"]


def test_one_relevant_document_counts_once_and_not_three_times():
    _, _, found = gathered(CHAMPION, CHALLENGER)
    assert not {"lexicographic_precision", "lexicographic_recall"} & {line.key for line in found.lines}


def test_equal_runs_and_swapped_runs():
    _, _, same = gathered(CHAMPION, CHAMPION)
    assert same.kind == "nothing"
    _, _, one = gathered(CHAMPION, CHALLENGER)
    _, _, other = gathered(CHALLENGER, CHAMPION)
    sides = {"challenger": "champion", "champion": "challenger", None: None}
    assert [line.speaks_for for line in other.lines] == [sides[line.speaks_for] for line in one.lines]


def test_low_can_be_good():
    evidence, values, _ = gathered(CHAMPION, CHALLENGER)
    tests = [PairedT().compare(*values)]
    high = lines_of(evidence, tests, Policy()).lines[0].facet.direction
    low = lines_of(replace(evidence, best_is_low=True), tests, Policy()).lines[0].facet.direction
    assert (high, low) == (1, -1)


def check_equal_runs(boards, seed):
    """Each line speaks for one of two equally good runs in about alpha of the comparisons, not more."""
    rng = np.random.default_rng(seed)
    spoke: dict[str, list[bool]] = {}
    for _ in range(boards):
        ranks = rng.permuted(rng.integers(0, 8, size=(2, 80)), axis=0)
        for line in gathered(*ranks.tolist())[2].lines:
            spoke.setdefault(line.key, []).append(line.speaks_for is not None)
    for key, times in spoke.items():
        assert np.mean(times) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / boards), key


def test_how_often_equal_runs_get_a_line():
    check_equal_runs(300, seed=0)


@pytest.mark.proof
def test_how_often_equal_runs_get_a_line_at_length():
    check_equal_runs(2000, seed=1)
