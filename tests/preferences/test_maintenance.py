"""Best known answers and what new runs need."""

from hypothesis import given
from hypothesis import strategies as st

from runoff.preferences import make_pools, needed_pairs, tournament, updated_labels
from runoff.preferences.maintenance import best_known
from runoff.tables import Preferences
from tests.preferences.judged import judgments
from tests.preferences.pooled import drawn_board, drawn_votes, qrels_of, run_of


def test_only_what_never_met_the_best_answer_is_needed():
    labels = qrels_of({"q1": ["a"], "q2": ["b", "c"], "q3": ["d"], "q4": ["e"], "q5": ["f"]})
    run = run_of("new", {"q1": ["a"], "q2": ["x"], "q3": ["y"], "q4": ["z"]})
    judged = Preferences.of([("q2", "x", "c", "c"), ("q3", "y", "other", "y")])
    one, two = needed_pairs([run, run_of("again", {"q3": ["y"], "q5": ["n"]})], labels, judged)
    assert one.pairs == (("q3", "y", "d"), ("q4", "z", "e"))
    assert (one.known, one.compared, one.no_top) == (1, 1, 1)
    assert two.pairs == (("q5", "n", "f"),)
    assert needed_pairs([], labels, judged) == ()


def test_deeper_documents_are_needed_where_they_are_asked_for():
    labels = qrels_of({"q1": ["a"], "q2": ["b"]})
    run = run_of("new", {"q1": ["x", "a", "y"], "q2": ["z"]})
    (one,) = needed_pairs([run], labels, Preferences.of([("q1", "y", "a", "a")]), depth=3)
    assert one.pairs == (("q1", "x", "a"), ("q2", "z", "b"))
    assert (one.known, one.compared, one.no_top) == (1, 1, 0)
    assert needed_pairs([run], labels, Preferences.of([]), depth=3)[0].pairs[1] == ("q1", "y", "a")


def updated(labels, rows):
    found = updated_labels(qrels_of(labels), Preferences.of(rows))
    return best_known(found.labels), found


def test_a_preferred_document_replaces_the_answer():
    best, found = updated({"q": ["a"], "r": ["b"]}, [("q", "a", "n", "n"), ("r", "b", "n", "b")])
    assert best == {"q": ("n",), "r": ("b",)}
    assert found.replaced == (("q", ("a",), ("n",)),)


def test_a_long_reign_does_not_protect():
    rows = [("q", "king", loser, "king") for loser in "abcde"] + [("q", "new", "king", "new")]
    assert updated({"q": ["king"]}, rows)[0] == {"q": ("new",)}


def test_a_chain_a_ring_and_two_that_never_met():
    chain = [("q", "b", "a", "b"), ("q", "c", "b", "c")]
    assert updated({"q": ["a"]}, chain)[0] == {"q": ("c",)}
    best, found = updated({"q": ["a"]}, [*chain, ("q", "a", "c", "a")])
    assert best == {"q": ("a", "b", "c")}
    assert found.rings == ("q",)
    best, found = updated({"q": ["a"]}, [("q", "b", "a", "b"), ("q", "c", "a", "c")])
    assert best == {"q": ("b", "c")}
    assert found.rings == ()


def test_an_even_split_changes_nothing():
    assert updated({"q": ["a"]}, [("q", "a", "b", "a"), ("q", "a", "b", "b")])[1].replaced == ()


@given(judgments(ties=False))
def test_the_same_judgments_change_nothing_more(rows):
    labels = {query: ["a"] for query in {row[0] for row in rows}}
    _, first = updated(labels, rows)
    second = updated_labels(first.labels, Preferences.of(rows))
    assert second.replaced == ()


@given(st.integers(0, 300))
def test_winners_of_whole_pools_stand(seed):
    runs, qrels = drawn_board(seed)
    rows = drawn_votes(make_pools(runs, qrels).pairs(), seed)
    if rows:
        table = Preferences.of(rows)
        assert updated_labels(tournament(table).qrels(), table).replaced == ()
