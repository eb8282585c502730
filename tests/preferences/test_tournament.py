"""The tournament against a slow one, and the laws it has to keep."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.preferences import pairings_won, tournament
from runoff.reading.sources import as_qrels
from runoff.tables import Preferences
from tests.preferences.judged import DOCS, QUERIES, judgments, mirrored, pair_votes, slow_tournament, winners_of

RING = [("q", "a", "b", "a"), ("q", "b", "c", "b"), ("q", "c", "a", "c")]


@given(judgments())
def test_equals_the_slow_tournament(rows):
    assert winners_of(tournament(Preferences.of(rows))) == slow_tournament(rows)


@given(judgments(), st.randoms(use_true_random=False))
def test_neither_row_order_nor_sides_matter(rows, random):
    expected = winners_of(tournament(Preferences.of(rows)))
    random.shuffle(rows)
    assert winners_of(tournament(Preferences.of(rows))) == expected
    assert winners_of(tournament(Preferences.of(mirrored(rows)))) == expected


@given(judgments(), st.permutations(DOCS))
def test_names_do_not_matter(rows, names):
    new = dict(zip(DOCS, names, strict=True))
    renamed = [(query, new[left], new[right], new.get(preferred)) for query, left, right, preferred, _ in rows]
    expected = {
        query: tuple(sorted(new[doc] for doc in docs))
        for query, docs in winners_of(tournament(Preferences.of(rows))).items()
    }
    assert winners_of(tournament(Preferences.of(renamed))) == expected


@given(judgments(ties=False), st.integers(2, 4))
def test_repeating_every_judgment_changes_nothing(rows, times):
    assert winners_of(tournament(Preferences.of(rows * times))) == winners_of(tournament(Preferences.of(rows)))


@given(st.lists(st.booleans(), min_size=15, max_size=15), st.integers(0, 5))
def test_who_beats_everybody_wins_alone(outcomes, best):
    pairs = list(itertools.combinations(DOCS, 2))
    rows = []
    for (one, other), ahead in zip(pairs, outcomes, strict=True):
        champion = DOCS[best]
        preferred = champion if champion in (one, other) else one if ahead else other
        rows.append(("q", one, other, preferred))
    result = tournament(Preferences.of(rows))
    assert result.winners == ((DOCS[best],),)
    assert not result.is_cycle.any()


@given(judgments())
def test_several_winners_are_a_ring_or_even(rows):
    result = tournament(Preferences.of(rows))
    several = np.array([len(winners) > 1 for winners in result.winners])
    assert ((result.is_cycle | result.is_even) == several).all()
    assert not (result.is_cycle & result.is_even).any()
    assert (result.rounds >= 1).all()
    assert (result.unmet <= [len(winners) * (len(winners) - 1) // 2 for winners in result.winners]).all()


def test_a_ring_is_kept_and_told():
    result = tournament(Preferences.of([*RING, ("q", "a", "d", "a"), ("q", "b", "d", "b"), ("q", "c", "d", "c")]))
    assert result.winners == (("a", "b", "c"),)
    assert result.cycles == ("q",)
    assert result.pool_sizes.tolist() == [4]
    assert result.rounds.tolist() == [2]


def test_even_wins_without_a_ring():
    # a beats b; b, c and d are even among themselves and never met a: all have one win.
    rows = [("q", "a", "b", "a"), ("q", "b", "c", None), ("q", "b", "d", None), ("q", "c", "d", None)]
    result = tournament(Preferences.of(rows))
    assert result.winners == (("a", "b", "c", "d"),)
    assert (result.cycles, result.is_even.tolist(), result.unmet.tolist()) == ((), [True], [2])


def test_counting_again_parts_those_with_as_many_wins():
    # a and b have two wins each, and a beat b.
    rows = [
        ("q", "a", "b", "a"),
        ("q", "a", "c", "a"),
        ("q", "b", "c", "b"),
        ("q", "b", "d", "b"),
        ("q", "d", "a", "d"),
    ]
    assert winners_of(tournament(Preferences.of(rows))) == slow_tournament(rows)
    assert tournament(Preferences.of(rows)).rounds.max() > 1


def test_majority_and_even_split():
    rows = [("q", "a", "b", "a")] * 2 + [("q", "a", "b", "b")]
    assert tournament(Preferences.of(rows)).winners == (("a",),)
    assert tournament(Preferences.of([*rows, ("q", "b", "a", "b")])).winners == (("a", "b"),)


def test_preference_qrels():
    qrels = tournament(Preferences.of([*RING, ("r", "x", "y", "y")])).qrels(name="new")
    assert sorted(qrels) == [("q", "a", 1), ("q", "b", 1), ("q", "c", 1), ("r", "y", 1)]
    assert (qrels.name, qrels.query_ids) == ("new", ("q", "r"))


def test_test_pairs_do_not_count():
    rows = [
        ("q", "a", "b", "a"),
        ("q", "b", "z", "b", None, None, None, "b"),
        ("q", "b", "y", "b", None, None, None, "b"),
    ]
    assert tournament(Preferences.of(rows)).winners == (("a",),)


def test_nothing_in_nothing_out():
    result = tournament(Preferences.of([]))
    assert (result.query_ids, result.winners, len(result.qrels())) == ((), (), 0)


@pytest.mark.parametrize("size", [3, 5, 7])
def test_regular_rings_of_any_size(size):
    docs = [f"d{place}" for place in range(size)]
    rows = []
    for one, other in itertools.combinations(range(size), 2):
        rows.append(("q", docs[one], docs[other], docs[one] if other - one <= size // 2 else docs[other]))
    result = tournament(Preferences.of(rows))
    assert result.winners == (tuple(sorted(docs)),)
    assert result.cycles == ("q",)


labels = st.dictionaries(
    st.sampled_from([*QUERIES, "other"]),
    st.dictionaries(st.sampled_from([*DOCS, "unknown"]), st.integers(0, 2), min_size=1),
    min_size=1,
)


@given(judgments(), labels)
def test_equals_the_slow_count(rows, grades):
    result = pairings_won(Preferences.of(rows), as_qrels(grades))
    tally = {1: 0, -1: 0, 0: 0}
    judged = set()
    for query, votes in pair_votes(rows).items():
        for (one, other), vote in votes.items():
            good, bad = (grades.get(query, {}).get(doc, 0) > 0 for doc in (one, other))
            if good:
                judged.add((query, one))
            if good and not bad:
                tally[(vote > 0) - (vote < 0)] += 1
    assert (result.wins, result.losses, result.even) == (tally[1], tally[-1], tally[0])
    assert result.judged == len(judged)
    assert result.labels == sum(grade > 0 for docs in grades.values() for grade in docs.values())


def test_no_pairings():
    result = pairings_won(Preferences.of([("q", "a", "b", "a")]), as_qrels({"q": {"c": 1}}))
    assert math.isnan(result.share)
