"""Qrels from any file."""

import gzip
import io

import polars as pl
import pytest

from runoff.files import read_qrels
from runoff.files.qrels import digest_of, read_labels, render_labels, render_qrels
from runoff.reading.sources import as_qrels
from tests.files.samples import QRELS, problems_of

ROWS = [("q1", "d1", 1), ("q1", "d9", 2), ("q2", "d1", 0)]


def test_text_and_parquet(tmp_path):
    plain, packed, table = tmp_path / "a.qrels", tmp_path / "b.qrels.gz", tmp_path / "c.parquet"
    plain.write_bytes(QRELS)
    packed.write_bytes(gzip.compress(QRELS))
    pl.DataFrame(ROWS, schema=["query_id", "doc_id", "relevance"], orient="row").write_parquet(table)
    for source in (plain, str(packed), table, table.read_bytes(), QRELS, io.BytesIO(QRELS)):
        assert list(read_qrels(source)) == ROWS
    assert [read_qrels(source).name for source in (plain, packed, table)] == ["a.qrels", "b.qrels", "c.parquet"]
    assert read_qrels(plain, name="mine").name == "mine"


def test_faults_of_parquet_name_the_file(tmp_path):
    table = tmp_path / "c.parquet"
    pl.DataFrame({"qid": ["q", "q"], "docno": ["a", "a"], "label": [1, 1]}).write_parquet(table)
    (problem,) = problems_of(read_qrels, table, name="mine")
    assert problem.startswith(f"{table}:2: document 'a' is judged twice for query 'q', first in line 1;")


@pytest.mark.parametrize(
    "name, judged, queries",
    [
        ("qrels.msmarco-passage.dev-subset.txt", 7437, 6980),
        ("qrels.msmarco-doc.dev.txt", 5193, 5193),
        ("qrels.dl19-doc.txt", 16258, 43),
        ("qrels.dl19-passage.txt", 9260, 43),
        ("qrels.dl20-doc.txt", 9098, 45),
        ("qrels.dl20-passage.txt", 11386, 54),
    ],
)
def test_msmarco(shared_data, name, judged, queries):
    qrels = read_qrels(shared_data / "msmarco" / name)
    assert (len(qrels), len(qrels.query_ids)) == (judged, queries)


@pytest.mark.parametrize("name", ["qrels.test", "qrels.rel_level", "qrels.comment.test"])
def test_qrels_of_trec_eval(shared_data, name):
    file = shared_data / "trec_eval" / name
    rows = [line.split() for line in file.read_text().splitlines() if line.strip() and not line.startswith("#")]
    expected = sorted((query, doc, int(grade)) for query, _, doc, grade in rows)
    assert sorted(read_qrels(file)) == expected


PARENT, VOTES = f"sha256:{'a' * 64}", f"sha256:{'b' * 64}"


def test_written_and_read_again(tmp_path):
    first = read_labels(b"q 0 d 1\nr 0 e 2\n")
    assert (first.version, first.parent, first.judgments) == (1, None, ())
    file = tmp_path / "labels.qrels"
    file.write_text("".join(render_labels(first.qrels, version=2, parent=PARENT, judgments=[VOTES, VOTES])))
    second = read_labels(file)
    assert (second.version, second.parent, second.judgments) == (2, PARENT, (VOTES,))
    assert list(second.qrels) == [("q", "d", 1), ("r", "e", 2)]
    assert second.digest == digest_of(file.read_bytes()) == digest_of(str(file))


def test_fractions_are_kept(tmp_path):
    rows = [("q", "a", 1.8), ("q", "b", 0.1667), ("q", "c", 1), ("q", "d", -0.25), ("q", "e", -3), ("q", "f", 1e-07)]
    file = tmp_path / "labels.qrels"
    file.write_text("".join(render_qrels(as_qrels(rows))))
    assert list(read_labels(file).qrels) == rows


def test_other_comments_say_nothing():
    assert read_labels(b"# version 9\nq 0 d 1\n").version == 1
    assert read_labels(b"# runoff labels\nq 0 d 1\n# version 9\n").version == 1


def test_what_can_be_read_once_has_no_hash():
    assert digest_of("-") == ""
