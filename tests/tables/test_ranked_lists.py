"""Ranked lists: parts joined are the whole; several threads find the same; duplicates are counted."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from runoff.files import read_qrels
from runoff.rows import SCORE, parse_rows
from runoff.tables import ranked_lists
from runoff.tables.ranked_lists import ALL, ListRequest, RankedLists, rank_batches
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
