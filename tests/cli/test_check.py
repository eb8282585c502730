"""`runoff check`, as typed."""

import json
from xml.etree import ElementTree as ET

import pytest

from runoff import check
from runoff.choices import FORMATS, JUNIT

FILES = ("good.run", "poor.run", "--qrels", "qrels.txt")


def test_warnings_alone_are_no_failure(board, call):
    result = call("check", *FILES)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("0 errors and ")
    assert "poor.run: warning: no document for 1 of the 2 queries of qrels.txt, such as 'q2';" in result.stdout


def test_an_error_is_exit_status_2(board, call):
    (board / "bad.run").write_text("q1 Q0 a 1 3.0 x\nq1 Q0\n", encoding="utf-8")
    result = call("check", "bad.run", *FILES)
    assert result.returncode == 2
    assert "bad.run:2: error: 2 fields; expected 6 (query_id Q0 doc_id rank score tag)" in result.stdout


@pytest.mark.parametrize("format_name", [*FORMATS, JUNIT])
def test_every_format_is_that_of_the_library(board, call, format_name):
    shown = call("check", *FILES, "--format", format_name)
    result = check(["good.run", "poor.run"], "qrels.txt")
    assert (shown.returncode, shown.stderr) == (0, "")
    if format_name == "html":
        assert all(row.expected in shown.stdout for file in result.files for row in file.warnings)
    else:
        method = {"table": lambda: result.to_text(100)}.get(format_name) or getattr(result, f"to_{format_name}")
        assert shown.stdout == method()


def test_junit_into_a_file_that_is_written_though_there_are_errors(board, call):
    (board / "bad.run").write_text("q1\n", encoding="utf-8")
    assert call("check", "bad.run", "--format", "junit", "-o", "check.xml").returncode == 2
    assert ET.parse(board / "check.xml").getroot().get("failures") == "1"  # noqa: S314


def test_qrels_alone_and_standard_input(board, call, runoff_program):
    assert json.loads(call("check", "--qrels", "qrels.txt", "--format", "json").stdout)["files"][0]["kind"] == "qrels"
    result = runoff_program("check", "-", "--format", "json", stdin="q1 Q0 a 0 1.0 x\n")
    (file,) = json.loads(result.stdout)["files"]
    assert (file["file"], file["lines"], file["warnings"][0]["line"]) == ("<stdin>", 1, 1)


def test_nothing_to_check(call):
    result = call("check")
    assert result.returncode == 2
    assert "nothing to check; name runs, a board.toml, or --qrels FILE" in result.stderr
