"""`runoff check` reads the formats of other tools by the same door, and keeps every fault."""

from runoff.files.checked import check_qrels_file, check_run_file
from runoff.tables.ranked_lists import ListRequest


def test_good_files():
    run = check_run_file(b'{"q": {"d": 1.5, "e": 2}}', ListRequest())
    assert (run.format, run.lines, run.problems.total) == ("JSON by query", 2, 0)
    qrels = check_qrels_file(b"qid,docid,rating\nq,d,1\n")
    assert (qrels.format, qrels.problems.total, list(qrels.qrels or ())) == (
        "CSV or TSV with a header",
        0,
        [("q", "d", 1)],
    )


def test_more_faults_than_an_error_shows():
    data = b"qid,docno,score\n" + b"".join(b"q,d%d,x\n" % row for row in range(100)) + b"q,e,1\n" * 31
    run = check_run_file(data, ListRequest())
    assert (run.format, run.lists, run.problems.total) == ("CSV or TSV with a header", None, 130)
    assert [problem.line for problem in run.problems.in_order()][:101] == [*range(2, 102), 103]
