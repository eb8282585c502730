"""Files with one fault or oddity each, for `runoff check`; every message that it has comes from one of them."""

from __future__ import annotations

import gzip

QRELS = b"q1 0 d1 1\nq1 0 d9 0\nq2 0 d2 1\nq2 0 d8 0\n"
RUN = b"q1 Q0 d1 1 3.5 a\nq1 Q0 d9 2 2.5 a\nq2 Q0 d2 1 3.5 a\nq2 Q0 d8 2 2.5 a\n"


def ranked(*rows: tuple[str, str, object, object], tag: str = "a") -> bytes:
    """A run of (query, document, rank, score) rows."""
    return "".join(f"{query} Q0 {doc} {rank} {score} {tag}\n" for query, doc, rank, score in rows).encode()


FAULTY_RUNS: dict[str, bytes] = {
    "fields.run": RUN + b"q2 Q0 d3\n",
    "score.run": RUN.replace(b" 2.5 ", b" nan ", 1),
    "rank.tsv": b"q1\td1\tfirst\n",
    "twice.run": RUN + b"q2 Q0 d2 3 1.5 a\n",
    "control.run": RUN.replace(b"d9", b"d\x009"),
    "latin1.run": RUN.replace(b"d9", b"d\xe9"),
    "utf16.run": RUN.decode().encode("utf-16-le").join([b"\xff\xfe", b""]),
    "trec_eval.run": b"map                   \tq1\t0.5000\n",
    "packed.run": b"PK\x03\x04",
    "empty.run": b"",
    "comments.run": b"# nothing here\n",
    "qrels.run": QRELS,
    "long.run": b"q1 Q0 " + b"d" * (2 << 20) + b" 1 1.0 a\n",
    "cut.run.gz": gzip.compress(RUN * 500)[:-9],
    "noise.run.gz": b"\x1f\x8b" + b"noise" * 9,
}
"""Runs that are refused."""
PEER_RUNS: dict[str, bytes] = {
    "third.tsv": b"q1 d1 12.5\nq1 d2 11\n",
    "score.csv": b"qid,docno,score\nq1,d1,high\nq2,d2,2\n",
    "short.csv": b"qid,docno,score\nq1,d1,3\nq1,d9\n",
    "quote.csv": b'qid,docno,score\nq1,"d1,3\n',
    "twice.csv": b"qid,docno,score,score\nq1,d1,3,3\n",
    "header.csv": b"qid,docno,score\n",
    "columns.csv": b"qid,docno,color\nq1,d1,red\n",
    "grades.tsv": b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td9\t0\n",
    "ranks.csv": b"qid,docno,rank\nq1,d1,0\n",
    "id.jsonl": b'{"qid": "q1", "docno": null, "score": 3}\n',
    "cut.jsonl": b'{"qid": "q1", "docno": "d1", "score": 3}\n{"qid": "q1", "doc\n',
    "list.jsonl": b'{"qid": "q1", "docno": "d1", "score": 3}\n["q1", "d9", 2]\n',
    "field.jsonl": b'{"qid": "q1", "docno": "d1", "score": 3, "score": 4}\n',
    "mixed.jsonl": b'{"qid": "q1", "docno": "d1", "score": 3.5}\n{"qid": "q1", "docno": "d9", "rank": 2}\n',
    "cut.json": b'{"q1": {"d1": 3.5,',
    "latin1.json": b'{"q1": {"d\xe9": 3.5}}',
    "list.json": b'{"q1": {"d1": 3.5}, "q2": ["d2"]}',
    "parts.json": b'{"default": {"dev": {"q1": {"d1": 3.5}}, "test": {"q1": {"d1": 3.5}}}}',
    "grades.json": b'{"q1": {"d1": 1, "d9": 0, "d5": 0}}',
    "lists.json": b'{"q1": ["d1", "d9"]}',
    "frame.json": b'{"qid": {"0": "q1"}, "docno": {"0": "d1"}}',
    "judged.json": b'{"judgmentRatings": [{"query": "q1", "ratings": [{"docId": "d1", "rating": "1"}]}]}',
    "noise.lz4": b"\xa1\x62q1\xa1\x62d1\xfb",
}
"""Runs in the formats of other tools that are refused."""
FAULTY_QRELS: dict[str, bytes] = {
    "grade.qrels": QRELS.replace(b"d1 1", b"d1 high"),
    "again.qrels": QRELS + b"q1 0 d1 0\n",
    "short.qrels": QRELS + b"q2 0 d5\n",
    "run.qrels": RUN,
}
"""Qrels that are refused."""
PEER_QRELS: dict[str, bytes] = {
    "third.qrels": b"q1 d1 12.5\nq1 d2 11\n",
    "scores.tsv": b"query-id\tcorpus-id\tscore\nq1\td1\t12.5\n",
    "grade.csv": b"qid,docno,label\nq1,d1,200\n",
    "texts.jsonl": b'{"query": "how", "passage": "so", "judgment": 1, "result_status": 1}\n',
    "status.jsonl": b'{"qid": "q1", "docid": "d1", "judgment": 0, "result_status": 0}\n'
    b'{"qid": "q1", "docid": "d9", "judgment": 1, "result_status": 1}\n',
}
"""Qrels in the formats of other tools that are refused."""
MISFITS: dict[str, bytes] = {
    "others.run": ranked(("7", "d1", 1, 2.0), ("8", "d2", 1, 2.0)),
    "spelled.run": ranked(("q1", "D-1", 1, 2.0), ("q2", "D-2", 1, 2.0)),
}
"""Runs that cannot be scored with `QRELS`."""
ODD_RUNS: dict[str, bytes] = {
    "words.run": ranked(("q1", "d1", "top", 3), ("q1", "d9", 2, 2), ("q2", "d2", 1, 3), ("q2", "d8", 2, 2)),
    "zero.run": ranked(("q1", "d1", 0, 3), ("q1", "d9", 1, 2), ("q2", "d2", 1, 3), ("q2", "d8", 2, 2)),
    "ranks.run": ranked(("q1", "d1", 1, 3), ("q1", "d9", 1, 2), ("q2", "d2", 1, 3), ("q2", "d8", 2, 2)),
    "rising.run": ranked(("q1", "d1", 1, 2), ("q1", "d9", 2, 3), ("q2", "d2", 1, 3), ("q2", "d8", 2, 2)),
    "flat.run": ranked(("q1", "d1", 1, 5), ("q1", "d9", 2, 5), ("q2", "d2", 1, 3), ("q2", "d8", 2, 2)),
    "ties.run": ranked(
        ("q1", "d1", 1, 3), ("q1", "d9", 2, 2), ("q1", "d5", 3, 2), ("q2", "d2", 1, 3), ("q2", "d8", 2, 2)
    ),
    "tags.run": RUN + ranked(("q2", "d5", 3, 1.5), tag="b"),
    "lacking.run": ranked(("q1", "d1", 1, 3), ("q1", "d9", 2, 2)),
    "unjudged.run": ranked(("q1", "d1", 1, 3), ("q1", "x", 2, 2), ("q2", "y", 1, 3), ("q2", "z", 2, 2)),
}
"""Runs that can be scored, each with one warning at depth 2."""
ODD_QRELS: dict[str, bytes] = {"barren.qrels": b"q1 0 d1 1\nq1 0 d9 0\nq2 0 d2 0\n"}
"""Qrels that can be used, with a warning."""
