"""Grades that are fractions: a level is a threshold on the number, and gains are the numbers themselves."""

import math
from typing import Any

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.measures import AP, ERR, ESL, RBP, RR, Bpref, Judged, P, R, Rprec, Success, nDCG
from runoff.reading.sources import as_qrels, as_run

GRADES = (-1, -0.5, 0, 0, 0, 0.2, 0.4, 0.9, 1, 1.8, 2, 2.6)
LEVELS = (1, 2, 3)


def rankings(seed, grades=GRADES, queries=30, documents=40):
    """Qrels and a run without ties, as dicts of dicts."""
    rng = np.random.default_rng(seed)
    names = [f"d{number}" for number in range(documents)]
    qrels, run = {}, {}
    for number in range(queries):
        judged = rng.permutation(names)[: rng.integers(1, documents)].tolist()
        listed = rng.permutation(names)[: rng.integers(1, documents)].tolist()
        qrels[f"q{number}"] = {doc: grades[rng.integers(len(grades))] for doc in judged}
        run[f"q{number}"] = {doc: float(len(listed) - place) for place, doc in enumerate(listed)}
    return qrels, run


def serps_from(qrels, run):
    return as_run(run).serps(as_qrels(qrels))


def slow_ndcg(grades, judged, k, gain):
    def dcg(numbers):
        return math.fsum(gain(max(number, 0)) / math.log2(rank + 1) for rank, number in enumerate(numbers, start=1))

    ideal = dcg(sorted(judged, reverse=True)[:k])
    return dcg(grades[:k]) / ideal if ideal else 0.0


def slow_err(grades, judged, k):
    value, goes_on = 0.0, 1.0
    for rank, grade in enumerate(grades[:k], start=1):
        stop = (2 ** max(grade, 0) - 1) / 2**4
        value, goes_on = value + goes_on * stop / rank, goes_on * (1 - stop)
    return value


def slow_counts(grades, judged, name, k, level):
    hits = [rank for rank, grade in enumerate(grades[:k], start=1) if grade >= level]
    total = sum(grade >= level for grade in judged)
    return {
        "RR": 1 / hits[0] if hits else 0.0,
        "AP": sum((place + 1) / rank for place, rank in enumerate(hits)) / total if total else 0.0,
        "P": len(hits) / k,
        "R": len(hits) / total if total else 0.0,
        "Success": float(bool(hits)),
        "RBP": sum(0.2 * 0.8 ** (rank - 1) for rank in hits),
    }[name]


