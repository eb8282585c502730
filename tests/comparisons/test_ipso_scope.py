"""The scope of IPSO: every line of the list, witnesses for what is refused, and no contradiction for what is bound."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.comparisons import ipso, ipso_scope
from runoff.errors import UsageError
from runoff.measures import AP, ERR, ESL, RBP, RR, Bpref, ExternalMeasure, Judged, P, R, Rprec, Success, nDCG
from runoff.measures._example import serps_of
from runoff.reading.sources import as_qrels, as_run

GAINS = [0, 0.2, 0.8, 1]
SAME_GAINS = dict(enumerate(GAINS))
COUNTS = (RR, AP, P, R, Success, RBP)
"""Measures that count relevant documents and take a cutoff."""


def pair_of(first, second, *, judged):
    """Two runs with one query each; `judged` counts the documents of each grade from 0 in the labels."""
    return serps_of(first, judged=[judged], run="A"), serps_of(second, judged=[judged], run="B")


BINARY = pair_of([1, 0, 0], [0, 1, 0], judged=[9, 2])
GRADED = pair_of([3, 2, 0], [1, 0, 2], judged=[9, 2, 2, 2])
ONE_GRADE = pair_of([2, 0, 0], [0, 2, 0], judged=[9, 0, 2])


def bound(pair, measure, **asked):
    return ipso_scope(pair, measure, **{"depth": 10, **asked}).is_bound


@pytest.mark.parametrize("kind", COUNTS)
def test_binary_ipso_binds_counts_at_its_own_level(kind):
    assert bound(BINARY, kind @ 10)
    assert bound(BINARY, kind @ 3)
    assert bound(GRADED, kind(rel=2) @ 10, level=2)
    assert not bound(GRADED, kind(rel=2) @ 10, level=1)
    assert not bound(GRADED, kind @ 10, level=2)
    assert not bound(BINARY, kind @ 11)


def test_rprec_needs_as_many_ranks_as_there_are_relevant_documents():
    assert bound(BINARY, Rprec(), depth=2)
    assert not bound(BINARY, Rprec(), depth=1)
    assert not bound(GRADED, Rprec(rel=2), level=1)
    assert bound(GRADED, Rprec(rel=3), level=3, depth=2)


@pytest.mark.parametrize("measure", [nDCG @ 10, nDCG(dcg="exp-log2") @ 10, ERR @ 10])
def test_binary_ipso_binds_measures_of_grades_only_with_one_grade(measure):
    assert bound(BINARY, measure)
    assert bound(ONE_GRADE, measure, level=2)
    assert bound(ONE_GRADE, measure, level=1)
    assert not bound(ONE_GRADE, measure, level=3)
    assert not any(bound(GRADED, measure, level=level) for level in (1, 2, 3))


def test_graded_ipso_binds_gains_that_are_proportional():
    assert bound(GRADED, nDCG(gains=SAME_GAINS) @ 10, gains=GAINS)
    assert bound(GRADED, nDCG(gains={1: 1, 2: 4, 3: 5}) @ 10, gains=GAINS)
    assert bound(GRADED, RBP(gains=SAME_GAINS) @ 10, gains=GAINS)
    assert bound(GRADED, RBP(gains=SAME_GAINS) @ 10, gains=[0, 2, 8, 10])
    assert bound(GRADED, nDCG @ 10, gains=[0, 0.1, 0.2, 0.3])
    assert bound(GRADED, nDCG(dcg="exp-log2") @ 10, gains=[0, 1, 3, 7])
    assert not bound(GRADED, nDCG @ 10, gains=GAINS)
    assert not bound(GRADED, RBP @ 10, gains=GAINS)
    assert not bound(GRADED, nDCG(gains={0: 0.1, 1: 1, 2: 4, 3: 5}) @ 10, gains=GAINS)
    assert not bound(GRADED, nDCG(gains={1: 0, 2: 0, 3: 0}) @ 10, gains=GAINS)


def test_graded_ipso_binds_the_first_document_at_the_lowest_grade_with_a_gain():
    for kind in (RR, Success):
        assert bound(GRADED, kind @ 10, gains=GAINS)
        assert not bound(GRADED, kind(rel=2) @ 10, gains=GAINS)
        assert bound(GRADED, kind(rel=2) @ 10, gains=[0, 0, 0.8, 1])
        assert not bound(GRADED, kind @ 10, gains=[0, 0, 0.8, 1])


@pytest.mark.parametrize("measure", [AP @ 10, P @ 10, R @ 10, Rprec(), ERR @ 10])
def test_never_under_graded_ipso(measure):
    assert not bound(GRADED, measure, gains=GAINS)


@pytest.mark.parametrize("measure", [Bpref(), ESL @ 10, Judged @ 10, ExternalMeasure(measure="SetF")])
def test_never_at_all(measure):
    assert not bound(BINARY, measure)
    assert not bound(GRADED, measure, level=1)
    assert not bound(GRADED, measure, gains=GAINS)


def test_gains_of_one_value_are_binary():
    assert bound(GRADED, AP @ 10, gains=[0, 1, 1, 1])
    assert bound(GRADED, P(rel=2) @ 10, gains=[0, 0, 0.5, 0.5])
    assert bound(GRADED, nDCG(gains={1: 0.5, 2: 0.5, 3: 0.5}) @ 10, level=1)
    assert bound(ONE_GRADE, AP @ 10, gains=GAINS)  # grades that nobody gave play no part


@pytest.mark.parametrize("measure", [RR(), AP(), nDCG(), R(), RBP(), ERR(), Success()])
def test_without_a_cutoff_all_lists_have_to_end(measure):
    assert bound(BINARY, measure, depth=3)
    assert not bound(BINARY, measure, depth=2)
    longer = BINARY[0], replace(BINARY[1], retrieved=np.array([1000]))
    assert not bound(longer, measure, depth=999)


REASONS = [
    (BINARY, nDCG @ 20, {}, "nDCG@20 looks deeper than the IPSO depth of 10; use --depth 20."),
    (
        BINARY,
        AP(),
        {"depth": 2},
        ("AP looks at whole lists, and 2 of them are longer than the IPSO depth of 2; choose AP@2."),
    ),
    (
        BINARY,
        Rprec(),
        {"depth": 1},
        (
            "Rprec looks at as many ranks as a query has relevant documents, and 1 query has "
            "more than the IPSO depth of 1; use --depth 2."
        ),
    ),
    (
        GRADED,
        P(rel=2) @ 10,
        {"level": 1},
        ("P(rel=2)@10 counts grades from 2 as relevant, and IPSO grades from 1; use --level 2."),
    ),
    (
        GRADED,
        RR(rel=2) @ 10,
        {"gains": GAINS},
        ("RR(rel=2)@10 counts grades from 2 as relevant, and IPSO grades from 1; use --level 2 instead of --gains."),
    ),
    (
        GRADED,
        AP @ 10,
        {"gains": GAINS},
        ("AP@10 counts relevant documents, while IPSO adds up gains; use --level 1 instead of --gains."),
    ),
    (
        GRADED,
        nDCG @ 10,
        {"gains": GAINS},
        (
            "the gains of grades 1, 2 and 3 are 1, 2 and 3 in nDCG@10 but 0.2, 0.8 and "
            "1 in IPSO, which is not proportional; use --gains 0,1,2,3."
        ),
    ),
    (
        GRADED,
        nDCG @ 10,
        {"level": 2},
        (
            "the gains of grades 1, 2 and 3 are 1, 2 and 3 in nDCG@10 but 0, 1 and 1 in "
            "IPSO, which is not proportional; use --gains 0,1,2,3."
        ),
    ),
    (ONE_GRADE, nDCG @ 10, {"level": 3}, "the gain of grade 2 is 2 in nDCG@10 but 0 in IPSO; use --gains 0,1,2."),
    (
        BINARY,
        nDCG(gains={0: 0.5}) @ 10,
        {},
        (
            "the gains of grades 0 and 1 are 0.5 and 1 in nDCG(gains={0:0.5})@10 but 0 "
            "and 1 in IPSO, which is not proportional."
        ),
    ),
    (
        GRADED,
        ERR @ 20,
        {"level": 1},
        (
            "with grades 1, 2 and 3 in the labels, a list that is non-inferior by IPSO can "
            "have a lower ERR@20; choose another measure, such as nDCG@20."
        ),
    ),
    (ONE_GRADE, ERR @ 10, {"level": 3}, "ERR@10 counts grade 2 as relevant, and IPSO grades from 3; use --level 2."),
    (
        BINARY,
        Bpref(),
        {},
        (
            "Bpref depends on documents that were judged not relevant, which IPSO treats like unjudged "
            "ones; choose another measure, such as AP."
        ),
    ),
    (
        BINARY,
        ESL @ 10,
        {},
        (
            "ESL@10 is undefined where nothing relevant is found, so finding something late can make "
            "it worse; choose RR@10."
        ),
    ),
    (
        BINARY,
        Judged @ 10,
        {},
        ("Judged@10 counts judged documents, whether they are relevant or not; choose another measure, such as P."),
    ),
    (
        BINARY,
        ExternalMeasure(measure="SetF"),
        {},
        ("it is not known whether IPSO binds SetF; choose a measure that runoff computes."),
    ),
]


@pytest.mark.parametrize("pair, measure, asked, reason", REASONS)
def test_reasons(pair, measure, asked, reason):
    found = ipso_scope(pair, measure, **{"depth": 10, **asked})
    assert found.reason == f"‡ is not given: {reason}"
    assert not found.is_bound
    assert (found.measure, found.depth) == (str(measure), asked.get("depth", 10))


def test_a_bound_measure_has_no_reason():
    found = ipso_scope(BINARY, AP @ 10, depth=10)
    assert (found.is_bound, found.reason, found.problem, found.remedy) == (True, "", "", "")


def test_what_ipso_refuses_is_refused():
    with pytest.raises(UsageError, match="--gains"):
        ipso_scope(GRADED, nDCG @ 10, depth=10)


def relation(pair, **asked):
    """The relation at the full depth: 0 equal, 1 the first is non-inferior."""
    return int(ipso(*pair, **asked).relations[0, -1])


WITNESSES = [
    # SPEC: 0000122 is non-inferior to 0000003 under gains 2^g - 1, and its ERR is lower.
    (ERR @ 7, pair_of([0, 0, 0, 0, 1, 2, 2], [0, 0, 0, 0, 0, 0, 3], judged=[9, 1, 2, 1]), {"gains": [0, 1, 3, 7]}),
    (ERR @ 7, pair_of([1], [3], judged=[9, 1, 0, 1]), {"level": 1}),
    (nDCG @ 2, pair_of([1], [3], judged=[9, 1, 0, 1]), {"level": 1}),
    (nDCG(dcg="exp-log2") @ 2, pair_of([2, 1], [0, 3], judged=[9, 1, 1, 1]), {"gains": GAINS}),
    (RBP @ 3, pair_of([3, 0, 0], [1, 1, 1], judged=[9, 3, 0, 1]), {"gains": GAINS}),
    (AP @ 3, pair_of([3, 0, 0], [1, 1, 1], judged=[9, 3, 0, 1]), {"gains": GAINS}),
    (P @ 3, pair_of([3, 0, 0], [1, 1, 1], judged=[9, 3, 0, 1]), {"gains": GAINS}),
    (R @ 3, pair_of([3, 0, 0], [1, 1, 1], judged=[9, 3, 0, 1]), {"gains": GAINS}),
    (Rprec(), pair_of([3, 0, 0], [1, 1, 1], judged=[9, 3, 0, 1]), {"gains": GAINS}),
    (RR(rel=2) @ 2, pair_of([1, 1], [0, 2], judged=[9, 2, 1]), {"gains": [0, 0.5, 1]}),
    (Success(rel=2) @ 2, pair_of([1, 1], [0, 2], judged=[9, 2, 1]), {"gains": [0, 0.5, 1]}),
    (Bpref(), pair_of([0, 1], [-1, -1, 1], judged=[9, 1]), {}),
    (Judged @ 2, pair_of([1, -1], [0, 0], judged=[9, 1]), {}),
    (P(rel=2) @ 1, pair_of([1], [2], judged=[9, 1, 1]), {"level": 1}),
    (P @ 2, pair_of([2, 0], [1, 1], judged=[9, 2, 1]), {"level": 2}),
    (P @ 3, pair_of([1, 0, 0], [0, 1, 1], judged=[9, 2]), {"depth": 2}),
    (AP(), pair_of([1, 0, 0], [0, 1, 1], judged=[9, 2]), {"depth": 2}),
    (Rprec(), pair_of([1, 0, 0], [0, 1, 1], judged=[9, 3]), {"depth": 2}),
]


@pytest.mark.parametrize("measure, pair, asked", WITNESSES)
def test_what_is_refused_can_be_broken(measure, pair, asked):
    asked = {"depth": max(one.depth for one in pair), **asked}
    assert relation(pair, **asked) in (0, 1)
    assert measure.values(pair[0])[0] < measure.values(pair[1])[0] - 1e-9
    assert not ipso_scope(pair, measure, **asked).is_bound


def test_esl_can_be_broken_in_the_mean():
    judged = [[9, 1]] * 2
    first, second = serps_of([1, 0], [0, 1], judged=judged), serps_of([1, 0], [0, 0], judged=judged)
    assert (ipso(first, second, depth=2).relations[:, -1] >= 0).all()
    lengths = [float(np.nanmean((ESL @ 2).values(one))) for one in (first, second)]
    assert lengths == [1.5, 1.0]  # low is good


GAIN_TABLES: list[list[float]] = [
    GAINS,
    [0, 1, 2, 3],
    [0, 1, 3, 7],
    [0, 0, 1, 2],
    [0, 1, 1, 1],
    [0, 0, 0.5, 0.5],
    [0, 0.1, 0.2, 0.3],
]
MEASURES = [
    *(
        kind(rel=rel, cutoff=cutoff)
        for kind in COUNTS
        for rel in (1, 2, 3)
        for cutoff in (None, 1, 3, 6)
        if cutoff or kind is not P
    ),
    *(Rprec(rel=rel) for rel in (1, 2, 3)),
    *(nDCG(dcg=dcg, cutoff=cutoff) for dcg in ("log2", "exp-log2") for cutoff in (None, 2, 6)),
    *(ERR(max_grade=highest, cutoff=cutoff) for highest in (3, 4) for cutoff in (None, 2, 6)),
    *(nDCG(gains=dict(enumerate(table))) @ 4 for table in GAIN_TABLES),
    *(RBP(p=0.6, gains={grade: gain / table[-1] for grade, gain in enumerate(table)}) @ 4 for table in GAIN_TABLES),
]


@st.composite
def two_runs(draw):
    """Lists of any length, half of them a changed copy of the other; the labels hold what both find, or more."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    grades = draw(st.sampled_from([[-1, 0, 1], [0, 2], [-1, 0, 1, 2], [0, 1, 3], [-1, 0, 1, 2, 3]]))
    longest = draw(st.integers(1, 7))
    rows = []
    for row in range(40):
        one, other = (rng.choice(grades, rng.integers(0, longest + 1)) for _ in range(2))
        if row % 2:
            other = rng.permutation(one) if row % 4 == 1 else np.where(rng.random(len(one)) < 0.7, one, grades[-1])
        rows.append((one.tolist(), other.tolist()))
    more = draw(st.sampled_from([0, 1, 5]))
    counts = [[max(one.count(grade), other.count(grade)) for grade in range(4)] for one, other in rows]
    judged = [[count + more * (count > 0) for count in row] for row in counts]
    return tuple(serps_of(*side, judged=judged) for side in zip(*rows, strict=True))


