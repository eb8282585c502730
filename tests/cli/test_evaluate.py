"""`runoff evaluate`, as typed."""

import csv
import gzip
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from runoff import evaluate
from runoff.choices import FORMATS
from runoff.measures import MEASURES
from tests.cli.conftest import RUN

BOTH = ("evaluate", "good.run", "poor.run", "--qrels", "qrels.txt")


def test_the_table(board, call):
    result = call(*BOTH, "-m", "RR@10", "-m", "nDCG@10")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "Scores on 2 queries"
    assert re.split(r"  +", lines[2]) == ["Run", "RR@10", "nDCG@10", "Missing queries", "Unjudged@10"]
    assert [line.split()[:2] for line in lines[4:6]] == [["good.run", "0.7500"], ["poor.run", "0.2500"]]
    assert "Means over 2 queries of qrels.txt, to rank 10." in lines


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_is_that_of_the_library(board, call, format_name):
    result = evaluate(["good.run", "poor.run"], "qrels.txt")
    expected = {
        "table": result.to_text(100),
        "json": result.to_json(),
        "csv": result.to_csv(),
        "latex": result.to_latex(),
        "markdown": result.to_markdown(),
    }
    shown = call(*BOTH, "--format", format_name)
    assert (shown.returncode, shown.stderr) == (0, f"{result.measure_note}\n" if format_name == "csv" else "")
    assert call(*BOTH, "--format", format_name, "--quiet").stderr == ""
    if format_name == "html":
        assert "<!doctype html>" in shown.stdout.lower()
        assert result.to_html() in shown.stdout
    else:
        assert shown.stdout == expected[format_name]


def test_json_has_the_promised_keys(board, call):
    content = json.loads(call(*BOTH, "-m", "RR@1", "--format", "json").stdout)
    assert content["queries"] == 2
    assert [run["run"] for run in content["runs"]] == ["good.run", "poor.run"]
    assert content["runs"][1]["measures"] == {"RR@1": 0.0}
    assert (content["runs"][1]["missing_queries"], content["runs"][1]["extra_queries"]) == (1, 1)


def test_per_query_csv(board, call):
    shown = call(*BOTH, "-m", "RR@10", "-m", "ESL@10", "--per-query", "--format", "csv").stdout
    rows = list(csv.reader(io.StringIO(shown)))
    assert rows[0] == ["run", "query", "measure", "value"]
    assert ["good.run", "q2", "RR@10", "0.5"] in rows
    assert ["poor.run", "q2", "ESL@10", ""] in rows
    assert len(rows) == 1 + 2 * 2 * 2


def test_per_query_parquet(board, call):
    """The rows of the CSV, in a folder."""
    asked = (*BOTH, "-m", "RR@10", "-m", "ESL@10", "--per-query", "--format")
    shown = call(*asked, "parquet", "--output", "scores")
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "", "")
    frame = pl.read_parquet("scores/**/*.parquet")
    rows = list(csv.reader(io.StringIO(call(*asked, "csv").stdout)))
    assert [frame.columns, *([*row[:3], "" if row[3] is None else str(row[3])] for row in frame.rows())] == rows
    again = call(*asked, "parquet", "--output", "scores")
    assert (again.returncode, again.stdout) == (2, "")
    assert "scores: is there already" in again.stderr


@pytest.mark.parametrize("options", [("-o", "x"), ("--per-query",), ("--per-query", "-o", "-")])
def test_parquet_needs_a_folder_and_single_scores(board, call, options):
    shown = call(*BOTH, "--format", "parquet", *options)
    assert shown.returncode == 2
    assert "give --per-query and --output DIR" in shown.stderr


def test_standard_input_and_compressed_files(board, call, runoff_program):
    (board / "good.run.gz").write_bytes(gzip.compress(RUN.encode()))
    expected = call("evaluate", "good.run", "--qrels", "qrels.txt", "--format", "csv").stdout
    assert call("evaluate", "good.run.gz", "--qrels", "qrels.txt", "--format", "csv").stdout == expected
    piped = runoff_program("evaluate", "-", "--qrels", "qrels.txt", "--format", "csv", "--quiet", stdin=RUN)
    assert (piped.returncode, piped.stderr) == (0, "")
    assert piped.stdout.splitlines()[1].split(",")[1:] == expected.splitlines()[1].split(",")[1:]


def test_a_subset_of_queries(board, call):
    (board / "chosen.txt").write_text("q2\n", encoding="utf-8")
    shown = call(*BOTH, "--queries", "chosen.txt", "-m", "RR@10", "--format", "json")
    content = json.loads(shown.stdout)
    assert content["queries"] == 1
    assert [run["measures"]["RR@10"] for run in content["runs"]] == [0.5, 0.0]


