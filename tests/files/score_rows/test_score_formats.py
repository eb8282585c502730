"""Formats with a row for each score: told apart, read to the same table, and refused with a way out."""

from __future__ import annotations

import pytest

from runoff.errors import InputError
from runoff.files.run_paths import SkippedFilesWarning
from runoff.files.score_rows import SCORE_FORMATS, read_score_rows
from runoff.files.score_rows._base import ScoreLine

TREC_EVAL = b"""\
map                   \tq1\t0.5000
P_10                  \tq1\t0.1000
map                   \tq2\t0.2500
P_10                  \tq2\t0.0000
runid                 \tall\tbm25
map                   \tall\t0.3750
P_10                  \tall\t0.0500
"""
SAMPLES = {
    "JSON Lines": b'{"query": "q1", "measure": "map", "value": 0.5, "run": "bm25"}\n'
    b'{"qid": "q2", "measure": "map", "value": 0.25, "run": "bm25"}\n',
    "CSV with run, query, measure and value": b"run,query,measure,value\nbm25,q1,map,0.5\nbm25,q2,map,0.25\n",
    "trec_eval -q": TREC_EVAL,
    "ir_measures -q": b"q1\tmap\t0.5\nq2\tmap\t0.25\nall\tmap\t0.375\n",
    "trec_eval's report": b"""\

Queryid (Num):\tq1
Total number of documents over all queries
    Retrieved:      10
Interpolated Recall - Precision Averages:
    at 0.00       1.0000
Average precision (non-interpolated) for all rel docs(averaged over queries)
                  0.5
Precision:
  At   10 docs:   0.1000
R-Precision (precision after R (= num_rel for a query) docs retrieved):
    Exact:        0.0000

Queryid (Num):\tq2
Average precision (non-interpolated) for all rel docs(averaged over queries)
                  0.25
  At   10 docs:   0.0000

Queryid (Num):\t2
Average precision (non-interpolated) for all rel docs(averaged over queries)
                  0.375
""",
}
"""The same scores in every format, of one run."""


def test_every_format_has_a_sample():
    assert sorted(SAMPLES) == sorted(form.name for form in SCORE_FORMATS)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_scores(name):
    rows = read_score_rows(SAMPLES[name])
    assert rows is not None
    scores = rows.scores("map", called="AP")
    assert (scores.measure, scores.query_ids) == ("AP", ("q1", "q2"))
    assert scores.values.tolist() == [[0.5], [0.25]]


@pytest.mark.parametrize("name", SAMPLES)
def test_no_two_formats_fit_one_file(name):
    lines = [ScoreLine(1, line) for line in SAMPLES[name].decode().splitlines() if line.strip()]
    assert [form.name for form in SCORE_FORMATS if form.fits(lines)] == [name]


@pytest.mark.parametrize("content", [b"query_id,a,b\nq1,0.5,0.25\n", b"a\n0.5\n", b"", b"PAR1", b"q1 0 d1 1\n"])
def test_other_files_are_left_to_others(content):
    assert read_score_rows(content) is None


def test_ir_measures_without_means_and_query_ids_that_are_words():
    rows = read_score_rows(b"apples\tnDCG@10\t0.5\npears\tnDCG@10\t0.25\napples\tAP(rel=2)\t0.5\n")
    assert rows is not None
    assert rows.measures == ("nDCG@10", "AP(rel=2)")


@pytest.mark.parametrize(
    "content",
    [
        b"name,qid,measure,value\nbm25,q1,map,0.5\nbm25,q2,map,0.25\n",
        b',system,qid,metric,score\n0,"bm25","q1","map",0.5\n1,"bm25","q2","map",0.25\n',
        b"\xef\xbb\xbfvalue\tmeasure\tquery\trun\n0.5\tmap\tq1\tbm25\n0.25\tmap\tq2\tbm25\n",
    ],
)
def test_columns_of_other_names_and_orders(content):
    rows = read_score_rows(content)
    assert rows is not None
    scores = rows.scores("map", called="AP")
    assert (scores.runs, scores.query_ids, scores.values.tolist()) == (("bm25",), ("q1", "q2"), [[0.5], [0.25]])


