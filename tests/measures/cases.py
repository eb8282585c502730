"""What the common tests run over: variants of every listed measure, and random SERPs."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from runoff.measures import AP, ERR, ESL, MEASURES, RBP, RR, Bpref, Judged, P, R, Rprec, Success, nDCG
from runoff.measures._example import serps_of

VARIANTS = (
    *(measure() if measure.cutoff_use == "none" else measure @ 3 for measure in MEASURES),
    *(measure() for measure in MEASURES if measure.cutoff_use == "optional"),
    *(measure @ 1 for measure in MEASURES if measure.cutoff_use != "none"),
    *(measure @ 50 for measure in MEASURES if measure.cutoff_use != "none"),
    *(measure(rel=2) for measure in (RR, AP, R, Success, RBP, Rprec, Bpref, ESL)),
    P(rel=2) @ 4,
    nDCG(dcg="exp-log2") @ 4,
    nDCG(gains={0: 0, 1: 5, 2: 1, 3: 0.5}) @ 4,
    nDCG(gains={0: 1, 1: 0}),
    nDCG(gains={1: 0, 2: 0, 3: 0}),
    RBP(p=0.5) @ 4,
    RBP(p=0.95, gains={1: 0.25, 2: 0.5, 3: 1}),
    ERR(max_grade=3) @ 4,
    Judged @ 2,
)


@dataclass(frozen=True)
class Query:
    """One query: the run's list of grades (-1 unjudged) and how many documents are judged at each grade."""

    grades: tuple[int, ...]
    judged: tuple[int, ...]


@st.composite
def queries(draw, highest=3):
    grades = draw(st.lists(st.integers(-1, highest), max_size=12))
    missed = draw(st.lists(st.integers(0, 4), min_size=highest + 1, max_size=highest + 1))
    judged = [grades.count(grade) + missed[grade] for grade in range(highest + 1)]
    return Query(tuple(grades), tuple(judged))


def serps_from(cases, run="example"):
    return serps_of(*(case.grades for case in cases), judged=[case.judged for case in cases], run=run)


def random_rankings(seed, *, queries=40, documents=60, highest=4):
    """Qrels and a run without ties, as dicts of dicts; some queries lack relevant documents, some lists are short."""
    rng = np.random.default_rng(seed)
    qrels, run = {}, {}
    for number in range(queries):
        query = f"q{number:03d}"
        names = [f"d{document:03d}" for document in range(documents)]
        share = 0.0 if number % 10 == 3 else rng.uniform(0.05, 0.7)
        weights = [1 - share, *[share / highest] * highest]
        judged = rng.permutation(names)[: rng.integers(2, documents)]
        grades = rng.choice(highest + 1, size=len(judged), p=weights)
        qrels[query] = {str(name): int(grade) for name, grade in zip(judged, grades, strict=True)}
        found = rng.permutation(names)[: 0 if number % 10 == 7 else rng.integers(1, documents)]
        # Multiples of 1/8 are exact in float32, so pytrec_eval sees no ties either.
        run[query] = {str(name): float(len(found) - place) / 8 for place, name in enumerate(found)}
    return qrels, run


def serps_from_rankings(qrels, run, highest=4):
    """SERPs straight from dicts, by the definition: score descending, ties by document id descending."""
    lists, judged = [], []
    for query, labels in qrels.items():
        scores = run.get(query, {})
        ranking = sorted(scores, key=lambda name: (scores[name], name.encode()), reverse=True)
        lists.append([max(labels[name], 0) if name in labels else -1 for name in ranking])
        counts = [0] * (highest + 1)
        for grade in labels.values():
            counts[max(grade, 0)] += 1
        judged.append(counts)
    return serps_of(*lists, judged=judged)
