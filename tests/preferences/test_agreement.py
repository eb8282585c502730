"""Agreement of repeated judgments."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.preferences import agreement, contradictions, nominal_alpha
from runoff.tables import Preferences
from studies.assessors import AssessorsConfig, simulate_judgments
from tests.preferences.judged import judgments, mirrored


def by_pair(rows):
    pairs: dict[tuple[str, frozenset[str]], list[tuple[str | None, str | None]]] = {}
    for query, left, right, preferred, who in rows:
        pairs.setdefault((query, frozenset((left, right))), []).append((preferred, who))
    return pairs


@given(judgments())
def test_equals_slow_counts(rows):
    result = agreement(Preferences.of(rows))
    pairs = [[preferred for preferred, _ in votes] for votes in by_pair(rows).values()]
    several = [votes for votes in pairs if len(votes) > 1]
    assert (result.pairs, result.repeated, result.judgments) == (len(pairs), len(several), sum(map(len, several)))
    assert result.unanimous == sum(len(set(votes)) == 1 and votes[0] is not None for votes in several)
    chances = [
        sum(one == other for i, one in enumerate(votes) for j, other in enumerate(votes) if i != j)
        / (len(votes) * (len(votes) - 1))
        for votes in several
    ]
    np.testing.assert_allclose(result.agreement, np.mean(chances) if chances else np.nan)


@given(judgments())
def test_assessors_beside_the_others(rows):
    found = {one.assessor: one for one in agreement(Preferences.of(rows)).assessors}
    pairs = by_pair(rows)
    for name in {row[4] for row in rows} - {None}:
        tally = {1: 0, -1: 0, 0: 0}
        for query, left, right, preferred, who in rows:
            if who != name:
                continue
            others = [vote for vote, other in pairs[query, frozenset((left, right))] if other != name]
            if not others:
                continue
            ahead = others.count(left) - others.count(right)
            mine = 0 if preferred is None else 1 if preferred == left else -1
            tally[int(np.sign(ahead)) * mine] += 1
        agrees = found[name].agrees
        assert (agrees.wins, agrees.losses, agrees.even) == (tally[1], tally[-1], tally[0])
        assert found[name].judgments == sum(row[4] == name for row in rows)


@given(judgments(), st.randoms(use_true_random=False))
def test_neither_row_order_nor_sides_matter(rows, random):
    first = agreement(Preferences.of(rows))
    random.shuffle(rows)
    second = agreement(Preferences.of(mirrored(rows)))
    np.testing.assert_allclose([first.alpha, first.agreement], [second.alpha, second.agreement])
    assert (first.unanimous, first.even) == (second.unanimous, second.even)


def test_alpha_of_assessors_who_err_in_a_fifth():
    # Two of them say the same with chance 0.8^2 + 0.2^2, and by luck alone with 1/2.
    made = simulate_judgments(AssessorsConfig(queries=200, error=0.2, tests_per_task=0)).preferences
    assert agreement(made).agreement == pytest.approx(0.68, abs=0.02)
    assert agreement(made).alpha == pytest.approx(1 - 0.32 / 0.5, abs=0.04)


def test_no_repeated_pair():
    result = agreement(Preferences.of([("q", "a", "b", "a")]))
    assert math.isnan(result.alpha)
    assert result.unanimous == 0
    assert math.isnan(result.agreement)


# Krippendorff 2011, Computing Krippendorff's alpha-reliability, sections A and C: observers in rows, units in columns.
BINARY = ["0100000010", "1110010000"]
GAPS = ["1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 ."]


def counted(observers, values):
    units = list(zip(*observers, strict=True))
    return [[unit.count(value) for value in values] for unit in units]


def slow_alpha(counts):
    """Over all pairs of values within units, and all pairs of values at all."""
    units = [[value for value, count in enumerate(row) for _ in range(count)] for row in counts]
    units = [unit for unit in units if len(unit) > 1]
    pooled = [value for unit in units for value in unit]
    observed = sum(
        sum(one != other for one, other in itertools.permutations(unit, 2)) / (len(unit) - 1) for unit in units
    ) / len(pooled)
    expected = sum(one != other for one, other in itertools.permutations(pooled, 2)) / len(pooled) / (len(pooled) - 1)
    return 1 - observed / expected


@pytest.mark.parametrize(
    "observers, values, alpha", [(BINARY, "01", 0.095), ([row.split() for row in GAPS], "12345", 0.743)]
)
def test_published_examples(observers, values, alpha):
    assert nominal_alpha(counted(observers, values)) == pytest.approx(alpha, abs=0.0005)


tables = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=12)


@given(tables)
def test_equals_the_slow_alpha(counts):
    several = [row for row in counts if sum(row) > 1]
    if sum(1 for column in zip(*several, strict=True) if sum(column)) < 2:
        assert math.isnan(nominal_alpha(counts))
    else:
        assert nominal_alpha(counts) == pytest.approx(slow_alpha(counts))


@given(tables, st.lists(st.booleans(), min_size=12, max_size=12))
def test_symmetric_values_can_be_exchanged_in_any_unit(counts, swaps):
    swapped = [
        [two, one, three] if swap else [one, two, three] for (one, two, three), swap in zip(counts, swaps, strict=False)
    ]
    np.testing.assert_allclose(nominal_alpha(counts, symmetric=(0, 1)), nominal_alpha(swapped, symmetric=(0, 1)))


def test_extremes():
    assert nominal_alpha([[3, 0], [0, 3]]) == 1.0
    assert nominal_alpha([[1, 1]] * 50) == pytest.approx(-0.98, abs=0.005)
    assert math.isnan(nominal_alpha([[1, 0], [0, 1]]))


def test_impossible_counts():
    with pytest.raises(UsageError, match="expected units x values"):
        nominal_alpha([1, 2])


@given(judgments())
def test_equals_a_slow_search(rows):
    said: dict[tuple[str, str, frozenset[str]], list[str]] = {}
    for query, left, right, preferred, who in rows:
        if who is not None and preferred is not None:
            said.setdefault((who, query, frozenset((left, right))), []).append(preferred)
    expected = {key: sorted(map(votes.count, set(votes))) for key, votes in said.items() if len(set(votes)) == 2}
    found = {
        (one.assessor, one.query_id, frozenset((one.first, one.second))): sorted((one.first_votes, one.second_votes))
        for one in contradictions(Preferences.of(rows))
    }
    assert found == expected


def test_votes_belong_to_their_documents():
    (one,) = contradictions(Preferences.of([("q", "b", "a", "a", "ann")] * 2 + [("q", "a", "b", "b", "ann")]))
    assert {one.first: one.first_votes, one.second: one.second_votes} == {"a": 2, "b": 1}
