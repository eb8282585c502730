"""All pairs: the same counts as the scan of each pair, whichever curve is used and however queries are blocked."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.comparisons import ipso, ipso_all_pairs
from runoff.errors import UsageError
from runoff.files import read_qrels, read_run
from runoff.measures._example import serps_from, serps_of
from tests.comparisons.reference import ranked


@st.composite
def boards(draw, highest=1):
    depth, queries = draw(st.integers(1, 10)), draw(st.integers(1, 6))
    # Few relevant documents use the one curve, many the other.
    grade = st.sampled_from(draw(st.sampled_from([[-1, 0, 0, 0, highest], [0, *range(highest + 1)], [highest]])))
    run = st.lists(st.lists(grade, min_size=depth, max_size=depth), min_size=queries, max_size=queries)
    runs = draw(st.lists(run, min_size=2, max_size=5))
    if draw(st.booleans()):
        return [ranked(lists, highest=highest) for lists in runs]
    # The labels hold what is found: a query for which nobody finds anything is left out.
    judged = [[max(lists[row].count(one) for lists in runs) for one in range(highest + 1)] for row in range(queries)]
    return [serps_of(*lists, judged=judged) for lists in runs]


def check_against_single_pairs(board, depth, **options):
    result = ipso_all_pairs(board, depth=depth, **options)
    for i, first in enumerate(board):
        for j, second in enumerate(board):
            both = ipso(first, second, depth=depth, **options)
            at = both.at_depth
            found = tuple(int(counts[i, j]) for counts in (result.ns, result.equal, result.ni, result.nonseparable))
            assert found == (at.ns, at.equal, at.ni, at.nonseparable)
            assert result.sign_p[i, j] == at.sign_p
            assert (result.topics, result.unanswerable) == (both.topics, both.unanswerable)
            assert result.most_relevant == both.most_relevant


@given(boards())
def test_binary(board):
    check_against_single_pairs(board, board[0].depth)


@given(boards(highest=3))
def test_graded(board):
    check_against_single_pairs(board, board[0].depth, gains=[0, 0.2, 0.8, 1])
    check_against_single_pairs(board, board[0].depth, level=2)


@given(boards())
def test_blocks_do_not_matter(board):
    kernel = import_module("runoff.comparisons.ipso_all_pairs")
    expected = ipso_all_pairs(board, depth=board[0].depth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "_IN_CACHE", 4)
        patch.setattr(kernel, "_IN_MEMORY", 40)
        blocked = ipso_all_pairs(board, depth=board[0].depth)
    assert (blocked.ni == expected.ni).all()
    assert (blocked.nonseparable == expected.nonseparable).all()


@given(boards())
def test_counts_add_up_and_mirror(board):
    result = ipso_all_pairs(board, depth=board[0].depth)
    assert (result.ns + result.equal + result.ni + result.nonseparable == result.topics).all()
    assert (result.ns == result.ni.T).all()
    assert (np.diag(result.equal) == result.topics).all()


def test_beyond_int8():
    deep = [serps_from("1" * 300), serps_from("0" + "1" * 299), serps_from("0" * 200 + "1" * 100)]
    result = ipso_all_pairs(deep, depth=300)
    assert result.ni.tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]


def test_queries_without_a_relevant_document_are_left_out():
    judged = [[5, 1], [5, 0], [5, 2]]
    board = [serps_of([1, 0], [0, 0], [0, 1], judged=judged), serps_of([0, 1], [0, 0], [0, 1], judged=judged)]
    result = ipso_all_pairs(board, depth=2)
    assert (result.topics, result.unanswerable, result.most_relevant) == (2, 1, 2)
    assert (result.ni.tolist(), result.equal.tolist()) == ([[0, 1], [0, 0]], [[2, 1], [1, 2]])
    assert not result.is_sign_test_of_rr


def test_one_run_or_different_queries_are_refused():
    with pytest.raises(UsageError, match="expected at least 2"):
        ipso_all_pairs([serps_from("1")], depth=1)
    with pytest.raises(UsageError, match="different queries"):
        ipso_all_pairs([serps_from("1"), serps_from("1", "1")], depth=1)


def test_real_runs(shared_data):
    """Twelve runs of TREC Robust 2003; the paper's Table 3 is for 2004: 8.33, 74.66 and 17.01% at depth 10."""
    qrels = read_qrels(shared_data / "robust03" / "qrels.txt.gz")
    files = sorted((shared_data / "robust03").glob("input.*.gz"))
    board = [read_run(file).serps(qrels, depth=50) for file in files]
    check_against_single_pairs(board[:4], 10, level=1)
    check_against_single_pairs(board[:3], 50, gains=[0, 0.4, 1])
    result = ipso_all_pairs(board, depth=10, level=1)
    pairs = np.triu_indices(len(board), 1)
    shares = [100 * float(counts[pairs].mean()) / result.topics for counts in (result.equal, result.nonseparable)]
    assert shares == pytest.approx([8.33, 17.01], abs=3)
