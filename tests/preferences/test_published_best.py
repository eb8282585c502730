"""The real judgments of Yan et al. 2022 and the best items that their authors published: docs/developers/studies.md."""

from collections import Counter

import numpy as np
import pytest

from runoff.files import read_judgments, read_qrels
from runoff.preferences import agreement, bradley_terry, count_pairs, side_bias, tournament
from runoff.tables import Preferences
from tests.preferences.judged import winners_of

PRUNED, SECOND, THIRD = 9713, 10697, 11681
"""Rows: five rounds of pruning to the first, then twice all pairs of the finalists."""


@pytest.fixture(scope="module")
def judged(shared_data):
    return read_judgments(shared_data / "preferences" / "judgments.txt")


@pytest.fixture(scope="module")
def published(shared_data):
    found: dict[str, dict[str, set[str]]] = {}
    for name in ("Set-I", "Set-II", "Combined-I+II"):
        found[name] = {}
        for query, doc, _ in read_qrels(shared_data / "preferences" / f"{name}.qrels"):
            found[name].setdefault(query, set()).add(doc)
    return found


@pytest.fixture(scope="module")
def final(judged):
    """The judgments of finalists behind each published set, and the unused ones between them."""
    second = judged.take(np.arange(SECOND, THIRD))
    finalists = {(row.query_id, frozenset((row.left, row.right))) for row in second}
    last = {(row.query_id, frozenset((row.left, row.right))): row for row in judged.take(np.arange(PRUNED))}
    first = Preferences.of(row for pair, row in last.items() if pair in finalists)
    return {
        "Set-I": first,
        "Set-II": second,
        "Combined-I+II": Preferences.joined([first, second]),
        "unused": judged.take(np.arange(PRUNED, SECOND)),
    }


def most_votes(table):
    """The documents with most votes of each query, with no second count."""
    votes: dict[str, Counter[str]] = {}
    for row in table:
        votes.setdefault(row.query_id, Counter()).update({row.left: 0, row.right: 0, row.preferred: 1})
    return {query: {doc for doc, n in count.items() if n == max(count.values())} for query, count in votes.items()}


def test_rows_and_repeats(judged):
    assert (len(judged), len(judged.query_ids), judged.repeated) == (11_681, 50, 0)
    assert len(judged) - len(set(judged)) == 1024
    counts = count_pairs(judged)
    assert len(counts) == 8685
    assert np.bincount(counts.votes).tolist() == [0, 7199, 478, 609, 308, 79, 12]


@pytest.mark.parametrize("name", ["Set-I", "Set-II", "Combined-I+II"])
def test_published_best_items_are_those_with_most_votes(final, published, name):
    assert most_votes(final[name]) == published[name]


@pytest.mark.parametrize(
    "name, same, winners, cycles, even",
    [("Set-I", 29, 50, 0, 0), ("Set-II", 35, 56, 3, 0), ("Combined-I+II", 43, 56, 0, 6)],
)
def test_the_tournament_keeps_some_of_the_published(final, published, name, same, winners, cycles, even):
    result = tournament(final[name])
    found = {query: set(docs) for query, docs in winners_of(result).items()}
    assert all(found[query] <= published[name][query] for query in found)
    assert sum(found[query] == published[name][query] for query in found) == same
    assert sum(map(len, found.values())) == winners
    assert (len(result.cycles), int(result.is_even.sum())) == (cycles, even)


def test_all_judgments_at_once(judged, published):
    result = tournament(judged)
    found = winners_of(result)
    assert Counter(map(len, found.values())) == {1: 48, 2: 2}
    assert (result.cycles, int(result.is_even.sum())) == ((), 2)
    assert sum(bool(set(found[query]) & best) for query, best in published["Combined-I+II"].items()) == 31


def test_repeated_judgments_hardly_agree(judged, final):
    result = agreement(judged)
    assert (result.repeated, result.judgments, result.unanimous, result.even) == (1486, 4482, 519, 325)
    assert round(result.agreement, 3) == 0.541
    assert round(result.alpha, 3) == 0.085
    pair = agreement(final["Combined-I+II"])
    assert (pair.repeated, round(pair.agreement, 3), round(pair.alpha, 3)) == (984, 0.564, 0.128)
    three = agreement(Preferences.joined([final["Combined-I+II"], final["unused"]]))
    assert (round(three.agreement, 3), round(three.alpha, 3)) == (0.556, 0.113)


def test_two_sets_seldom_name_the_same_winner(final):
    one, two = (winners_of(tournament(final[name])) for name in ("Set-I", "Set-II"))
    assert sum(one[query] == two[query] for query in one) == 7
    assert sum(bool(set(one[query]) & set(two[query])) for query in one) == 10


def test_the_left_side_is_preferred_a_little(judged):
    left = side_bias(judged).left
    assert (left.wins, left.losses) == (6107, 5574)
    assert left.p < 1e-6


def test_bradley_terry_differs_where_judgments_are_uneven(judged, final):
    pytest.importorskip("evalica")
    both = final["Combined-I+II"]
    assert bradley_terry(both).differing(tournament(both)) == ()
    assert len(bradley_terry(judged).differing(tournament(judged))) == 15
