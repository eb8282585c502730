"""Candidates in their order, and labels after matches."""

from hypothesis import given
from hypothesis import strategies as st

from runoff.preferences import SequentialPlan, candidates_of, sequential, settled_labels
from runoff.preferences.maintenance import best_known
from runoff.tables import Preferences
from tests.preferences.judged import judgments
from tests.preferences.pooled import drawn_board, qrels_of, run_of

PLAN = SequentialPlan(keep_lead=1, replace_lead=1, most_judgments=1)


def test_labels_come_first_and_runs_in_their_order():
    labels = qrels_of({"q1": ["b", "a"], "q2": ["c"], "q3": ["d"]})
    runs = [run_of("one", {"q1": ["z", "y"], "q2": ["c"]}), run_of("two", {"q1": ["a"], "q2": ["x"], "other": ["n"]})]
    assert candidates_of(labels, runs) == {"q1": ("b", "a", "z"), "q2": ("c", "x"), "q3": ("d",)}
    assert candidates_of(labels, []) == {"q1": ("b", "a"), "q2": ("c",), "q3": ("d",)}


@given(st.integers(0, 1000))
def test_a_run_that_is_named_last_brings_its_documents_last(seed):
    runs, labels = drawn_board(seed)
    before, after = candidates_of(labels, runs[:-1]), candidates_of(labels, runs)
    assert all(after[query][: len(docs)] == docs for query, docs in before.items())


def test_several_old_answers_stay_until_their_match_is_decided():
    labels = qrels_of({"q": ["a", "b"], "r": ["x"]})
    order = candidates_of(labels, [run_of("new", {"q": ["c"]})])

    def after(*rows):
        return best_known(settled_labels(labels, sequential(order, Preferences.of(rows), plan=PLAN)).labels)

    assert after() == {"q": ("a", "b"), "r": ("x",)}
    assert after(("q", "a", "b", "b")) == {"q": ("a", "b"), "r": ("x",)}
    assert after(("q", "a", "b", "b"), ("q", "b", "c", "b")) == {"q": ("b",), "r": ("x",)}
    assert after(("q", "a", "b", "b"), ("q", "b", "c", "c")) == {"q": ("c",), "r": ("x",)}


@given(judgments(max_size=60))
def test_every_query_keeps_an_answer_among_its_candidates(rows):
    labels = qrels_of({query: ["a"] for query in ("q1", "q2", "301", "unjudged")})
    order = {query: ["a", "b", "c", "d"] for query in ("q1", "q2", "301")}
    found = sequential(order, Preferences.of(rows), plan=PLAN)
    updated = settled_labels(labels, found)
    best = best_known(updated.labels)
    assert list(best) == ["q1", "q2", "301", "unjudged"]
    assert best["unjudged"] == ("a",)
    assert {query: (one.best,) for query, one in zip(order, found, strict=True)} == {q: best[q] for q in order}
    assert [query for query, _, _ in updated.replaced] == [query for query in order if best[query] != ("a",)]
