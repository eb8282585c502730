"""Slow, plain versions of every measure, written from the formulas; one query at a time, no numpy.

`grades` is the run's list of grades for one query, -1 for unjudged; `judged[g]` is how many documents the qrels hold at
grade g. `k` is the cutoff or None. The fast versions must agree with these.
"""

import math
from collections.abc import Callable, Sequence

Reference = Callable[..., float]


def relevant_total(judged: Sequence[int], rel: int) -> int:
    return sum(count for grade, count in enumerate(judged) if grade >= rel)


def reciprocal_rank(grades, judged, k=None, rel=1):
    for rank, grade in enumerate(grades[:k], start=1):
        if grade >= rel:
            return 1 / rank
    return 0.0


def average_precision(grades, judged, k=None, rel=1):
    total = relevant_total(judged, rel)
    if total == 0:
        return 0.0
    ranks = [rank for rank, grade in enumerate(grades[:k], start=1) if grade >= rel]
    return math.fsum(sum(grade >= rel for grade in grades[:rank]) / rank for rank in ranks) / total


def discounted_gain(gains):
    return math.fsum(gain / math.log2(place + 2) for place, gain in enumerate(gains))


def normalised_gain(grades, judged, k=None, dcg="log2", gains=None):
    def worth(grade):
        if grade < 0:
            return 0
        if gains is not None:
            return gains.get(grade, grade)
        return grade if dcg == "log2" else 2**grade - 1

    pool = sorted((worth(grade) for grade, count in enumerate(judged) for _ in range(count)), reverse=True)
    best = discounted_gain(pool[:k])
    return discounted_gain([worth(grade) for grade in grades[:k]]) / best if best else 0.0


def precision(grades, judged, k=None, rel=1):
    return sum(grade >= rel for grade in grades[:k]) / k


def recall(grades, judged, k=None, rel=1):
    total = relevant_total(judged, rel)
    return sum(grade >= rel for grade in grades[:k]) / total if total else 0.0


def success(grades, judged, k=None, rel=1):
    return 1.0 if any(grade >= rel for grade in grades[:k]) else 0.0


def rank_biased_precision(grades, judged, k=None, rel=1, p=0.8, gains=None):
    def worth(grade):
        return float(grade >= rel) if gains is None else gains.get(grade, 0.0)

    return (1 - p) * math.fsum(worth(grade) * p**place for place, grade in enumerate(grades[:k]))


def rank_biased_residual(grades, k=None, p=0.8):
    seen = grades[:k]
    unjudged = math.fsum((1 - p) * p**place for place, grade in enumerate(seen) if grade == -1)
    return unjudged + p ** len(seen)


def expected_reciprocal_rank(grades, judged, k=None, max_grade=4):
    total, reaches = 0.0, 1.0
    for rank, grade in enumerate(grades[:k], start=1):
        stops = (2 ** max(grade, 0) - 1) / 2**max_grade
        total += reaches * stops / rank
        reaches *= 1 - stops
    return total


def r_precision(grades, judged, k=None, rel=1):
    total = relevant_total(judged, rel)
    return sum(grade >= rel for grade in grades[:total]) / total if total else 0.0


def binary_preference(grades, judged, k=None, rel=1):
    total = relevant_total(judged, rel)
    others = sum(judged) - total
    value, above = 0.0, 0
    for grade in grades:
        if grade >= rel:
            value += 1 - min(above, total) / min(others, total) if above else 1
        elif grade >= 0:
            above += 1
    return value / total if total else 0.0


def judged_share(grades, judged, k=None):
    seen = grades[:k]
    return sum(grade >= 0 for grade in seen) / len(seen) if seen else 0.0


def search_length(grades, judged, k=None, rel=1):
    for rank, grade in enumerate(grades[:k], start=1):
        if grade >= rel:
            return float(rank)
    return math.nan


REFERENCES: dict[str, Reference] = {
    "RR": reciprocal_rank,
    "AP": average_precision,
    "nDCG": normalised_gain,
    "P": precision,
    "R": recall,
    "Success": success,
    "RBP": rank_biased_precision,
    "ERR": expected_reciprocal_rank,
    "Rprec": r_precision,
    "Bpref": binary_preference,
    "Judged": judged_share,
    "ESL": search_length,
}


def reference_value(measure, grades, judged):
    """What the slow version of `measure` says for one query."""
    parameters = {name: getattr(measure, name) for name in measure.parameters() if name != "cutoff"}
    return REFERENCES[measure.name](list(grades), list(judged), k=measure.cutoff, **parameters)
