"""JSON by query: ranx, pytrec_eval, MTEB."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given

import runoff
from runoff.files import read_board, read_qrels, read_run
from runoff.files.peers import nested_json
from runoff.files.runs import read_serps
from runoff.reading.sources import as_qrels, as_run, as_runs
from tests.files.samples import contents, judgments, problems_of, run_rows, run_text

RUN = {"q1": {"d1": 1.5, "d2": 2}, "q 2": {'dé"\\': -0.1}}
ROWS = [("q1", "d2", 2.0), ("q1", "d1", 1.5), ("q 2", 'dé"\\', -0.1)]
META = {"mteb_model_meta": {"model_name": "m", "revision": "r"}}


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize(
    "wrapped",
    [
        RUN,
        {"test": RUN},
        {**META, "default": {"test": RUN}},
        {"default": {"test": RUN}, **META},
    ],
    ids=["ranx", "MTEB before 2", "MTEB", "MTEB, facts last"],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_runs(indent, wrapped, ascii_only):
    assert list(read_run(json.dumps(wrapped, indent=indent, ensure_ascii=ascii_only).encode())) == ROWS


PARTS = {**META, "eng": {"dev": {"q": {"x": 1}}, "test": RUN}, "deu": {"test": {"q": {"y": 1}}}}


def test_one_of_several_parts(tmp_path):
    qrels = {query: dict.fromkeys(docs, 1) for query, docs in RUN.items()}
    for name in ("a", "b", "c#1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.json").write_text(json.dumps(PARTS))
        part = f"{tmp_path / name / 't.json'}#eng/test"
        assert list(read_run(part)) == list(as_run(Path(part))) == ROWS
        assert read_run(part).name == "t.json"
        assert read_serps(part, as_qrels(qrels)).query_ids == ("q1", "q 2")
    assert len(read_qrels(f"{tmp_path}/a/t.json#eng/dev")) == 1
    runs, names = as_runs(f"{tmp_path}/*/t.json#eng/test")
    assert names == runs == [f"{tmp_path}/{name}/t.json#eng/test" for name in ("a", "b", "c#1")]
    result = runoff.evaluate(runs, qrels, measures="R@10")
    assert result.means[0].tolist() == [1.0, 1.0, 1.0]
    assert runoff.check(runs, qrels).errors == 0
    (tmp_path / "qrels").write_text('"q1" 0 d1 1\n')
    (tmp_path / "board.toml").write_text(
        'title = "T"\nmeasure = "AP"\nlabels.all.path = "qrels"\n[[runs]]\nname = "x"\npath = "a/t.json#eng/test"\n'
    )
    assert read_board(tmp_path / "board.toml").runs[0].path == tmp_path / "a" / "t.json#eng" / "test"


@pytest.mark.parametrize("part", ["", "#eng", "#eng/dev/q", "#deu/dev"])
def test_no_such_part(tmp_path, part):
    path = tmp_path / "t.json"
    path.write_text(json.dumps(PARTS))
    expected = (
        f"{path}{part}: holds 3 runs, 'eng/dev', 'eng/test', 'deu/test'; expected one of them; append its name to "
        f"the path, such as {path}#eng/dev"
    )
    assert problems_of(read_run, f"{path}{part}") == [expected]
    (problem,) = runoff.check(f"{path}{part}").files[0].problems
    assert problem.what.startswith("holds 3 runs")


def test_other_files_have_no_parts(tmp_path):
    (tmp_path / "run").write_bytes(b"q Q0 d 1 1 t\n")
    assert problems_of(read_run, f"{tmp_path / 'run'}#a") == [
        f"{tmp_path / 'run'}: this file has no parts; expected JSON by subset and split; leave '#a' out"
    ]
    assert "no such file" in problems_of(read_run, f"{tmp_path / 'none'}#a")[0]
    (tmp_path / "run#a").write_bytes(b"q Q0 d 1 2 t\n")
    assert list(read_run(tmp_path / "run#a")) == [("q", "d", 2.0)]


def test_a_query_on_every_line():
    assert list(read_run(b'{"q1": {"d1": 1}}\n{"q2": {"d1": 1.5}}\n')) == [("q1", "d1", 1.0), ("q2", "d1", 1.5)]


@given(run_rows())
def test_the_same_run_as_text(rows):
    nested: dict[str, dict[str, float]] = {}
    for row in rows:
        nested.setdefault(row.query, {})[row.doc] = float(row.score)
    assert contents(read_run(json.dumps(nested).encode())) == contents(read_run(run_text(rows)))


@given(judgments)
def test_qrels(grades):
    nested: dict[str, dict[str, int]] = {}
    for (query, doc), grade in grades.items():
        nested.setdefault(query, {})[doc] = grade
    assert {(query, doc): grade for query, doc, grade in read_qrels(json.dumps(nested).encode())} == grades


def test_blocks_of_queries(monkeypatch):
    monkeypatch.setattr(nested_json, "BLOCK_ROWS", 1)
    assert list(read_run(json.dumps(RUN).encode())) == ROWS


FAULTY = b"""{
 "q1": {"d1": "x",
        "d2": null, "d3": 1e999,
        "d4": 1},
 "q2": [1],
 "q1": {"d4": 3, "": 1}
}"""


@pytest.mark.parametrize("block_rows", [1, 1000])
def test_all_faults_at_once(monkeypatch, block_rows):
    monkeypatch.setattr(nested_json, "BLOCK_ROWS", block_rows)
    number = "is not a finite number; expected one such as 12.5 or 1e-7; fix or remove this row"
    assert problems_of(read_run, FAULTY) == [
        f"<bytes>:2: score 'x' of document 'd1' for query 'q1' {number}",
        f"<bytes>:3: score 'null' of document 'd2' for query 'q1' {number}",
        f"<bytes>:3: score 'Infinity' of document 'd3' for query 'q1' {number}",
        (
            "<bytes>:5: query 'q2' has a list '[1]'; expected a number for every document, "
            '{"q1": {"d1": 1.5}}; write it again'
        ),
        "<bytes>:6: document '' cannot be an id; expected text or a whole number; fix it",
        (
            "<bytes>:6: document 'd4' is listed twice for query 'q1', first in line 4; "
            "expected every document once per query; remove one of the lines, or choose what counts with --duplicates"
        ),
    ]


def test_what_is_no_grade():
    """A fault in words, and no warning of numpy's."""
    for grade in (b"128", b"-1e300"):
        (problem,) = problems_of(read_qrels, b'{"q": {"d": %b, "e": 1}}' % grade)
        assert problem.startswith(f"<bytes>:1: grade {float(grade):g} is not a number from -127 to 127; expected")