def slow(qrels, run, function, *more):
    found = []
    for query, judged in qrels.items():
        listed = sorted(run[query], key=run[query].__getitem__, reverse=True)
        found.append(function([judged.get(doc, 0) for doc in listed], list(judged.values()), *more))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_gains_are_the_numbers(seed):
    qrels, run = rankings(seed)
    serps = serps_from(qrels, run)
    for k in (1, 5, 10):
        expected = slow(qrels, run, slow_ndcg, k, float)
        np.testing.assert_allclose((nDCG @ k).values(serps), expected, rtol=0, atol=1e-12)
        expected = slow(qrels, run, slow_ndcg, k, lambda grade: 2**grade - 1)
        np.testing.assert_allclose((nDCG(dcg="exp-log2") @ k).values(serps), expected, rtol=0, atol=1e-12)
        np.testing.assert_allclose((ERR @ k).values(serps), slow(qrels, run, slow_err, k), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_a_level_is_a_threshold(seed):
    qrels, run = rankings(seed)
    serps = serps_from(qrels, run)
    for kind in (RR, AP, P, R, Success, RBP):
        for level in LEVELS:
            for k in (1, 10):
                expected = slow(qrels, run, slow_counts, kind.name, k, level)
                np.testing.assert_allclose(kind(rel=level, cutoff=k).values(serps), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_binary_measures_are_those_of_binary_labels(level):
    qrels, run = rankings(7)
    binary = {query: {doc: int(grade >= level) for doc, grade in docs.items()} for query, docs in qrels.items()}
    serps, plain = serps_from(qrels, run), serps_from(binary, run)
    for kind in (RR, AP, P, R, Success, RBP, Rprec, Bpref, ESL):
        cut: Any = {} if kind.cutoff_use == "none" else {"cutoff": 10}
        np.testing.assert_array_equal(kind(rel=level, **cut).values(serps), kind(**cut).values(plain))
    np.testing.assert_array_equal(RBP(cutoff=10).residual(serps), RBP(cutoff=10).residual(plain))
    np.testing.assert_array_equal((Judged @ 10).values(serps), (Judged @ 10).values(plain))


@pytest.mark.parametrize("grades", [(0, 0.2, 1.8), (0, 0, 0.2, 0.4, 0.6, 1, 1.8)])
def test_ndcg_does_not_change_with_the_scale(grades):
    """Values of pytrec_eval on five times the grades, which are whole."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = rankings(3, grades)
    whole = {query: {doc: round(5 * grade) for doc, grade in docs.items()} for query, docs in qrels.items()}
    theirs = pytrec_eval.RelevanceEvaluator(whole, {"ndcg", "ndcg_cut.5,10"}).evaluate(run)
    serps = serps_from(qrels, run)
    for name, measure in (("ndcg", nDCG()), ("ndcg_cut_5", nDCG @ 5), ("ndcg_cut_10", nDCG @ 10)):
        expected = [theirs[query][name] for query in qrels]
        np.testing.assert_allclose(measure.values(serps), expected, rtol=0, atol=1e-9)


def test_a_fraction_below_the_level_counts_in_ndcg_alone():
    serps = serps_from({"q": {"a": 0.9, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}})
    for measure in (RR @ 10, AP @ 10, P @ 10, R @ 10, Success @ 10, RBP @ 10, Rprec(), Bpref()):
        assert measure.values(serps).tolist() == [0.0]
    assert (nDCG @ 10).values(serps).tolist() == pytest.approx([1 / math.log2(3)])
    assert (ERR @ 10).values(serps).tolist() == pytest.approx([(2**0.9 - 1) / 16 / 2])


def test_whole_grades_with_a_point_are_whole():
    qrels, run = rankings(5, (0, 1, 2, 3, -1))
    pointed = {query: {doc: float(grade) for doc, grade in docs.items()} for query, docs in qrels.items()}
    assert as_qrels(pointed).values is None
    assert list(as_qrels(pointed)) == list(as_qrels(qrels))
    for measure in (nDCG @ 10, ERR @ 10, AP(rel=2), RBP(gains={1: 0.2, 2: 0.5, 3: 1})):
        np.testing.assert_array_equal(measure.values(serps_from(pointed, run)), measure.values(serps_from(qrels, run)))


def test_gains_of_whole_grades_leave_fractions_as_they_are():
    serps = serps_from({"q": {"a": 1, "b": 1.8}}, {"q": {"a": 2.0, "b": 1.0}})
    assert (nDCG(gains={1: 3}) @ 1).values(serps).tolist() == [1.0]
    assert (nDCG(gains={1: 0.5}) @ 2).values(serps).tolist() == pytest.approx(
        [(0.5 + 1.8 / math.log2(3)) / (1.8 + 0.5 / math.log2(3))]
    )
    with pytest.raises(UsageError, match=r"the qrels hold grade 1\.8, a fraction, and gains are for whole grades"):
        RBP(gains={1: 0.5, 2: 1}).values(serps)


def test_grades_above_the_highest_are_refused():
    serps = serps_from({"q": {"a": 4.5, "b": 1}}, {"q": {"a": 2.0}})
    with pytest.raises(UsageError, match=r"hold grade 4\.5; expected none above .* is 4; write ERR\(max_grade=5\)"):
        ERR().values(serps)
    assert ERR(max_grade=5).values(serps).tolist() == [(2**4.5 - 1) / 32]