SETTINGS = st.one_of(
    st.builds(lambda level: {"level": level}, st.integers(1, 3)),
    st.builds(lambda table: {"gains": table}, st.sampled_from(GAIN_TABLES)),
)


@settings(max_examples=100)
@given(two_runs(), SETTINGS, st.integers(1, 7))
def test_no_measure_contradicts_ipso_within_its_scope(pair, setting, depth):
    result = ipso(*pair, depth=depth, **setting)
    relations = dict(zip(result.query_ids, result.relations[:, -1].tolist(), strict=True))
    code = np.array([relations.get(query, 0) for query in pair[0].query_ids])  # those left out are equal
    for measure in MEASURES:
        if ipso_scope(pair, measure, depth=depth, **setting).is_bound:
            lead = measure.values(pair[0]) - measure.values(pair[1])
            assert (lead[code == 1] >= -1e-12).all(), measure
            assert (lead[code == -1] <= 1e-12).all(), measure
            assert (np.abs(lead[code == 0]) <= 1e-12).all(), measure


def fractional(**grades):
    """Two runs that list all documents, in opposite orders."""
    labels = as_qrels({"q": grades})
    lists = list(grades), list(reversed(grades))
    runs = [{"q": {doc: float(-place) for place, doc in enumerate(docs)}} for docs in lists]
    return tuple(as_run(run, name=name).serps(labels, depth=10) for run, name in zip(runs, "AB", strict=True))


