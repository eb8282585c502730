"""What is said beside the numbers: every sentence where it belongs, and nowhere else."""

import pytest

from runoff.errors import InputError
from runoff.reading.sources import as_run
from runoff.results.remarks import shared_remarks
from tests.verbs.comparisons import GRADED, compare, qrels_of, run_of


def remarks(*pair, qrels, measure="RR@10"):
    return compare(*pair, qrels, measures=measure).remarks


def test_two_plain_runs_have_a_line_each():
    assert remarks(run_of("a", [1, 2]), run_of("b", [2, 1]), qrels=qrels_of(2))[:2] == (
        "a: 90.0% unjudged to rank 10; no list cut by the tie rule trec_eval.",
        "b: 90.0% unjudged to rank 10; no list cut by the tie rule trec_eval.",
    )


def test_what_all_comparisons_share_is_said_once():
    run = {query: {"d": 2.0, "e": 1.0} for query in GRADED}
    runs = [as_run(run, name=name) for name in "abc"]
    labels = {**GRADED, "hard": {"n": 0}}
    shared = shared_remarks([one.remarks for one in compare(runs[0], runs[1:], labels).comparisons])
    assert shared[0].startswith("1 query has no relevant document in the labels")
    assert not any(remark.startswith(("b:", "c:")) for remark in shared)
    alone = compare(*runs[:2], labels)
    assert shared_remarks([alone.remarks]) == list(alone.remarks)


def test_ties_are_counted_where_the_list_is_cut():
    tied = as_run({"q0": {"d": 1.0, "x": 1.0, "y": 1.0}, "q1": {"d": 2.0, "x": 1.0}}, name="tied")
    found = remarks(tied, run_of("b", [1, 1]), qrels=qrels_of(2), measure="RR@2")
    assert found[0] == "tied: 75.0% unjudged to rank 2; 1 list cut by the tie rule trec_eval at rank 2."


def test_a_run_of_other_queries_is_refused():
    stranger = as_run({"elsewhere": {"d": 1.0}}, name="stranger")
    with pytest.raises(InputError, match="stranger: no query in common with qrels, which has 2"):
        remarks(run_of("a", [1, 2]), stranger, qrels=qrels_of(2))


def test_a_run_without_a_judged_document_is_noticed_and_refused_if_it_has_many_lists():
    found = remarks(run_of("a", [1, 2]), run_of("b", [0, 0]), qrels=qrels_of(2))
    assert found[1].startswith(
        "b: no document to rank 10 is judged, check that document ids are spelled as in the labels"
    )
    with pytest.raises(InputError, match="b: no document to rank 10 of the lists is judged in qrels"):
        remarks(run_of("a", [1] * 50), run_of("b", [0] * 50), qrels=qrels_of(50))


def test_queries_that_nobody_can_answer_are_counted():
    run = {query: {"d": 2.0, "e": 1.0} for query in GRADED}
    pair = as_run(run, name="a"), as_run(run, name="b")
    for hard, words in ((1, "1 query has"), (2, "2 queries have")):
        labels = GRADED | {f"hard {place}": {"n": 0} for place in range(hard)}
        assert remarks(*pair, qrels=labels)[0] == (
            f"{words} no relevant document in the labels: nobody can answer, and outcomes leave them out."
        )
    assert not any(
        "no relevant document" in remark for remark in remarks(*pair, qrels=GRADED)
    )  # several are no weakness


def test_the_level_says_who_can_answer():
    run = {query: {"d": 2.0, "e": 1.0} for query in GRADED}
    labels = GRADED | {"mild": {"e": 1, "n": 0}}
    pair = as_run(run, name="a"), as_run(run, name="b")
    assert not any("no relevant document" in remark for remark in remarks(*pair, qrels=labels))
    assert remarks(*pair, qrels=labels, measure="RR(rel=2)@10")[0].startswith("1 query has no relevant document")


def test_a_constant_difference_is_no_certainty():
    qrels = {f"q{place}": {"d": 1} for place in range(3)}
    first, second = ({query: {"d": score, "x": 2.0} for query in qrels} for score in (3.0, 1.0))
    remark = (
        "RR@10 differs by the same amount on each of the 3 queries, which a t test takes for certain however few they "
        "are; rely on the sign test instead."
    )
    assert compare(first, second, qrels, measures="RR@10").remarks[0] == remark
    assert remark not in compare(first, first | {"q0": {"x": 1.0}}, qrels, measures="RR@10").remarks