@pytest.mark.parametrize("rule, value", [("trec_eval", 0.5), ("float32", 0.5), ("file", 1.0)])
def test_tie_rules(board, call, rule, value):
    shown = call(*BOTH, "--tie-rule", rule, "-m", "RR@10", "--per-query", "--format", "csv").stdout
    assert f"good.run,q2,RR@10,{value}\n" in shown


BAD = [
    (["evaluate", "absent.run", "--qrels", "qrels.txt"], "absent.run: no such file"),
    (["evaluate", "good.run", "--qrels", "absent"], "absent: no such file"),
    (["evaluate", "folder", "--qrels", "qrels.txt"], "folder: is a folder"),
    (["evaluate", "empty", "--qrels", "qrels.txt"], "empty: the file is empty; expected a run"),
    (["evaluate", "good.run", "--qrels", "empty"], "empty: the file is empty; expected qrels"),
    (["evaluate", "qrels.txt", "--qrels", "qrels.txt"], "this looks like a qrels file"),
    (["evaluate", "good.run", "--qrels", "good.run"], "good.run: unknown qrels format: the first line has 6 fields"),
    (["evaluate", "broken", "--qrels", "qrels.txt"], "broken:2: "),
    (["evaluate", "binary", "--qrels", "qrels.txt"], "binary: unknown run format"),
    (["evaluate", "good.run", "good.run", "--qrels", "qrels.txt"], "two runs are called 'good.run'"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "-m", "Foo"], "no measure is called 'Foo'"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "-m", "P"], "P has no cutoff; expected a last rank k; write P@k"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "-m", "RR@10 P@5"], "measure 'RR@10 P@5': found 'P'"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "-m", "P@5", "-m", "P@5"], "measure P@5 is asked for twice"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "--queries", "empty"], "empty: the file is empty"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "--queries", "others"], "1 of 1 chosen queries are not in"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "--max-bytes", "9"], "raise the limit with --max-bytes"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "--max-bytes", "x"], "'x' is not a size; expected bytes"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "--format", "xml"], "'xml' is not one of 'table', 'json'"),
    (["evaluate", "good.run", "--qrels", "qrels.txt", "--tie-rule", "dice"], "'dice' is not one of 'trec_eval'"),
    (["evaluate", "good.run", "--qrel", "qrels.txt"], "--qrels"),
    (["evaluate", "good.run", "qrels.txt"], "Missing option '--qrels'"),
    (["evaluate", "--qrels", "qrels.txt"], "Missing argument 'RUN...'"),
]


@pytest.mark.parametrize("arguments, message", BAD)
def test_bad_input_and_usage(board, call, arguments, message):
    (board / "empty").write_bytes(b"")
    (board / "folder").mkdir()
    (board / "binary").write_bytes(bytes(range(256)) * 4)
    (board / "others").write_text("q7\n", encoding="utf-8")
    (board / "broken").write_text(RUN.replace("2.0", "high"), encoding="utf-8")
    result = call(*arguments, "--output", "out.txt")
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (board / "out.txt").exists()


def test_all_faults_of_a_file_in_one_report(board, call):
    (board / "broken").write_text(RUN.replace("2.0", "high"), encoding="utf-8")
    lines = call("evaluate", "broken", "--qrels", "qrels.txt").stderr.splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["broken:2", "broken:4", "broken:5"]


def test_a_reader_that_has_seen_enough_is_no_error(board):
    rows = "".join(f"q{query} Q0 d{doc} 1 {doc} x\n" for query in range(400) for doc in range(9))
    (board / "long.run").write_text(rows, encoding="utf-8")
    (board / "long.qrels").write_text("".join(f"q{query} 0 d1 1\n" for query in range(400)), encoding="utf-8")
    arguments = ["evaluate", "long.run", "--qrels", "long.qrels", "--per-query", "--format", "csv"]
    for measure in range(1, 40):
        arguments += ["-m", f"P@{measure}"]
    with subprocess.Popen(
        [sys.executable, "-m", "runoff", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"run,query,measure,value\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in {0, 1}  # 1 with older versions of click


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
@pytest.mark.parametrize("arguments", [["--help"], list(BOTH)])
def test_a_full_disk_is_no_traceback(board, arguments):
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "runoff", *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "input or output: No space left on device; expected files that can be read and written; check them\n"
    )


def test_an_unknown_measure_lists_them_all(call, board):
    result = call("evaluate", "good.run", "--qrels", "qrels.txt", "-m", "XYZ")
    assert (result.returncode, result.stdout) == (2, "")
    assert all(measure.name in result.stderr for measure in MEASURES)


def test_real_runs_from_the_command_line(shared_data, call):
    folder: Path = shared_data / "robust03"
    runs = sorted(map(str, folder.glob("input.*.gz")))
    shown = call("evaluate", *runs, "--qrels", str(folder / "qrels.txt.gz"), "-m", "AP", "--format", "csv").stdout
    means = [float(line.split(",")[1]) for line in shown.splitlines()[1:]]
    assert len(means) == 12
    assert means == sorted(means, reverse=True)