def test_several_runs_of_trec_eval_in_one_file():
    other = TREC_EVAL.replace(b"bm25", b"dense run").replace(b"0.5000", b"0.7500")
    rows = read_score_rows(TREC_EVAL + other)
    assert rows is not None
    assert rows.measures == ("map", "P_10")
    scores = rows.scores("map", called="AP")
    assert scores.runs == ("bm25", "dense run")
    assert scores.values.tolist() == [[0.5, 0.75], [0.25, 0.25]]


def test_a_folder_with_a_file_for_each_run(tmp_path):
    (tmp_path / "named.eval").write_bytes(TREC_EVAL)
    (tmp_path / "ir.tsv").write_bytes(SAMPLES["ir_measures -q"])
    (tmp_path / ".hidden").write_bytes(b"x")
    with pytest.warns(SkippedFilesWarning, match=r"not read as scores: \.hidden"):
        rows = read_score_rows(tmp_path)
    assert rows is not None
    assert rows.scores("map", called="AP").runs == ("ir.tsv", "bm25")


def test_files_of_one_name_in_several_folders(tmp_path):
    for run, score in (("bm25", 0.25), ("dense", 0.5)):
        (tmp_path / run).mkdir()
        (tmp_path / run / "map.txt").write_text(f"map\t1\t{score}\nmap\t2\t{score}\n")
    files = [tmp_path / run / "map.txt" for run in ("bm25", "dense")]
    rows = read_score_rows(*files)
    assert rows is not None
    assert rows.scores("map", called="AP").runs == tuple(map(str, files))


def test_of_several_names_of_a_measure_the_first_that_is_given_counts():
    rows = read_score_rows(b"map\t1\t0.25\nAP\t1\t0.2512\nmap\t2\t0.5\n")
    assert rows is not None
    assert rows.scores("AP", "map", called="AP").values.tolist() == [[0.2512], [0.5]]
    assert rows.scores("map", "AP", called="AP").values.tolist() == [[0.25], [0.5]]


def test_what_the_reader_of_csv_refuses():
    assert read_score_rows(b"run,query\rmeasure,value\n") is None
    header = b"run,query,measure,value\n"
    for row in (b"r,q,AP,0.5\rx\n", b"r,q,AP," + b"9" * 200_000 + b"\n"):
        with pytest.raises(InputError, match=r"not a table of CSV \(.*\); expected a row for each score on a line"):
            read_score_rows(header + row)


@pytest.mark.parametrize(
    "content, words",
    [
        (
            TREC_EVAL.replace(b"runid                 \tall\tbm25\n", b"") * 2,
            "several runs, and not all have a line 'runid",
        ),
        (b"map                   \tall\t0.5\n", "means alone; expected scores per query; run trec_eval with -q"),
        (b"all\tAP\t0.5\n", "means alone; expected scores per query; run ir_measures with -q"),
        (b"AP@10\t0.5\n", "means alone; expected scores per query; run ir_measures with -q"),
        (b'{"query": "q1"}\n', ":1: no measure; expected run, query, measure, value; add it"),
        (b'{"query": \n', ":1: not a JSON object"),
        (b"run,query,measure,value\na,b\n", ":2: 2 fields; expected 4"),
        (SAMPLES["trec_eval's report"][:-140], "expected the means of 1 queries at the end"),
    ],
)
def test_files_that_cannot_be_used(content, words):
    with pytest.raises(InputError) as caught:
        read_score_rows(content)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "content, words",
    [
        (b"map  \tq1\tx\nmap  \tall\t0.5\n", ":1: score 'x' is not a finite number"),
        (TREC_EVAL * 2, "map of run 'bm25' for query 'q1' is listed twice, first at <bytes>:1; expected it once"),
        (
            SAMPLES["JSON Lines"] + b'{"query": "q1", "measure": "map", "value": 1, "run": "b"}\n',
            "run 'b' has no map for 1 of 2 queries: q2; expected a score of every run for every query",
        ),
    ],
)
def test_scores_that_make_no_table(content, words):
    rows = read_score_rows(content)
    assert rows is not None
    with pytest.raises(InputError) as caught:
        rows.scores("map", called="map")
    assert words in str(caught.value)
