"""Kinds of input and what happens to each: the rows of the table in docs/reference/files.md, one test each."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, NamedTuple

import pandas as pd
import polars as pl
import pyarrow as pa

from runoff.files import streams

TREC = b"q Q0 a 1 2.5 t\nq Q0 b 2 1 t\n"
QRELS = b"q 0 a 1\nq 0 b 0\n"
ROWS = [("q", "a", 2.5), ("q", "b", 1.0)]
GRADES = [("q", "a", 1), ("q", "b", 0)]
NESTED = {"q": {"a": 2.5, "b": 1.0}}
RECORDS = [{"qid": "q", "docno": doc, "score": score} for _, doc, score in ROWS]
LABELS = [{"qid": "q", "docno": doc, "label": grade} for _, doc, grade in GRADES]
UMBRELA = {"model": "m", "query": "x", "passage": "y", "prompt": "", "prediction": "", "result_status": 1}


class ScoredDoc(NamedTuple):
    query_id: str
    doc_id: str
    score: float


@dataclass(frozen=True)
class InputKind:
    """One kind of input.

    name  what it is, as the table calls it
    asked what it is read as
    made  makes it
    gives what happens: read as the sample run or qrels, or an error with these words
    """

    name: str
    asked: Literal["run", "qrels"]
    made: Callable[[], Any]
    gives: str = ""


def _parquet(rows: Any) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(rows).write_parquet(file)
    return file.getvalue()


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _lines(records: list[Mapping[str, object]] | list[dict[str, Any]]) -> bytes:
    return b"".join(_json(record) + b"\n" for record in records)


RUN_KINDS = (
    InputKind("TREC run", "run", lambda: TREC),
    InputKind("TREC run with a tag of several words", "run", lambda: TREC.replace(b" t\n", b" t t t\n")),
    InputKind(
        "TREC run with tabs, CRLF, comments and a byte order mark",
        "run",
        lambda: b"\xef\xbb\xbf# x\r\n" + TREC.replace(b" ", b"\t").replace(b"\n", b"\r\n"),
    ),
    InputKind("gzip", "run", lambda: gzip.compress(TREC)),
    InputKind("bzip2", "run", lambda: bz2.compress(TREC)),
    InputKind("xz", "run", lambda: lzma.compress(TREC)),
    InputKind("zstd", "run", lambda: import_module(streams._ZSTD).compress(TREC)),
    InputKind("an open binary file", "run", lambda: io.BytesIO(TREC)),
    InputKind("Parquet", "run", lambda: _parquet(RECORDS)),
    InputKind("CSV with a header", "run", lambda: b"qid,docno,score\nq,a,2.5\nq,b,1\n"),
    InputKind("TSV with a header", "run", lambda: b"query-id\tcorpus-id\tscore\nq\ta\t2.5\nq\tb\t1\n"),
    InputKind("TREC run with a header", "run", lambda: b"qid Q0 docno rank score tag\n" + TREC),
    InputKind("CSV with semicolons and quotes", "run", lambda: b'"Query ID";"Doc ID";"Score"\nq;"a";2.5\nq;b;1\n'),
    InputKind("JSON by query (ranx, pytrec_eval)", "run", lambda: _json(NESTED)),
    InputKind(
        "MTEB's predictions",
        "run",
        lambda: _json({"mteb_model_meta": {"model_name": "m", "revision": "r"}, "default": {"test": NESTED}}),
    ),
    InputKind("MTEB's predictions by split alone", "run", lambda: _json({"test": NESTED})),
    InputKind("JSON Lines", "run", lambda: _lines(RECORDS)),
    InputKind("a list of JSON objects", "run", lambda: _json(RECORDS)),
    InputKind("a dict of dicts", "run", lambda: NESTED),
    InputKind("tuples", "run", lambda: ROWS),
    InputKind("named tuples (ir_measures)", "run", lambda: [ScoredDoc(*row) for row in ROWS]),
    InputKind("dicts with a row each", "run", lambda: RECORDS),
    InputKind("Polars frame", "run", lambda: pl.DataFrame(RECORDS)),
    InputKind("Polars frame, lazy", "run", lambda: pl.LazyFrame(RECORDS)),
    InputKind("pandas frame of PyTerrier", "run", lambda: pd.DataFrame(RECORDS).assign(docid=7, rank=0, query="words")),
    InputKind("pandas frame with an index", "run", lambda: pd.DataFrame(RECORDS).set_index(["qid", "docno"])),
    InputKind("pyarrow table", "run", lambda: pa.Table.from_pylist(RECORDS)),
)
QRELS_KINDS = (
    InputKind("TREC qrels", "qrels", lambda: QRELS),
    InputKind("TREC qrels with grades such as 1.0", "qrels", lambda: b"q 0 a 1.0\nq 0 b 0.0\n"),
    InputKind("three columns with small whole grades", "qrels", lambda: b"q a 1\nq b 0\n"),
    InputKind("BEIR's qrels", "qrels", lambda: b"query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\t0\n"),
    InputKind(
        "BEIR's qrels in Parquet",
        "qrels",
        lambda: _parquet({"query-id": ["q", "q"], "corpus-id": ["a", "b"], "score": [1, 0]}),
    ),
    InputKind("Quepid's ratings", "qrels", lambda: b"query,docid,rating\nr\nq,a,1\nq,b,0\n"),
    InputKind(
        "OpenSearch's judgments",
        "qrels",
        lambda: _json(
            {
                "judgmentRatings": [
                    {"query": "q", "ratings": [{"docId": doc, "rating": f"{grade}.000"} for _, doc, grade in GRADES]}
                ]
            }
        ),
    ),
    InputKind(
        "umbrela's judgments with ids",
        "qrels",
        lambda: _lines([{**UMBRELA, "qid": "q", "docid": doc, "judgment": grade} for _, doc, grade in GRADES]),
    ),
    InputKind("JSON by query", "qrels", lambda: _json({"q": {"a": 1, "b": 0}})),
    InputKind("JSON Lines", "qrels", lambda: _lines(LABELS)),
    InputKind("pandas frame of PyTerrier", "qrels", lambda: pd.DataFrame(LABELS)),
)
REFUSED = (
    InputKind("qrels where a run is expected", "run", lambda: QRELS, "this looks like a qrels file"),
    InputKind("a run where qrels are expected", "qrels", lambda: TREC, "this looks like a run file"),
    InputKind(
        "BEIR's qrels where a run is expected",
        "run",
        lambda: b"query-id\tcorpus-id\tscore\nq\ta\t1\n",
        "this looks like qrels of BEIR",
    ),
    InputKind(
        "a run with BEIR's names where qrels are expected",
        "qrels",
        lambda: b"query-id\tcorpus-id\tscore\nq\ta\t2.5\n",
        "this looks like a run",
    ),
    InputKind(
        "three columns that are not ranks 1 to n, as a run",
        "run",
        lambda: b"q a 12.5\nq b 11\n",
        "are these ranks, scores or grades?",
    ),
    InputKind(
        "three columns with ranks, as qrels",
        "qrels",
        lambda: b"q a 1\nq b 2\n",
        "are these grades, or the ranks or scores of a run?",
    ),
    InputKind(
        "CSV without a header",
        "run",
        lambda: b"q,a,2.5\nq,b,1\n",
        "put the line 'query_id,doc_id,score' above",
    ),
    InputKind(
        "JSON qrels where a run is expected",
        "run",
        lambda: _json({"q": {"a": 1, "b": 0, "c": 0}}),
        "this looks like qrels",
    ),
    InputKind(
        "JSON with a list for each query",
        "run",
        lambda: _json({"q": ["a", "b"]}),
        "'q' has a list; expected a number for every document of a query",
    ),
    InputKind("a zip archive", "run", lambda: b"PK\x03\x04", "is a zip archive; expected a run or qrels"),
    InputKind("a tar archive", "run", lambda: gzip.compress(b"x" * 257 + b"ustar"), "is a tar archive"),
    InputKind("text in UTF-16", "qrels", lambda: QRELS.decode().encode("utf-16"), "is text in UTF-16"),
    InputKind("an Arrow file", "qrels", lambda: b"\xff" * 4 + b"\x30\2\0\0", "is an Arrow file"),
    InputKind("a pickle", "run", lambda: pickle.dumps(NESTED), "is a Python pickle"),
    InputKind("a web page", "qrels", lambda: b"<!DOCTYPE html>\n<html>", "download the file itself"),
    InputKind("five columns", "run", lambda: b"q Q0 a 1 2.5\n", "unknown run format: the first line has 5 fields"),
    InputKind(
        "MTEB's predictions of several splits",
        "run",
        lambda: _json({"default": {"test": NESTED, "dev": NESTED}}),
        "'default/dev'; expected one of them; append its name to the path, such as FILE#default/test",
    ),
    InputKind(
        "umbrela's judgments without ids",
        "qrels",
        lambda: _lines([{**UMBRELA, "judgment": 1}]),
        "expected 'qid' and 'docid' in every record",
    ),
    InputKind(
        "umbrela's judgments that were not understood",
        "qrels",
        lambda: _lines([{**UMBRELA, "qid": "q", "docid": "a", "judgment": 0, "result_status": 0}]),
        "umbrela did not understand the answer",
    ),
    InputKind(
        "JSON by columns (`to_json` of pandas)",
        "run",
        lambda: _json({"qid": {"0": "q"}, "docno": {"0": "a"}, "score": {"0": 1}}),
        "write it with pandas as to_json(orient='records', lines=True)",
    ),
    InputKind("JSON that is cut off", "run", lambda: _json(NESTED)[:-3], "not JSON here"),
    InputKind(
        "JSON with brackets 100,000 deep",
        "run",
        lambda: b'{"q": {"a": ' + b"[" * 100_000,
        "too many levels of brackets",
    ),
    InputKind(
        "a header without a column that is needed",
        "run",
        lambda: b"qid,docno,mood\nq,a,good\n",
        "no column for 'run_score' among 'qid', 'docno', 'mood'",
    ),
    InputKind(
        "a score that is text, nan or infinite",
        "run",
        lambda: b"q Q0 a 1 nan t\n",
        "score 'nan' is not a finite number",
    ),
    InputKind("a grade beyond 127", "qrels", lambda: b"q 0 a 128\n", "grade '128' is not a number from -127 to 127"),
    InputKind("a line with other fields", "run", lambda: TREC + b"q Q0 c\n", ":3: 3 fields; expected 6"),
    InputKind(
        "a document listed twice",
        "run",
        lambda: TREC + TREC[:15],
        ":3: document 'a' is listed twice for query 'q', first in line 1",
    ),
    InputKind(
        "a document judged twice",
        "qrels",
        lambda: QRELS + QRELS[:8],
        ":3: document 'a' is judged twice for query 'q', first in line 1",
    ),
    InputKind("bytes that are not UTF-8", "run", lambda: TREC + b"q Q0 \xff 3 0 t\n", ":3: bytes that are not UTF-8"),
    InputKind("a control character", "run", lambda: TREC + b"q Q0 \x01 3 0 t\n", ":3: control character 0x01"),
    InputKind(
        "a compressed file that is cut off",
        "run",
        lambda: gzip.compress(TREC)[:-9],
        "the compressed file ends too early",
    ),
    InputKind("an empty file", "run", lambda: b"", "the file is empty"),
    InputKind("a path that does not exist", "run", lambda: "no-such.run", "no such file"),
    InputKind("a dict of lists", "run", lambda: {"q": ["a"]}, "expected a dict {document: number}"),
    InputKind("an empty path", "run", lambda: "", "an empty path"),
    InputKind("the content of a file as a path", "run", TREC.decode, "give what a file holds as bytes"),
    InputKind("a pattern that fits no file", "run", lambda: "no-such-*.run", "no file has such a name"),
    InputKind(
        "a dict of MTEB's predictions",
        "run",
        lambda: {"default": {"test": NESTED}},
        "choose a part, such as ['default']",
    ),
    InputKind("numbers as text in a frame", "run", lambda: pd.DataFrame(RECORDS).astype(str), "is text"),
    InputKind("a dict of frames", "run", lambda: {"test": pl.DataFrame(RECORDS)}, "is a table of its own"),
    InputKind("a number", "run", lambda: 7, "a int is not a table"),
)
ALL_KINDS = (*RUN_KINDS, *QRELS_KINDS, *REFUSED)


def render_kinds() -> str:
    """The table of the documentation."""
    lines = ["| kind | asked for as | what happens |", "|---|---|---|"]
    for kind in ALL_KINDS:
        happens = f"refused: `{kind.gives}`" if kind.gives else "read"
        lines.append(f"| {kind.name} | {kind.asked} | {happens} |")
    return "\n".join(lines) + "\n"
