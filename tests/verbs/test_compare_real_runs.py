"""Verdicts on real runs: the counts that were checked by hand, and rules recomputed from the p-values."""

from collections import Counter

import numpy as np
import pytest

from runoff import CompareOptions, Policy
from runoff.reading.sources import as_qrels, as_run
from tests.verbs.comparisons import compare, found_ranks, scipy_p
from tests.verbs.real_boards import CHAMPION, deep_learning_runs, named, robust_runs

FEW = 50  # trials, where the tests that resample are not looked at


def contest_of(data, **question):
    """The champion of TREC DL 2021 against the other 41 runs."""
    runs, qrels = deep_learning_runs(data)
    others = [run for run in runs if run.name != CHAMPION]
    return compare(
        named(runs, CHAMPION), others, qrels, options=CompareOptions(measures="nDCG@10", trials=FEW, **question)
    )


def holm(p):
    """Holm's p-values by the textbook: the i-th smallest times how many are left, never falling, 1 at most."""
    order, adjusted, highest = np.argsort(p, kind="stable"), np.empty(len(p)), 0.0
    for place, at in enumerate(order):
        highest = max(highest, (len(p) - place) * p[at])
        adjusted[at] = min(highest, 1.0)
    return adjusted


@pytest.mark.parametrize("level, worse", [(1, 36), (2, 37)])
def test_a_champion_that_was_named_before_looking(shared_data, level, worse):
    """Of the 40 runs that a Holm-corrected t test puts below it, most are worse overall."""
    comparisons = contest_of(shared_data, depth=10, level=level).comparisons
    t = [next(test for test in comparison.tests if test.name == "t") for comparison in comparisons]
    is_below = (holm([test.p for test in t]) < 0.05) & np.array([test.effect < 0 for test in t])
    assert is_below.sum() == 40
    found = Counter(comparison.outcome for comparison, below in zip(comparisons, is_below, strict=True) if below)
    assert found["worse"] == worse
    assert {comparison.outcome for comparison in comparisons} == {"worse", "inconclusive"}


def test_overall_is_holm_over_facets_and_challengers(shared_data):
    comparisons = contest_of(shared_data).comparisons
    facets = [facet for comparison in comparisons for facet in comparison.verdict.facets.values()]
    assert len(facets) == 3 * 41
    adjusted = holm([facet.raw_p for facet in facets])
    assert [facet.p for facet in facets] == pytest.approx(adjusted.tolist(), rel=1e-12)
    assert {str(facet.family) for facet in facets} == {"3 facets of 41 challengers (123 p-values)"}
    for comparison, p in zip(comparisons, adjusted.reshape(-1, 3), strict=True):
        ours = list(comparison.verdict.facets.values())
        leans = [np.sign(facet.difference) if facet.agrees else 0 for facet in ours]
        shown = {lean for lean, one in zip(leans, p, strict=True) if one < 0.05}
        raw = {lean for lean, facet in zip(leans, ours, strict=True) if facet.raw_p < 0.05}
        expected = (
            "better" if 1 in shown and -1 not in raw
            else "worse" if -1 in shown and 1 not in raw
            else "trade-off" if {1, -1} <= shown
            else "inconclusive"
        )  # fmt: skip
        assert comparison.outcome == expected, comparison.challenger
        words = {"more": ("more", "fewer"), "sooner": ("sooner", "later")}
        how = [
            words[name][int(lean < 0)]
            for name, lean, one in zip(comparison.verdict.facets, leans, p, strict=True)
            if name in words and one < 0.05 and lean
        ]
        if expected == "worse":
            assert list(comparison.verdict.how) == (how or ["by nDCG@10 alone"])
        if expected == "inconclusive":
            assert comparison.verdict.how == ()


def test_do_no_harm_and_the_t_test_say_the_same_of_63_pairs(shared_data):
    """Robust 2003, 66 pairs, single comparisons at 0.05."""
    runs, qrels = robust_runs(shared_data)
    question, policy = CompareOptions(measures="nDCG@10", depth=10, level=1, trials=FEW), Policy(correction="none")
    same: Counter[str] = Counter()
    pairs = 0
    for place, champion in enumerate(runs[:-1]):
        for comparison in compare(champion, runs[place + 1 :], qrels, options=question, policy=policy).comparisons:
            t = next(test for test in comparison.tests if test.name == "t")
            word = "inconclusive" if t.p >= 0.05 else "better" if t.effect > 0 else "worse"
            same[word] += comparison.verdict.do_no_harm == word
            pairs += 1
    assert pairs == 66
    assert (same.total(), same["inconclusive"], same["better"] + same["worse"]) == (63, 26, 37)


@pytest.mark.parametrize("measure", ["nDCG@10", "RR@10", "P@10"])
def test_a_large_re_ranker_beats_bm25(shared_data, measure):
    """What everybody knows of the first results is not inconclusive, whatever the measure."""
    runs, qrels = deep_learning_runs(shared_data)
    comparison = compare(
        named(runs, "p_bm25"), named(runs, "p_f10_mt53b"), qrels, options=CompareOptions(measures=measure, trials=FEW)
    )
    assert comparison.outcome == "better"
    assert "more" in comparison.verdict.how
    assert comparison.verdict.sentence.startswith("p_f10_mt53b is better than p_bm25: more")


