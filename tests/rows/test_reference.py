"""The rules for ranking, duplicates and judgments on small samples; every expected value is worked out by hand."""

from __future__ import annotations

import math
from array import array

import pytest

from runoff.rows import reference as rows
from tests.rows.implementations import parsed
from tests.rows.samples import SHORT, column, unpacked


def rank(*texts, judged=(), depth=-1, top=-1, tie_rule=rows.TREC_EVAL, duplicates=rows.ERROR):
    lists = rows.group([parsed(rows, text, SHORT) for text in texts])
    return lists.rank(0, lists.queries, judged, depth, top, tie_rule, duplicates)


def ranked_docs(*texts, **options):
    ranked = rank(*texts, **options)
    return unpacked(ranked.docs_text, ranked.docs_bounds)


TIES = b"q b 1\nq a 2\nq c 1\nq ab 1.00000001\nq d 0.5\n"


@pytest.mark.parametrize(
    "tie_rule, order",
    [
        (rows.TREC_EVAL, [b"a", b"ab", b"c", b"b", b"d"]),
        (rows.FLOAT32, [b"a", b"c", b"b", b"ab", b"d"]),
        (rows.FILE, [b"a", b"ab", b"b", b"c", b"d"]),
        (rows.DOC_ASCENDING, [b"a", b"ab", b"b", b"c", b"d"]),
        (rows.UNRANKED, [b"b", b"a", b"c", b"ab", b"d"]),
    ],
)
def test_tie_rules(tie_rule, order):
    assert ranked_docs(TIES, tie_rule=tie_rule) == order


def test_documents_are_compared_as_bytes():
    text = "q a 1\nq é 1\nq ab 1\nq Z 1\nq z 1\n".encode()
    ascending = [b"Z", b"a", b"ab", b"z", "é".encode()]
    assert ranked_docs(text, tie_rule=rows.DOC_ASCENDING) == ascending
    assert ranked_docs(text, tie_rule=rows.TREC_EVAL) == ascending[::-1]


def test_ties_of_different_spellings():
    assert ranked_docs(b"q a 0\nq b -0.0\nq c 0e5\nq d 10\nq e 1e1\n") == [b"e", b"d", b"c", b"b", b"a"]
    assert [math.copysign(1, score) for score in rank(b"q a 0\nq b -0\n").scores] == [-1, 1]


def test_scores_beyond_float32_are_infinite():
    ranked = rank(b"q a 1e300\nq b 1e200\nq c 3e38\nq d -1e300\nq e -1e200\n", tie_rule=rows.FLOAT32, depth=1)
    assert unpacked(ranked.docs_text, ranked.docs_bounds) == [b"b", b"a", b"c", b"e", b"d"]
    assert list(ranked.scores) == [1e200, 1e300, 3e38, -1e200, -1e300]
    assert bytes(ranked.tied) == b"\1"


@pytest.mark.parametrize("tie_rule", range(4))
def test_rows_without_a_number_come_last(tie_rule):
    assert ranked_docs(b"q a x\nq c x\nq b -1e300\nq d 5\nq 0 x\n", tie_rule=tie_rule) == [b"d", b"b", b"a", b"c", b"0"]


def test_tied_at_a_depth():
    text = b"p a 3\np b 2\np c 2\nq a 1\nq b 1\nr x y\nr z y\n"
    expected = {-1: [0, 0, 0], 0: [0, 0, 0], 1: [0, 1, 0], 2: [1, 0, 0], 3: [0, 0, 0], 9: [0, 0, 0]}
    for depth, tied in expected.items():
        for tie_rule in range(4):
            assert list(rank(text, depth=depth, tie_rule=tie_rule).tied) == tied
    assert list(rank(b"q a 1\nq b 1.00000001\n", depth=1).tied) == [0]
    assert list(rank(b"q a 1\nq b 1.00000001\n", depth=1, tie_rule=rows.FLOAT32).tied) == [1]


def test_top_cuts_documents_alone():
    text = b"p a 3\np b 2\np c 1\nq d 1\n"
    ranked = rank(text, top=2, depth=2)
    assert unpacked(ranked.docs_text, ranked.docs_bounds) == [b"a", b"b", b"d"]
    assert (list(ranked.scores), list(ranked.lengths)) == ([3, 2, 1], [3, 1])
    assert ranked_docs(text, top=0) == []
    assert ranked_docs(text, top=-1) == [b"a", b"b", b"c", b"d"]


# Duplicates

TWICE = b"p a 1\nq a 1\np b 5\np a 3\np b 5\nq b 2\np a 2\n"


