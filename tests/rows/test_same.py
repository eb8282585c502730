"""The compiled module gives the same answers as the reference implementation, byte for byte."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.rows import reference, reference_lines
from tests.rows.implementations import (
    IMPLEMENTATIONS,
    assert_same,
    batch_outcome,
    compiled,
    decimals_outcome,
    judged_of,
    judged_outcome,
    lists_outcome,
    needs_compiled,
    parsed,
    ranked_outcome,
    split_outcome,
)
from tests.rows.samples import (
    IDS,
    PADDING,
    SHORT,
    SHORT_GRADES,
    SHORT_RANKS,
    TREC,
    TREC_RANKS,
    column,
    few_ids,
    ids,
    random_lines,
    random_numbers,
    texts,
    tokens,
)

CONSTANTS = [
    "PADDING", "MOST_FAULTS", "CONTROL", "NOT_UTF8", "WIDTH", "NUMBER", "TREC_EVAL", "FLOAT32", "FILE", "DOC_ASCENDING",
    "UNRANKED", "ERROR", "FIRST", "BEST", "SCORE", "RANK", "GRADE", "HIGHEST_GRADE",
]  # fmt: skip
PADDINGS = st.sampled_from([bytes(PADDING), b"9" * PADDING, b" " * PADDING, b"\xff" * PADDING, b"q\n" * PADDING])
JUDGMENTS = st.lists(few_ids | ids, unique=True, max_size=6).flatmap(
    lambda queries: st.tuples(
        st.just(queries),
        st.lists(st.tuples(st.integers(0, max(len(queries) - 1, 0)), few_ids | ids), max_size=30 if queries else 0),
    )
)
TABLES = st.lists(JUDGMENTS.map(lambda table: (table[0], list(dict.fromkeys(table[1])))), max_size=2)


@st.composite
def batched(draw, width, layouts):
    """Texts of batches, from a text that is cut between lines, and a layout."""
    lines = draw(texts(width))
    cuts = [0, *sorted(draw(st.lists(st.integers(0, len(lines)), max_size=3))), len(lines)]
    return [b"".join(lines[start:end]) for start, end in pairwise(cuts)], draw(st.sampled_from(layouts))


BATCHED = batched(3, [SHORT, SHORT_RANKS, SHORT_GRADES]) | batched(6, [TREC, TREC_RANKS])
SCORES = st.floats() | st.sampled_from([1.0, 1.00000001, 0.0, -0.0, 1e39, 1e300])
DEPTHS = st.sampled_from([-1, 0, 1, 2, 3, 1000])
OPTIONS = st.tuples(DEPTHS, DEPTHS, st.integers(0, 4), st.integers(0, 2))
"""Depth, top, tie rule and duplicates."""


@needs_compiled
def test_the_constants_are_the_same():
    assert [getattr(compiled, name) for name in CONSTANTS] == [getattr(reference, name) for name in CONSTANTS]


@needs_compiled
@given(
    lines=texts(3) | texts(6),
    before=st.sampled_from([b"", b"q", b"x y z\n"]),
    padding=PADDINGS,
    width=st.sampled_from([1, 2, 3, 6]),
    open_end=st.booleans(),
)
@settings(max_examples=400)
def test_fields(lines, before, padding, width, open_end):
    text = b"".join(lines)
    begin, end = len(before), len(before + text)
    assert_same(lambda module: split_outcome(module, before + text + padding, begin, end, width, open_end))


@needs_compiled
@given(some=st.lists(tokens, max_size=60), padding=PADDINGS)
@settings(max_examples=200)
def test_decimals(some, padding):
    assert_same(lambda module: decimals_outcome(module, some, padding))


@needs_compiled
def test_many_decimals():
    numbers = random_numbers(np.random.default_rng(1), 50_000)
    assert_same(lambda module: decimals_outcome(module, numbers))


def queries_of(text, query_column):
    """(start of the line, query) of all lines with content; None for the query of a line that is no good row."""
    start = 0
    for line in text.split(b"\n"):
        fields = bytes(max(byte, 32) for byte in line).split()
        if fields and not fields[0].startswith(b"#"):
            is_good = query_column < len(fields) and reference_lines._byte_fault(line) is None
            yield start, fields[query_column] if is_good else None
        start += len(line) + 1


@pytest.mark.parametrize("module", IMPLEMENTATIONS)
@given(
    lines=texts(3, max_lines=8),
    before=st.sampled_from([b"", b"q d 1\n"]),
    padding=PADDINGS,
    query_column=st.integers(0, 2),
)
def test_blocks_are_not_cut(module, lines, before, padding, query_column):
    text = b"".join(lines)
    begin, end = len(before), len(before + text)
    cut = module.block_start(before + text + padding, begin, end, query_column) - begin
    assert cut == 0 or (0 < cut <= len(text) and text[cut - 1 : cut] == b"\n")
    for (start, query), (next_start, next_query) in pairwise(queries_of(text, query_column)):
        assert not start < cut <= next_start or query is None or query != next_query


@needs_compiled
@given(sample=BATCHED, keep=st.booleans(), padding=PADDINGS)
@settings(max_examples=120)
def test_batches(sample, keep, padding):
    some, layout = sample

    def outcome(module):
        batches = [parsed(module, text, layout, keep=keep, padding=padding) for text in some]
        return {f"batch {number}": batch_outcome(batch) for number, batch in enumerate(batches)}

    assert_same(outcome)


@needs_compiled
@given(
    sample=BATCHED,
    keep=st.booleans(),
    tables=TABLES,
    options=OPTIONS,
    part=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
@settings(max_examples=200)
def test_ranked_lists(sample, keep, tables, options, part):
    some, layout = sample

    def outcome(module):
        lists = module.group([parsed(module, text, layout, keep=keep) for text in some])
        first, last = sorted(round(share * lists.queries) for share in part)
        judged = tuple(judged_of(module, table) for table in tables)
        everything = ranked_outcome(lists.rank(0, lists.queries, judged, *options))
        some_lists = ranked_outcome(lists.rank(first, last, judged, *options))
        return {**lists_outcome(lists), **everything, **{f"part {name}": some_lists[name] for name in some_lists}}

    assert_same(outcome)


@needs_compiled
@given(
    rows=st.lists(st.tuples(few_ids | st.binary(max_size=3), ids | st.binary(max_size=20), SCORES), max_size=40),
    cut=st.integers(0, 40),
    options=OPTIONS,
)
def test_columns(rows, cut, options):
    def batch(module, some):
        queries, docs, scores = ([row[place] for row in some] for place in range(3))
        return module.columns_batch(*column(queries), *column(docs), np.array(scores, dtype=np.float64))

    def outcome(module):
        batches = [batch(module, rows[:cut]), parsed(module, b"a b 1\nb a 1\n", SHORT), batch(module, rows[cut:])]
        lists = module.group(batches)
        ranked = ranked_outcome(lists.rank(0, lists.queries, (), *options))
        return {**batch_outcome(batches[0]), **lists_outcome(lists), **ranked}

    assert_same(outcome)


@needs_compiled
@settings(max_examples=200)
@given(
    judgments=JUDGMENTS,
    docs=st.lists(st.tuples(st.integers(-1, 5), few_ids | ids | st.binary(max_size=9)), max_size=40),
)
def test_judgments(judgments, docs):
    asked = [(place, doc) for place, doc in docs if place < len(judgments[0])]
    assert_same(lambda module: judged_outcome(judged_of(module, judgments), asked))


def random_judgments(rng, size):
    """Judgments of some of the queries and documents that random lines have."""
    queries = [*IDS, *(b"q%d" % number for number in range(0, 60, 2)), b"other"]
    docs = [*IDS, *(b"doc%d" % number for number in rng.integers(0, 2 * size, size).tolist())]
    pairs = zip(rng.integers(0, len(queries), size).tolist(), rng.integers(0, len(docs), size).tolist(), strict=True)
    return queries, list(dict.fromkeys((place, docs[doc]) for place, doc in pairs))


def assert_same_ranking(rng, count):
    """Both implementations read, group and rank random lines in the same way."""
    text = random_lines(rng, count)
    ends = [0, *(np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == 10) + 1).tolist()]
    cuts = [0, *np.sort(rng.choice(ends, rng.integers(0, 4))).tolist(), len(text)]
    pieces = [text[start:end] for start, end in pairwise(cuts)]
    layout = TREC if rng.random() < 0.8 else TREC_RANKS
    options = (int(rng.integers(-1, 30)), int(rng.integers(-1, 30)), int(rng.integers(4)), int(rng.integers(3)))
    tables = [random_judgments(rng, size) for size in (count // 4 + 1, 10)]

    def outcome(module):
        batches = [parsed(module, piece, layout) for piece in pieces]
        lists = module.group(batches)
        judged = tuple(judged_of(module, table) for table in tables)
        counts = {f"batch {number}": batch_outcome(batch) for number, batch in enumerate(batches)}
        fields = split_outcome(module, pieces[0] + bytes(PADDING), 0, len(pieces[0]), *layout[:2])
        ranked = ranked_outcome(lists.rank(0, lists.queries, judged, *options))
        return {**counts, **fields, **lists_outcome(lists), **ranked}

    assert_same(outcome)


@needs_compiled
def test_random_lines():
    for seed in range(200):
        assert_same_ranking(np.random.default_rng(seed), 200)


@needs_compiled
@pytest.mark.proof
def test_ten_million_random_lines():
    for seed in range(2_000):
        assert_same_ranking(np.random.default_rng([7, seed]), 5_000)


@needs_compiled
def test_threads_may_rank_at_a_time():
    rng = np.random.default_rng(3)
    text, table = random_lines(rng, 20_000), random_judgments(rng, 2_000)
    lists = compiled.group([parsed(compiled, text, TREC)])
    judged = (judged_of(compiled, table),)
    expected_lists = reference.group([parsed(reference, text, TREC)])
    expected_judged = (judged_of(reference, table),)

    def ranked(query):
        return ranked_outcome(lists.rank(query, query + 1, judged, 10, 5, reference.TREC_EVAL, reference.BEST))

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(ranked, [*range(lists.queries)] * 5))
    for query in range(lists.queries):
        expected = ranked_outcome(expected_lists.rank(query, query + 1, expected_judged, 10, 5, 0, 2))
        for outcome in outcomes[query :: lists.queries]:
            for name, value in expected.items():
                np.testing.assert_equal(outcome[name], value, err_msg=name)
