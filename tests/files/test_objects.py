"""What other libraries hold in memory, by objects that offer what theirs do; theirs themselves under `proof`."""

from typing import Any, NamedTuple

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from runoff.errors import InputError
from runoff.files.objects import OBJECT_FORMS, columns_of, is_table, own_name
from runoff.reading.sources import as_qrels, as_run, as_runs
from tests.files.samples import problems_of

ROWS = [("q1", "d2", 2.5), ("q1", "d1", 1.5), ("q2", "d3", 0.1)]
GRADES = [("q1", "d1", 1), ("q1", "d2", 0)]
RECORDS = [dict(zip(("qid", "docno", "score"), row, strict=True)) for row in ROWS]
PyTerrier = pd.DataFrame([{**record, "docid": 7, "rank": 0, "query": "some words"} for record in RECORDS])


class Qrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class ScoredDoc(NamedTuple):
    query_id: str
    doc_id: str
    score: float


class Backwards(NamedTuple):
    score: float
    docno: str
    qid: str


class Dataset:
    """As one of Hugging Face: columns by name, `column_names` instead of `columns`."""

    def __init__(self, frame):
        self._frame = frame
        self.column_names = list(frame.columns)

    def __getitem__(self, name):
        return iter(self._frame[name].to_list())


class Irds:
    """As a dataset of ir_datasets."""

    def __init__(self, qrels=(), scored=()):
        self.qrels, self.scored = qrels, scored

    def has_qrels(self):
        return bool(self.qrels)

    def has_scoreddocs(self):
        return bool(self.scored)

    def qrels_iter(self):
        return (Qrel(query, doc, grade, "0") for query, doc, grade in self.qrels)

    def scoreddocs_iter(self):
        return (ScoredDoc(*row) for row in self.scored)


class Ranx:
    """As a run of ranx, which is known by its module."""

    name = "bm25"

    def to_dict(self):
        return {"q1": {"d2": 2.5, "d1": 1.5}, "q2": {"d3": 0.1}}


Ranx.__module__ = "ranx.data_structures.run"

RUNS: dict[str, Any] = {
    "pyarrow": pa.Table.from_pylist(RECORDS),
    "pyarrow batch": pa.RecordBatch.from_pylist(RECORDS),
    "Hugging Face": Dataset(pl.DataFrame(RECORDS)),
    "PyTerrier": PyTerrier,
    "Polars": pl.DataFrame(RECORDS),
    "Polars, lazy": pl.LazyFrame(RECORDS),
    "ranx": Ranx(),
    "ir_datasets": Irds(scored=ROWS),
    "dicts": RECORDS,
    "named tuples in another order": [Backwards(score, doc, query) for query, doc, score in ROWS],
    "tuples": ROWS,
    "pytrec_eval": Ranx().to_dict(),
}


@pytest.mark.parametrize("form", RUNS)
def test_runs(form):
    assert list(as_run(RUNS[form])) == ROWS


@pytest.mark.parametrize("form", RUNS)
def test_each_is_one_run(form):
    assert len(as_runs(RUNS[form])[0]) == len(as_runs([RUNS[form]])[0]) == 1
    assert is_table(RUNS[form])


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"query-id": ["q1", "q1"], "corpus-id": ["d1", "d2"], "score": [1, 0]}),
        pd.DataFrame(GRADES, columns=["query-id", "corpus-id", "score"]),
        pl.DataFrame(GRADES, schema=["qid", "docno", "label"], orient="row"),
        Irds(qrels=GRADES),
        Dataset(pl.DataFrame(GRADES, schema=["query_id", "doc_id", "relevance"], orient="row")),
        {"q1": {"d1": 1.0, "d2": 0}},
    ],
    ids=["BEIR in pyarrow", "BEIR in pandas", "PyTerrier", "ir_datasets", "Hugging Face", "pytrec_eval"],
)
def test_qrels(table):
    assert list(as_qrels(table)) == GRADES


def test_lists_of_runs_are_no_run():
    assert len(as_runs([{"q": {"d": 1.0}}, {"q": {"d": 2.0}}])[0]) == 2
    assert len(as_runs([PyTerrier, RUNS["pyarrow"], Ranx()])[0]) == 3
    assert len(as_runs(["a.run", "b.run", "c.run"])[0]) == 3


def test_a_run_of_ranx_keeps_its_name():
    assert (as_run(Ranx()).name, own_name(Ranx()), own_name(PyTerrier)) == ("bm25", "bm25", None)
    runs: list[Any] = [Ranx(), {"q": {"d": 1.0}}]
    assert as_runs(runs)[1] == ["bm25", "run 2"]


@pytest.mark.parametrize(
    "read, table, problem",
    [
        (as_run, {"test": pl.DataFrame(RECORDS)}, "'test' is a table of its own; expected one table; choose a part of"),
        (
            as_run,
            {"default": {"test": {"q": {"d": 1.0}}}},
            "'default' holds dicts of dicts; expected {query: {document",
        ),
        (as_qrels, Irds(scored=ROWS), "this dataset has no qrels"),
        (as_run, Irds(qrels=GRADES), "this dataset has no scored documents"),
        (as_run, [RECORDS[0], ("q", "d", 1)], ":2: a tuple is not a row; expected a dict with named fields"),
        (as_run, [RECORDS[0], {"qid": "q"}], "document 'None' cannot be an id"),
        (as_run, 7, "a int is not a table; expected a frame"),
        (as_run, {"q1": {"d1": 1, "d2": 0, "d3": 0}, "q2": {"d1": 2}}, "this looks like qrels; expected the scores"),
        (as_run, [("q1", "d1", 1), ("q1", "d2", 1)], "check the order of runs and qrels"),
        (
            as_run,
            type("Qrels", (Ranx,), {"__module__": "ranx"})(),
            "the Qrels of ranx; expected its Run; check the order",
        ),
        (
            as_qrels,
            type("Run", (Ranx,), {"__module__": "ranx"})(),
            "the Run of ranx; expected its Qrels; check the order",
        ),
    ],
)
def test_faults(read, table, problem):
    assert problem in "\n".join(problems_of(read, table))


def test_the_list_of_forms():
    assert len({form.name for form in OBJECT_FORMS}) == len(OBJECT_FORMS)
    with pytest.raises(InputError):
        columns_of(object(), "run", "x")


def test_whole_scores_that_differ_within_each_query_are_a_run():
    assert list(as_run({"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 2}})) == [
        ("q1", "d1", 2),
        ("q1", "d2", 1),
        ("q2", "d1", 2),
    ]
    assert list(as_run({"q1": {"d1": 1.0, "d2": 1.0}})) == [("q1", "d2", 1), ("q1", "d1", 1)]