def test_fractions_are_binary_at_a_level():
    pair = fractional(a=0.5, b=1, c=1.8, d=2.5, e=0)
    for kind in COUNTS:
        assert bound(pair, kind @ 10, level=1)
        assert bound(pair, kind(rel=2) @ 10, level=2)
        assert not bound(pair, kind(rel=2) @ 10, level=1)
        assert not bound(pair, kind(rel=3) @ 10, level=2)
    assert ipso_scope(pair, P(rel=2) @ 10, depth=10, level=1).reason == (
        "‡ is not given: P(rel=2)@10 counts grades from 2 as relevant, and IPSO grades from 1; use --level 2."
    )
    assert ipso_scope(pair, nDCG @ 10, depth=10, level=1).reason == (
        "‡ is not given: the gains of grades 0.5, 1, 1.8 and 2.5 are 0.5, 1, 1.8 and 2.5 in nDCG@10 but 0, 1, 1 and 1 "
        "in IPSO, which is not proportional."
    )
    assert ipso_scope(pair, ERR @ 10, depth=10, level=1).reason.startswith(
        "‡ is not given: with grades 0.5, 1, 1.8 and 2.5 in the labels"
    )


def test_many_fractions_are_not_listed():
    pair = fractional(**{f"d{place}": place / 10 for place in range(15)})
    assert ipso_scope(pair, nDCG @ 10, depth=10, level=1).reason == (
        "‡ is not given: 14 grades from 0.1 to 1.4 have gains of their own in nDCG@10, "
        "and IPSO counts all from 1 alike."
    )
    assert "with 14 grades from 0.1 to 1.4 in the labels" in ipso_scope(pair, ERR @ 10, depth=10, level=1).reason


def test_levels_that_the_same_fractions_reach_are_the_same():
    pair = fractional(a=0.5, b=2.5, c=0)
    assert bound(pair, RR(rel=2) @ 10, level=1)
    assert bound(pair, AP(rel=1) @ 10, level=2)


def test_one_fraction():
    pair = fractional(a=1.8, b=0, c=0)
    for measure in (nDCG @ 10, nDCG(dcg="exp-log2") @ 10, ERR @ 10):
        assert bound(pair, measure, level=1)
        assert not bound(pair, measure, level=2)
    assert ipso_scope(pair, ERR @ 10, depth=10, level=2).reason == (
        "‡ is not given: ERR@10 counts grade 1.8 as relevant, and IPSO grades from 2; use --level 1."
    )
    low = fractional(a=0.5, b=0)
    assert ipso_scope(low, ERR @ 10, depth=10, level=1).reason == (
        "‡ is not given: ERR@10 counts grade 0.5 as relevant, and IPSO grades from 1."
    )
    assert not bound(low, nDCG @ 10, level=1)


def test_fractions_need_a_level():
    with pytest.raises(UsageError, match="write --level 1"):
        bound(fractional(a=0.5, b=1), P @ 10, gains=[0, 0.5, 1])
