"""The sequential way to the best document: its laws, and what it says of chosen judgments."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.preferences import SequentialPlan, candidates_of, sequential, settled_labels, updated_labels
from runoff.preferences.maintenance import best_known
from runoff.tables import Preferences
from tests.preferences.judged import DOCS, judgments, mirrored
from tests.preferences.pooled import drawn_board, qrels_of, run_of

PLANS = st.builds(
    SequentialPlan, keep_lead=st.integers(1, 4), replace_lead=st.integers(1, 4), most_judgments=st.integers(1, 9)
)
ORDERS = st.permutations(DOCS)


def of_query(rows, order, plan=None, query="q1"):
    (found,) = sequential({query: order}, Preferences.of(rows), plan=plan)
    return found


def slow_search(rows, order, plan):
    """By the definition: the best document, or the pair that is due and how many judgments it has for either."""
    best = order[0]
    for candidate in order[1:]:
        said = [row[3] for row in rows if row[0] == "q1" and set(row[1:3]) == {best, candidate}]
        kept, lost = said.count(best), said.count(candidate)
        majority = len(said) >= plan.most_judgments
        if kept - lost >= plan.keep_lead or (majority and kept >= lost):
            continue
        if lost - kept < plan.replace_lead and not majority:
            return best, (best, candidate)
        best = candidate
    return best, None


def played(order, chance, plan, rng, *, rows=()):
    """Judgments as they are asked for until none is due: those of each turn all at once."""
    rows = list(rows)
    asked = 0
    while (due := of_query(rows, order, plan).due) is not None:
        assert due.due >= 1
        asked += due.due
        for _ in range(due.due):
            preferred = due.best if rng.random() < chance(due.best, due.candidate) else due.candidate
            rows.append(("q1", due.best, due.candidate, preferred))
    return rows, asked


@given(judgments(), ORDERS, PLANS)
def test_equals_the_slow_search(rows, order, plan):
    found = of_query(rows, order, plan)
    due = None if found.due is None else (found.due.best, found.due.candidate)
    assert (found.best, due) == slow_search(rows, order, plan)
    assert found.is_final == (due is None)
    assert found.waiting + len(found.matches) == len(order) - 1
    assert found.judgments == sum(row[0] == "q1" for row in rows)
    assert found.used <= found.judgments


@given(judgments(), ORDERS, PLANS, st.randoms(use_true_random=False))
def test_neither_row_order_nor_sides_matter(rows, order, plan, random):
    expected = of_query(rows, order, plan)
    random.shuffle(rows)
    assert of_query(rows, order, plan) == expected
    assert of_query(mirrored(rows), order, plan) == expected


@given(judgments(), ORDERS, st.permutations(DOCS), PLANS)
def test_names_do_not_matter(rows, order, names, plan):
    new = dict(zip(DOCS, names, strict=True))
    renamed = [(query, new[left], new[right], new.get(preferred)) for query, left, right, preferred, _ in rows]
    one, two = of_query(rows, order, plan), of_query(renamed, [new[doc] for doc in order], plan)
    assert two.best == new[one.best]
    assert [(match.outcome, match.due) for match in two.matches] == [
        (match.outcome, match.due) for match in one.matches
    ]


@given(judgments(max_size=80), ORDERS, PLANS, st.data())
def test_more_judgments_for_the_best_document_do_not_change_it(rows, order, plan, data):
    found = of_query(rows, order, plan)
    if found.is_final:
        other = data.draw(st.sampled_from([doc for doc in order if doc != found.best]))
        more = data.draw(st.integers(1, 12))
        after = of_query([*rows, *[("q1", found.best, other, found.best)] * more], order, plan)
        assert (after.is_final, after.best) == (True, found.best)


@given(judgments(max_size=80), ORDERS, PLANS, st.integers(1, 5))
def test_candidates_at_the_end_leave_all_matches_as_they_are(rows, order, plan, first):
    before, after = of_query(rows, order[:first], plan), of_query(rows, order, plan)
    assert after.matches[: len(before.matches)] == before.matches
    if not before.is_final:
        assert (after.best, after.due) == (before.best, before.due)


@given(judgments(), ORDERS, PLANS, st.integers(0, 10**6))
def test_it_ends_and_asks_for_no_more_than_it_may(rows, order, plan, seed):
    given_rows, asked = played(order, lambda *_: 0.5, plan, np.random.default_rng(seed), rows=rows)
    assert asked == len(given_rows) - len(rows) <= plan.most_judgments * (len(order) - 1)
    pairs = Counter(frozenset(row[1:3]) for row in given_rows[len(rows) :])
    assert not pairs or max(pairs.values()) <= plan.most_judgments
    assert all(match.due == 0 for match in of_query(given_rows, order, plan).matches)


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 3), PLANS)
def test_fewer_judgments_than_are_due_can_never_decide(kept, lost, ties, plan):
    due = plan.due(kept, lost, ties)
    assert (due == 0) == (plan.outcome(kept, lost, ties) != "open")
    for more in range(1, due):
        for won in range(more + 1):
            assert plan.outcome(kept + won, lost + more - won, ties) == "open"
    if due:
        ends = {plan.outcome(kept + due, lost, ties), plan.outcome(kept, lost + due, ties)}
        assert ends != {"open"}


@given(ORDERS, PLANS, st.integers(0, 10**6))
def test_maintenance_comes_to_the_same_answer(order, plan, seed):
    rows, _ = played(order, lambda *_: 0.5, plan, np.random.default_rng(seed))
    labels = updated_labels(qrels_of({"q1": [order[0]]}), Preferences.of(rows)).labels
    assert best_known(labels) == {"q1": (of_query(rows, order, plan).best,)}


@given(ORDERS, ORDERS, PLANS)
def test_without_errors_the_best_document_is_found(truth, order, plan):
    rows, _ = played(
        order, lambda one, other: float(truth.index(one) < truth.index(other)), plan, np.random.default_rng(0)
    )
    assert of_query(rows, order, plan).best == truth[0]


def test_a_long_reign_does_not_protect():
    rows = [("q1", "a", loser, "a") for loser in "bcd" for _ in range(5)] + [("q1", "a", "new", "new")] * 3
    assert of_query(rows, ["a", "b", "c", "d", "new"]).best == "new"


def test_contradictions_reopen_a_match_and_the_most_judgments_close_it():
    won = [("q1", "a", "b", "a")] * 2
    assert of_query(won, ["a", "b"]).is_final
    assert of_query([*won, ("q1", "a", "b", "b")], ["a", "b"]).due.due == 1
    even = [*won, *[("q1", "a", "b", "b")] * 2]
    assert of_query(even * 2, ["a", "b"]).due.due == 1
    assert of_query([*even * 2, ("q1", "b", "a", None)], ["a", "b"]).best == "a"
    assert of_query([*even * 2, ("q1", "b", "a", "b")], ["a", "b"]).best == "b"


def test_ties_alone_keep_the_best_known_answer():
    found = of_query([("q1", "a", "b", None)] * 9, ["a", "b"])
    assert (found.best, found.is_final, found.used, found.matches[0].ties) == ("a", True, 9, 9)


def test_judgments_of_others_do_no_harm():
    rows = (
        [("q1", "a", "z", "z")] * 5 + [("q2", "a", "b", "b")] * 5 + [("q1", "a", "b", "b", None, None, None, "b")] * 5
    )
    found = of_query(rows, ["a", "b"])
    assert (found.best, found.due.due, found.judgments, found.used) == ("a", 2, 0, 0)


def test_one_candidate_is_the_best_one():
    found = of_query([], ["a"])
    assert (found.best, found.is_final, found.matches, found.full_pairing(5)) == ("a", True, (), 0)


def test_several_queries_in_their_order():
    found = sequential({"r": ["x", "y"], "q": ["a"]}, Preferences.of([]))
    assert [(one.query_id, one.is_final) for one in found] == [("r", False), ("q", True)]
    assert found[0].full_pairing(3) == 3


@pytest.mark.parametrize("docs, what", [([], "no candidates"), (["a", "b", "a"], "a candidate twice")])
def test_bad_candidates(docs, what):
    with pytest.raises(UsageError, match=f"query 'q' has {what}; expected different documents"):
        sequential({"q": docs}, Preferences.of([]))


@pytest.mark.parametrize("name", ["keep_lead", "replace_lead", "most_judgments"])
def test_bad_plans(name):
    with pytest.raises(UsageError, match=f"{name} is 0; expected 1 or more"):
        SequentialPlan(**{name: 0})


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