@pytest.mark.parametrize("level", [1, 2, 3])
def test_queries_that_nobody_can_answer_are_left_out_and_counted(shared_data, level):
    runs, qrels = deep_learning_runs(shared_data)
    question = CompareOptions(measures="nDCG@10", level=level, trials=FEW)
    comparison = compare(named(runs, "p_bm25"), named(runs, CHAMPION), qrels, options=question)
    relevant = named(runs, "p_bm25").serps(qrels).relevant(level).tolist()
    answerable = [many for many in relevant if many]
    outcomes = comparison.to_dict()["outcomes"]
    assert outcomes["unanswerable"] == len(relevant) - len(answerable)
    assert (outcomes["unanswerable"] > 0) == (level == 3)
    assert sum(outcomes[name] for name in ("neither", "champion_only", "challenger_only", "both")) == sum(
        min(many, 10) for many in answerable
    )
    assert sum(outcomes["shares"].values()) == pytest.approx(1.0)
    assert any("no relevant document in the labels" in remark for remark in comparison.remarks) == (level == 3)


def sparse_run(name, qrels, seed):
    """A run that has each query's first relevant document somewhere to rank 13, or not at all."""
    rng = np.random.default_rng(seed)
    table = {}
    for query, docs in qrels.items():
        rank = int(rng.choice([0, 1, 2, 3, 5, 8, 13], p=[0.3, 0.25, 0.15, 0.1, 0.1, 0.05, 0.05]))
        listed = [f"x{at}" for at in range(1, 14)]
        if rank:
            listed[rank - 1] = docs[0]
        table[query] = {doc: float(-at) for at, doc in enumerate(listed)}
    return as_run(table, name=name)


def sparse_labels(file):
    """The relevant documents of each query of a file of qrels, as lists."""
    qrels: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        query, _, doc, grade = line.split()
        if int(grade) > 0:
            qrels.setdefault(query, []).append(doc)
    return qrels


def test_one_relevant_document_per_query_is_the_paper(shared_data):
    """MS MARCO documents, development queries: Lin et al.'s cases (1) to (3), by a plain loop over the queries."""
    file = shared_data / "msmarco" / "qrels.msmarco-doc.dev.txt"
    labels = sparse_labels(file)
    assert (len(labels), {len(docs) for docs in labels.values()}) == (5193, {1})
    runs = [sparse_run(name, labels, seed) for name, seed in (("old", 1), ("new", 2))]
    comparison = compare(*runs, file, options=CompareOptions(measures="RR@10", trials=FEW))
    first, second = (found_ranks(run.serps(as_qrels(file)), depth=10) for run in runs)
    cases: Counter[str] = Counter()
    esl = []
    for a, b in zip(first, second, strict=True):
        assert max(len(a), len(b)) <= 1
        cases["both" if a and b else "champion_only" if a else "challenger_only" if b else "neither"] += 1
        if a and b:
            esl.append((a[0], b[0]))
    found = comparison.to_dict()["outcomes"]
    assert {name: found[name] for name in cases} == cases
    assert found["shares"] == pytest.approx({name: many / 5193 for name, many in cases.items()})
    assert found["queries_more"] == {"champion": cases["champion_only"], "challenger": cases["challenger_only"]}
    assert (found["unanswerable"], found["several_relevant"]) == (0, 0)
    wins = np.repeat([0.0, 1.0], [cases["champion_only"], cases["challenger_only"]])
    assert found["binomial_p"] == pytest.approx(scipy_p(1.0 - wins, wins, tests=["sign"])["sign"][1], rel=1e-9)
    both = np.array(esl, dtype=float)
    for name, values in (("esl", both), ("rr", 1.0 / both)):
        expected = scipy_p(*values.T, tests=["signed_rank", "t"])
        assert found[name]["champion"] == pytest.approx(values[:, 0].mean())
        assert found[name]["challenger"] == pytest.approx(values[:, 1].mean())
        assert found[name]["signed_rank_p"] == pytest.approx(expected["signed_rank"][1], rel=1e-9)
        assert found[name]["t_p"] == pytest.approx(expected["t"][1], rel=1e-9)


def test_some_passages_have_several(shared_data):
    file = shared_data / "msmarco" / "qrels.msmarco-passage.dev-subset.txt"
    labels = sparse_labels(file)
    runs = [sparse_run(name, labels, seed) for name, seed in (("old", 1), ("new", 2))]
    found = compare(*runs, file, options=CompareOptions(measures="RR@10", trials=FEW)).to_dict()
    assert (found["queries"], found["outcomes"]["several_relevant"]) == (6980, 390)
    # Levels, not queries: those that neither run reaches are one more for a second document.
    levels = sum(min(len(docs), 10) for docs in labels.values())
    assert sum(found["outcomes"][name] for name in ("neither", "champion_only", "challenger_only", "both")) == levels