def test_repeats_may_be_chosen():
    data = b'{"q": {"d": 1, "e": 2, "d": 3}}'
    assert list(read_run(data, duplicates="best")) == [("q", "d", 3.0), ("q", "e", 2.0)]
    assert list(read_run(data, duplicates="first")) == [("q", "e", 2.0), ("q", "d", 1.0)]


@pytest.mark.parametrize(
    "data, expected",
    [
        ({**META, "en": {"test": RUN, "dev": RUN}}, "holds 2 runs, 'en/test', 'en/dev'; expected one of them; append"),
        ({"q": {"d": {"score": 1.5, "rank": 1}}}, "<bytes>:1: 'd' has the fields 'score', 'rank'; expected a number"),
        ({"a": {"b": {"c": {"d": {"e": 1}}}}}, "<bytes>:1: more than 4 levels of names"),
        ({"qid": {"0": "q"}, "docno": {"0": "d"}}, "a table by columns, 'qid', 'docno'; expected a row in every"),
        ({}, "no rows; expected ranked documents"),
        ({"q": {}}, "no rows; expected ranked documents"),
    ],
)
def test_other_shapes(data, expected):
    (problem,) = problems_of(read_run, json.dumps(data).encode())
    assert expected in problem


@pytest.mark.parametrize(
    "data, expected",
    [
        (b'{"q": {"d": 1', ":1: not JSON here (Expecting ',' delimiter)"),
        (b'{"q": {"d": 1}\n', ":2: not JSON here (expected ',')"),
        (b'{"q": {"d": 1},\n}', ":2: not JSON here (expected a name in double quotes and ':')"),
        (b'{"q": {"d": 1}} x', ":1: not JSON here (expected '{')"),
        (b'{"q": {"d\xff": 1}}', ":1: bytes that are not UTF-8"),
        (b'{"q": {"d": ' + b"9" * 5_000 + b"}}", ":1: not JSON here (a whole number with too many digits)"),
        (b'{"q": {"d": ' + b"9" * 400 + b"}}", "is not a finite number"),
        (b'{"a": ' * 100_000, ":1: more than 4 levels of names"),
        (b'{"q": {"d": ' + b"[" * 100_000, ":1: not JSON here (too many levels of brackets)"),
    ],
    ids=range(9),
)
def test_what_is_no_json(data, expected):
    (problem,) = problems_of(read_run, data)
    assert expected in problem


def test_a_large_file_of_one_line_takes_no_long_time():
    """Longer than a line of text may be; some 200,000 documents."""
    data = json.dumps({f"q{query}": {f"d{doc}": doc / 7 for doc in range(1000)} for query in range(200)}).encode()
    start = time.process_time()
    assert len(read_run(data)) == 200_000
    assert time.process_time() - start < 5
