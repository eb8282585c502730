"""Best known answers and what new runs need."""

from hypothesis import given
from hypothesis import strategies as st

from runoff.preferences import make_pools, needed_pairs, tournament, updated_labels, with_answers
from runoff.preferences.maintenance import best_known
from runoff.reading.sources import as_qrels
from runoff.tables import Preferences
from tests.preferences.judged import DOCS, QUERIES, judgments
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


GRADED = [("q", "a", 3), ("q", "z", 0), ("q", "c", 1), ("r", "b", 2), ("r", "n", 0), ("s", "y", 0)]


def test_graded_labels_keep_grades_and_zeros():
    rows = [("q", "a", "n", "n"), ("q", "n", "c", "c"), ("r", "b", "n", "n")]
    found = updated_labels(as_qrels(GRADED), Preferences.of(rows))
    # n is preferred to a, and c, of grade 1, to n: c is the best; n of r was a zero, and is now as good as b.
    assert list(found.labels) == [
        ("q", "a", 3), ("q", "z", 0), ("q", "c", 3), ("r", "b", 2), ("r", "n", 2), ("s", "y", 0),
    ]  # fmt: skip
    assert found.replaced == (("q", ("a",), ("a", "c")), ("r", ("b",), ("b", "n")))
    assert (found.keeps_rows, found.made_single, found.is_changed) == (True, False, True)


def test_graded_labels_become_single_answers_if_that_is_asked_for():
    found = updated_labels(as_qrels(GRADED), Preferences.of([("r", "b", "n", "n")]), single_answers=True)
    assert list(found.labels) == [("q", "a", 1), ("r", "n", 1)]
    assert (found.keeps_rows, found.made_single) == (False, True)
    unchanged = updated_labels(as_qrels(GRADED), Preferences.of([]), single_answers=True)
    assert (unchanged.replaced, unchanged.is_changed) == ((), True)


graded = st.lists(st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCS), st.integers(0, 3)), min_size=1).map(
    lambda rows: [(*key, grade) for key, grade in {row[:2]: row[2] for row in rows}.items()]
)


@given(graded, judgments())
def test_no_row_of_graded_labels_is_lost_and_none_falls(labels, rows):
    qrels = as_qrels(labels)
    found = updated_labels(qrels, Preferences.of(rows))
    old, new = ({(query, doc): grade for query, doc, grade in one} for one in (qrels, found.labels))
    best = {query: max(grade for (q, _), grade in old.items() if q == query) for query in qrels.query_ids}
    if len(set(old.values())) > 1:
        assert set(old) <= set(new)
        for (query, doc), grade in new.items():
            joined = any(query == q and doc in set(after) - set(before) for q, before, after in found.replaced)
            assert grade == (best[query] if joined else old[query, doc])
            if joined:
                assert any(row[0] == query and doc in row[1:3] for row in rows)
    again = updated_labels(found.labels, Preferences.of(rows))
    assert (again.replaced, list(again.labels)) == ((), list(found.labels))


def test_answers_of_queries_without_any():
    found = with_answers(as_qrels([("q", "a", 0), ("r", "b", 2)]), {"q": ["x"], "new": ["y"]})
    assert list(found.labels) == [("q", "a", 0), ("q", "x", 1), ("r", "b", 2), ("new", "y", 1)]
    assert found.replaced == (("q", (), ("x",)), ("new", (), ("y",)))
    assert list(with_answers(as_qrels([("q", "a", 2)]), {"q": ["x"]}).labels) == [("q", "x", 2)]


@given(st.integers(0, 300))
def test_winners_of_whole_pools_stand(seed):
    runs, qrels = drawn_board(seed)
    rows = drawn_votes(make_pools(runs, qrels).pairs(), seed)
    if rows:
        table = Preferences.of(rows)
        assert updated_labels(tournament(table).qrels(), table).replaced == ()


def test_fractions_are_kept():
    labels = as_qrels({"q": {"a": 1.8, "b": 0.5, "c": 1}, "r": {"x": 0.25}, "s": {"y": 0}})
    assert best_known(labels) == {"q": ("a",), "r": ("x",)}
    found = with_answers(labels, {"q": ["n"], "r": ["m"], "s": ["k"]}).labels
    assert list(found) == [
        ("q", "a", 1.8), ("q", "b", 0.5), ("q", "c", 1), ("q", "n", 1.8), ("r", "x", 0.25), ("r", "m", 0.25),
        ("s", "y", 0), ("s", "k", 1)
    ]  # fmt: skip
    answers = as_qrels({"q": {"a": 0.5}, "r": {"x": 0.5}})
    assert list(with_answers(answers, {"q": ["n"]}).labels) == [("q", "n", 0.5), ("r", "x", 0.5)]