def test_duplicates_are_errors():
    ranked = rank(TWICE)
    assert ranked.repeated == [
        (0, 4, 0, 1, b"p", b"a"),
        (0, 5, 0, 3, b"p", b"b"),
        (0, 7, 0, 1, b"p", b"a"),
    ]
    assert (ranked.repeated_total, ranked.dropped, list(ranked.lengths)) == (3, 0, [5, 2])
    assert list(ranked.scores) == [5, 5, 3, 2, 1, 2, 1]


def test_duplicates_over_batches_are_sorted_by_batch_and_line():
    ranked = rank(b"p a 1\nq b 1\n", b"q b 2\np a 2\n", b"\np a 2\n")
    assert ranked.repeated == [
        (1, 1, 0, 2, b"q", b"b"),
        (1, 2, 0, 1, b"p", b"a"),
        (2, 2, 0, 1, b"p", b"a"),
    ]


def test_the_first_repeated_rows_are_given_and_all_counted():
    ranked = rank(b"p a 1\nq a 1\n" * 20)
    assert ranked.repeated_total == 38
    assert [row[1] for row in ranked.repeated] == list(range(3, 23))


@pytest.mark.parametrize(
    "duplicates, docs, scores",
    [(rows.FIRST, [b"b", b"a", b"b", b"a"], [5, 1, 2, 1]), (rows.BEST, [b"b", b"a", b"b", b"a"], [5, 3, 2, 1])],
)
def test_one_of_the_duplicates_stays(duplicates, docs, scores):
    ranked = rank(TWICE, duplicates=duplicates)
    assert unpacked(ranked.docs_text, ranked.docs_bounds) == docs
    assert list(ranked.scores) == scores
    assert (ranked.dropped, list(ranked.lengths)) == (3, [2, 2])
    assert (ranked.repeated, ranked.repeated_total) == ([], 0)


def test_the_best_is_the_first_of_those_that_compare_equal():
    text = b"q a 1\nq b 1\nq a 1.00000001\nq c x\nq c 0\nq d 0\nq d x\nq e x\nq e x\n"
    assert list(rank(text, duplicates=rows.BEST).scores)[:2] == [1.00000001, 1]
    assert list(rank(text, duplicates=rows.BEST, tie_rule=rows.FLOAT32).scores)[:2] == [1, 1]
    # the row that stays keeps its place in the file
    assert ranked_docs(text, duplicates=rows.BEST, tie_rule=rows.FILE) == [b"a", b"b", b"c", b"d", b"e"]
    assert ranked_docs(b"q a 1\nq b 2\nq a 2\n", duplicates=rows.BEST, tie_rule=rows.FILE) == [b"b", b"a"]


# Judgments


def judged_of(queries, pairs):
    row_query = array("q", [place for place, _ in pairs])
    return rows.Judged(*column(queries), row_query, *column([doc for _, doc in pairs]))


def test_hits():
    first = judged_of([b"x", b"q"], [(1, b"c"), (0, b"a"), (1, b"a"), (1, b"zz")])
    second = judged_of([b"p"], [])
    ranked = rank(b"p a 1\nq a 1\nq b 2\nq c 3\n", judged=(first, second), depth=1, top=0)
    assert [list(part) for part in ranked.hits[0]] == [[-1, 1], [1, 1], [0, 2], [0, 2]]
    assert [list(part) for part in ranked.hits[1]] == [[0, -1], [], [], []]


def test_hits_without_dropped_duplicates():
    judged = judged_of([b"q"], [(0, b"a")])
    text = b"q a 1\nq b 2\nq a 3\n"
    assert [list(part) for part in rank(text, judged=(judged,)).hits[0]] == [[0], [0, 0], [0, 2], [0, 0]]
    for duplicates, place in [(rows.FIRST, 1), (rows.BEST, 0)]:
        hits = rank(text, judged=(judged,), duplicates=duplicates).hits[0]
        assert [list(part) for part in hits] == [[0], [0], [place], [0]]


def test_judgments_are_found():
    judged = judged_of([b"p", b"q"], [(0, b"a"), (1, b"b"), (0, b"b")])
    found = judged.find(array("q", [1, 0, -1, 1, 0]), *column([b"b", b"b", b"a", b"a", b"a"]))
    assert list(found) == [1, 2, -1, -1, 0]
    assert (judged.queries, judged.repeated) == (2, None)


def test_a_repeated_judgment():
    judged = judged_of([b"p", b"q"], [(0, b"a"), (1, b"a"), (1, b"b"), (1, b"a"), (0, b"a")])
    assert judged.repeated == (3, 1)
    assert list(judged.find(array("q", [1]), *column([b"a"]))) == [1]
