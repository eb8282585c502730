"""Ranked lists: parts joined are the whole; several threads find the same; duplicates are counted."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.choices import DUPLICATE_RULES, TIE_RULES
from runoff.errors import UsageError
from runoff.files import read_qrels
from runoff.rows import SCORE, columns_batch, parse_rows
from runoff.tables import Ids, ranked_lists
from runoff.tables.ranked_lists import (
    ALL,
    ListRequest,
    RankedLists,
    compared_scores,
    rank_batches,
    tied_at,
)
from tests.files.samples import table_of

LAYOUT = (3, False, 0, 1, 2, SCORE)
QRELS = read_qrels(b"p 0 b 2\nq 0 a 1\nq 0 z 1\nr 0 x 0\n")
TEXTS = [b"q a 1\nq b 2\nq c 2\n", b"p a 3\np b 3\nextra a 1\n"]


def batch_of(text):
    return parse_rows(text + bytes(64), 0, len(text), LAYOUT, True)


def everything(lists, request):
    hits = [getattr(one, name).tolist() for one in lists.hits for name in ("places", "lists", "ranks", "rows")]
    arrays = [getattr(lists, name).tolist() for name in ("lengths", "depth_tied", "top_scores", "top_bounds")]
    return lists.query_ids, hits, arrays, list(lists.top_docs), table_of(lists.serps(0, request, run="x"))


@pytest.mark.parametrize("top", [0, 1, 2, ALL])
@pytest.mark.parametrize("depth", [None, 1, 2])
def test_parts_joined_are_the_whole(top, depth):
    request = ListRequest(labels=(QRELS, QRELS.only(["q"])), depth=depth, top=top)
    whole = rank_batches([batch_of(text) for text in TEXTS], request)
    parts = RankedLists.joined([rank_batches([batch_of(text)], request) for text in TEXTS])
    assert everything(parts, request) == everything(whole, request)


def test_the_same_on_several_threads(monkeypatch):
    monkeypatch.setattr(ranked_lists, "_FEW_ROWS", 1)
    rng = np.random.default_rng(3)
    lines = [b"%d d%d %d\n" % (query, doc, rng.integers(5)) for query in range(40) for doc in range(20)]
    text = b"".join(lines[row] for row in rng.permutation(len(lines)))
    request = ListRequest(labels=(read_qrels(b"3 0 d1 1\n9 0 d2 2\n"),), depth=3, top=4)
    with ThreadPoolExecutor(4) as pool:
        threaded = rank_batches([batch_of(text)], request, mapper=pool.map)
    monkeypatch.setattr(ranked_lists, "_FEW_ROWS", 1 << 20)
    assert everything(threaded, request) == everything(rank_batches([batch_of(text)], request), request)


@pytest.mark.parametrize("rule, kept, dropped", [("first", [1.0, 2.0], 2), ("best", [3.0, 2.0], 2)])
def test_duplicates(rule, kept, dropped):
    lists = rank_batches(
        [batch_of(b"q a 1\nq b 2\nq a 3\n"), batch_of(b"q a 2\n")], ListRequest(top=ALL, duplicates=rule)
    )
    assert (sorted(lists.top_scores.tolist()), lists.dropped, lists.lengths.tolist()) == (sorted(kept), dropped, [2])
    assert lists.repeated_total == 0


def test_duplicates_that_are_an_error():
    lists = rank_batches([batch_of(b"q a 1\nq a 3\n"), batch_of(b"\nq a 2\n")], ListRequest())
    assert lists.repeated == [(0, 2, 0, 1, b"q", b"a"), (1, 2, 0, 1, b"q", b"a")]
    assert (lists.repeated_total, lists.dropped) == (2, 0)


SCORES = st.sampled_from([1.0, 2.0, 31.0501639782451, 31.0501639782450, -0.0, 0.0, -2.97, 1e300, 1e200, -1e300])
ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([*"abcdé", "a-long-document-id", "a" * 300]), SCORES),
    min_size=1, max_size=40, unique_by=lambda row: row[:2],
)  # fmt: skip


def ranked(rows, rule):
    """Rows (query, document, score) as ranked lists."""
    queries, docs = Ids.of(str(query) for query, *_ in rows), Ids.of(doc for _, doc, _ in rows)
    scores = np.array([score for *_, score in rows])
    batch = columns_batch(queries.text.padded_bytes, queries.bounds, docs.text.padded_bytes, docs.bounds, scores)
    return rank_batches([batch], ListRequest(top=ALL, tie_rule=rule))


def as_compared(score, rule):
    return float(compared_scores(np.array([score]), rule)[0])


def plain_order(rows, rule):
    """Row numbers in rank order, by the definition."""
    queries = list(dict.fromkeys(query for query, *_ in rows))
    order = list(range(len(rows)))
    if rule != "file":
        order.sort(key=lambda row: rows[row][1].encode(), reverse=rule != "doc_ascending")
    order.sort(key=lambda row: -as_compared(rows[row][2], rule))
    return sorted(order, key=lambda row: queries.index(rows[row][0]))


def order_of(rows, rule):
    lists = ranked(rows, rule)
    places = {(str(query), doc): place for place, (query, doc, _) in enumerate(rows)}
    queries = np.repeat(lists.query_ids, lists.lengths)
    found = [places[pair] for pair in zip(queries.tolist(), lists.top_docs, strict=True)]
    return found, lists.top_bounds.tolist()


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
    assert order_of(rows, rule)[0] == plain_order(rows, rule)


def test_float32():
    """Checked with trec_eval 9 and 10.0: the first takes these scores for equal, the second does not."""
    rows = [(0, "a", 31.0501639782451), (0, "b", 31.0501639782450)]
    assert {rule: order_of(rows, rule)[0] for rule in ("trec_eval", "float32", "file")} == {
        "trec_eval": [0, 1], "float32": [1, 0], "file": [0, 1],
    }  # fmt: skip


@given(ROWS, st.sampled_from(list(TIE_RULES)), st.integers(0, 6))
def test_ties_at_the_depth(rows, rule, depth):
    order, bounds = order_of(rows, rule)
    scores = [as_compared(rows[row][2], rule) for row in order]
    lists = [scores[begin:end] for begin, end in pairwise(bounds)]
    expected = [0 < depth < len(found) and found[depth - 1] == found[depth] for found in lists]
    assert tied_at(np.array(scores), np.array(bounds), depth).tolist() == expected


def test_rules_by_name():
    assert list(TIE_RULES) == ["trec_eval", "float32", "file", "doc_ascending"]
    with pytest.raises(UsageError) as caught:
        ListRequest(tie_rule="alphabetical")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "tie rule 'alphabetical' is unknown; expected one of trec_eval, float32, file, doc_ascending; "
        "choose one of these"
    )
    assert list(DUPLICATE_RULES) == ["error", "first", "best"]
    with pytest.raises(UsageError) as caught:
        ListRequest(duplicates="last")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "rule for duplicates 'last' is unknown; expected one of error, first, best; choose one of these"
    )
