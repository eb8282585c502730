"""Runs from any file, and the short way to SERPs against the long one and a plain one."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.files import read_qrels, read_run, read_serps, run_name
from runoff.files.runs import read_serps_and_top
from runoff.tables.ranked_lists import ListRequest
from tests.files.samples import (
    QRELS,
    RUN,
    TIE_RULES,
    chunks_of,
    contents,
    graded,
    judgments,
    problems_of,
    qrels_text,
    ranking,
    run_rows,
    run_text,
    table_of,
)

rules = pytest.mark.parametrize("tie_rule", TIE_RULES)
DEPTHS = st.sampled_from([None, 0, 1, 2, 5, 100])


@rules
@given(rows=run_rows())
def test_order_by_the_definition(tie_rule, rows):
    lists = ranking(rows, tie_rule)
    run = read_run(run_text(rows), tie_rule=tie_rule)
    assert list(run) == [(query, *entry) for query, found in lists.items() for entry in found]
    assert run.query_ids == tuple(lists)


@rules
@given(rows=run_rows(), grades=judgments, depth=DEPTHS, size=st.sampled_from([16, 61, 200, 1 << 20]))
def test_serps_by_the_definition(tie_rule, rows, grades, depth, size):
    data = run_text(rows)
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, size)
        qrels = read_qrels(qrels_text(grades))
        short = read_serps(data, qrels, depth=depth, tie_rule=tie_rule, threads=1)
        long = read_run(data, tie_rule=tie_rule).serps(qrels, depth=depth)
    assert table_of(short) == table_of(long) == graded(rows, grades, tie_rule, depth)
    judged_queries = {query for query, _ in grades}
    extra = len({row.query for row in rows} - judged_queries)
    for serps in (short, long):
        assert serps.extra_queries == extra
        assert serps.query_ids == qrels.query_ids
        assert serps.tie_rule == tie_rule
        assert serps.judged.sum() == len(grades)


@rules
@given(
    rows=run_rows(),
    labels=st.lists(judgments, min_size=1, max_size=3),
    depth=DEPTHS,
    top=st.sampled_from([0, 1, 2, 3, 10]),
    size=st.sampled_from([16, 61, 200, 1 << 20]),
)
def test_several_labels_and_the_top_in_one_reading(tie_rule, rows, labels, depth, top, size):
    for order in (rows, sorted(rows, key=lambda row: (row.query, -float(row.score)))):  # the second is in rank order
        data = run_text(order)
        with pytest.MonkeyPatch.context() as patch:
            chunks_of(patch, size)
            qrels = [read_qrels(qrels_text(grades)) for grades in labels]
            request = ListRequest(labels=tuple(qrels), top=top, depth=depth, tie_rule=tie_rule)
            serps, best = read_serps_and_top(data, request, threads=1)
            whole = read_run(data, tie_rule=tie_rule)
        assert [table_of(one) for one in serps] == [graded(order, grades, tie_rule, depth) for grades in labels]
        if not top:
            assert best is None
            continue
        expected = whole.top(top)
        assert best is not None
        assert list(best) == list(expected)
        assert (best.name, best.query_ids, best.tie_rule) == (expected.name, expected.query_ids, tie_rule)
        assert best.bounds.tolist() == expected.bounds.tolist()


@pytest.mark.parametrize("threads", [1, 4])
def test_serps_of_a_larger_run(threads, monkeypatch):
    """Many queries and documents, ties, unsorted lists, chunks that cut everywhere."""
    rng = np.random.default_rng(1)
    rows = [(f"q{query}", f"d{doc}", f"{score:.2f}") for query in range(40) for doc, score in
            zip(rng.choice(500, 60, replace=False), rng.integers(0, 500, 60) / 100, strict=True)]  # fmt: skip
    grades = {
        (f"q{query}", f"d{doc}"): int(rng.integers(0, 4)) for query in range(0, 45, 2) for doc in range(0, 500, 3)
    }
    text = "".join(f"{query} Q0 {doc} 1 {score} t\n" for query, doc, score in rows).encode()
    qrels = read_qrels(qrels_text(grades))
    whole = read_serps(text, qrels, depth=10)
    chunks_of(monkeypatch, 1000)
    parts = read_serps(text, qrels, depth=10, threads=threads)
    assert table_of(whole) == table_of(parts) == table_of(read_run(text).serps(qrels, depth=10))
    order = sorted(
        (row for row in rows if row[0] == "q2"), key=lambda row: (float(row[2]), row[1].encode()), reverse=True
    )
    assert parts.grades[1].tolist() == [grades.get(("q2", doc), -1) for _, doc, _ in order[:10]]


def test_ties_that_only_float32_sees():
    """trec_eval 9 holds scores as float32 and takes these two for equal; trec_eval 10.0 does not."""
    data = b"q Q0 a 1 31.0501639782451 t\nq Q0 b 2 31.0501639782450 t\n"
    orders = {rule: [doc for _, doc, _ in read_run(data, tie_rule=rule)] for rule in TIE_RULES}
    assert orders == {
        "trec_eval": ["a", "b"], "float32": ["b", "a"], "file": ["a", "b"], "doc_ascending": ["a", "b"],
    }  # fmt: skip
    qrels = read_qrels(b"q 0 a 1\n")
    for rule, tied in (("trec_eval", False), ("float32", True)):
        assert read_serps(data, qrels, depth=1, tie_rule=rule).depth_tied.tolist() == [tied]


def test_scores_beyond_float32():
    data = b"q Q0 a 1 1e300 t\nq Q0 b 2 1e200 t\nq Q0 c 3 -1e300 t\n"
    qrels = read_qrels(b"q 0 a 1\n")
    run = read_run(data, tie_rule="float32")
    assert [doc for _, doc, _ in run] == ["b", "a", "c"]
    assert (
        table_of(run.serps(qrels)) == table_of(read_serps(data, qrels, tie_rule="float32")) == [([-1, 1, -1], 3, False)]
    )


def test_unknown_tie_rule():
    for read in (lambda: read_run(RUN, tie_rule="x"), lambda: read_serps(RUN, read_qrels(QRELS), tie_rule="x")):
        with pytest.raises(
            UsageError,
            match=r"tie.rule.*'x' (cannot be used|is unknown); expected one of trec_eval, float32, file, doc_ascending",
        ):
            read()


def test_faults_are_the_same_on_both_ways():
    qrels = read_qrels(QRELS)
    for bad in (
        RUN + RUN,
        RUN + b"q Q0 d 1 x t\n",
        b"",
        b"a\n",
        RUN + b"q7 Q0 x 1 1 t\nq7 Q0 y 1 1 t\nq7 Q0 x 1 1 t\n",
    ):
        assert problems_of(read_serps, bad, qrels) == problems_of(read_run, bad)


def test_sources(tmp_path):
    file = tmp_path / "bm25.run.gz"
    file.write_bytes(gzip.compress(RUN))
    qrels = read_qrels(QRELS)
    expected = table_of(read_serps(RUN, qrels))
    with file.open("rb") as stream:
        assert table_of(read_serps(stream, qrels)) == expected
    assert table_of(read_serps(file, qrels)) == table_of(read_serps(str(file), qrels)) == expected
    assert contents(read_run(file)) == contents(read_run(RUN))


def test_names(tmp_path):
    assert [run_name(source) for source in ("a/bm25.run.gz", "x.zst", "run.tsv", "-", b"")] == [
        "bm25.run", "x", "run.tsv", "<stdin>", "<bytes>",
    ]  # fmt: skip
    assert read_run(RUN, name="mine").name == "mine"
    assert read_serps(RUN, read_qrels(QRELS), name="mine").run == "mine"


def test_robust03(shared_data):
    """All twelve runs are read without faults; the counts are those of `zcat | wc -l`."""
    counts = {"NLPR03vb10": 1004, "humR03dc": 10_000, "uic0301": 99_969}
    files = sorted((shared_data / "robust03").glob("input.*.gz"))
    qrels = read_qrels(shared_data / "robust03" / "qrels.txt.gz")
    assert len(files) == 12
    for file in files:
        serps = read_serps(file, qrels, depth=100)
        assert serps.retrieved.sum() == counts.get(file.name.split(".")[1], 100_000)
        assert (serps.missing_queries, serps.extra_queries) == (0, 0)


@rules
def test_robust03_against_plain_python(shared_data, tie_rule):
    folder = shared_data / "robust03"
    rows = [line.split() for line in gzip.decompress((folder / "input.uic0301.gz").read_bytes()).decode().splitlines()]
    judged = [line.split() for line in gzip.decompress((folder / "qrels.txt.gz").read_bytes()).decode().splitlines()]
    grades = {(query, doc): int(grade) for query, _, doc, grade in judged}
    lists: dict[str, list[tuple[float, bytes, str]]] = {}
    for query, _, doc, _, score, *_ in rows:
        number = float(np.float32(score)) if tie_rule == "float32" else float(score)
        lists.setdefault(query, []).append((number, b"" if tie_rule == "file" else doc.encode(), doc))
    serps = read_serps(folder / "input.uic0301.gz", read_qrels(folder / "qrels.txt.gz"), depth=50, tie_rule=tie_rule)
    for query, row in zip(serps.query_ids, serps.grades.tolist(), strict=True):
        best = sorted(lists[query], key=lambda entry: entry[:2], reverse=True)[:50]
        assert row == ([grades.get((query, doc), -1) for *_, doc in best] + [-2] * 50)[:50]


def test_runs_of_trec_eval(shared_data):
    folder = shared_data / "trec_eval"
    sizes = {"results.test": 1500, "results.trunc": 584, "prefs.results.test": 480, "results.comment.test.gz": 0}
    for name, size in sizes.items():
        data = (folder / name).read_bytes()
        lines = (gzip.decompress(data) if name.endswith(".gz") else data).splitlines()
        counted = sum(not line.startswith(b"#") for line in lines)
        assert len(read_run(folder / name)) == counted
        assert size in (0, counted)


def test_a_run_whose_first_field_is_padded_is_not_what_trec_eval_prints():
    row = b"q1".ljust(22) + b"\tQ0\td1 1 2.5 tag\n"
    assert list(read_run(row)) == [("q1", "d1", 2.5)]
