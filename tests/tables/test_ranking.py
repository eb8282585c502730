"""Rank order, against sorted()."""

from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.tables import Ids
from runoff.tables.ranking import (
    TIE_RULES,
    RunRows,
    checked_tie_rule,
    compared_scores,
    is_descending_within,
    rank_rows,
    tied_at,
    ties_within,
)

SCORES = st.sampled_from([1.0, 2.0, 31.0501639782451, 31.0501639782450, -0.0, 0.0, -2.97, 1e300, 1e200, -1e300])
ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([*"abcdé", "a-long-document-id", "a" * 300]), SCORES),
    min_size=1, max_size=40, unique_by=lambda row: row[:2],
)  # fmt: skip


def run_rows(rows):
    """Rows (query, document, score) as RunRows."""
    queries = list(dict.fromkeys(query for query, *_ in rows))
    blocks = [(queries.index(query), len(list(block))) for query, block in groupby(row[0] for row in rows)]
    lengths = [length for _, length in blocks]
    return RunRows(
        query_ids=tuple(map(str, queries)),
        block_starts=np.cumsum([0, *lengths[:-1]]),
        block_query=np.array([place for place, _ in blocks]),
        run_scores=np.array([score for *_, score in rows]),
        docs=Ids.of(doc for _, doc, _ in rows),
    )


def as_compared(score, rule):
    return float(compared_scores(np.array([score]), rule)[0])


def plain_order(rows, rule):
    """Row numbers in rank order, by the definition."""
    queries = list(dict.fromkeys(query for query, *_ in rows))
    order = list(range(len(rows)))
    if rule != "file":
        order.sort(key=lambda row: rows[row][1].encode(), reverse=True)
    order.sort(key=lambda row: -as_compared(rows[row][2], rule))
    return sorted(order, key=lambda row: queries.index(rows[row][0]))


def order_of(rows, rule):
    ranking = rank_rows(run_rows(rows), rule)
    return list(range(len(rows))) if ranking.order is None else ranking.order.tolist(), ranking.bounds.tolist()


@pytest.mark.parametrize("rule", TIE_RULES)
@given(rows=ROWS)
def test_order(rule, rows):
    order, bounds = order_of(rows, rule)
    assert order == plain_order(rows, rule)
    queries = [row[0] for row in rows]
    counts = [queries.count(query) for query in dict.fromkeys(queries)]
    assert bounds == np.cumsum([0, *counts]).tolist()


@pytest.mark.parametrize("rule", TIE_RULES)
def test_all_tied(rule):
    rows = [(0, f"d{number}", 1.0) for number in range(300)]
    expected = list(range(300)) if rule == "file" else sorted(range(300), key=lambda row: rows[row][1], reverse=True)
    assert order_of(rows, rule)[0] == expected


def test_float32():
    """Checked with trec_eval 9 and 10.0: the first takes these scores for equal, the second does not."""
    rows = [(0, "a", 31.0501639782451), (0, "b", 31.0501639782450)]
    assert {rule: order_of(rows, rule)[0] for rule in ("trec_eval", "float32", "file")} == {
        "trec_eval": [0, 1], "float32": [1, 0], "file": [0, 1],
    }  # fmt: skip


def test_a_run_in_order_is_left_alone():
    rows = [(0, "b", 2.0), (0, "a", 2.0), (0, "c", 1.0), (1, "a", 5.0)]
    assert rank_rows(run_rows(rows), "trec_eval").order is None


@given(ROWS, st.sampled_from(list(TIE_RULES)), st.integers(0, 6))
def test_ties_at_the_depth(rows, rule, depth):
    order, bounds = order_of(rows, rule)
    scores = [as_compared(rows[row][2], rule) for row in order]
    lists = [scores[begin:end] for begin, end in pairwise(bounds)]
    tied = ties_within(np.array(scores), np.array(bounds))
    expected = [0 < depth < len(found) and found[depth - 1] == found[depth] for found in lists]
    assert tied_at(np.array(bounds), tied, depth).tolist() == expected
    assert is_descending_within(np.array(scores), np.array(bounds))


def test_descending_within():
    scores, bounds = np.array([3.0, 2.0, 2.0, 9.0, 1.0]), np.array([0, 3, 5])
    assert is_descending_within(scores, bounds)
    assert not is_descending_within(scores, np.array([0, 5]))


def test_rules_by_name():
    assert [checked_tie_rule(rule) for rule in TIE_RULES] == ["trec_eval", "float32", "file"]
    with pytest.raises(UsageError) as caught:
        checked_tie_rule("alphabetical")
    assert str(caught.value) == (
        "tie rule 'alphabetical' is unknown; expected one of trec_eval, float32, file; choose one of these"
    )
