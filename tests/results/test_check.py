"""What a result of `runoff check` looks like, JUnit above all."""

from xml.etree import ElementTree as ET

from runoff.results.check import CheckedFile, FileCheckResult
from runoff.results.check_messages import Finding

FAULT = Finding(7, "score '<&>\x1b' is no number", "a number", "fix it")
DOUBT = Finding(0, "many ties", "few", "write more digits")


def checked(*files: CheckedFile) -> FileCheckResult:
    return FileCheckResult(files=files, qrels="", depth=10)


def bad(name: str = "bad & sad.run", count: int = 1) -> CheckedFile:
    return CheckedFile(file=name, kind="run", format="TREC", lines=9, problem_count=count, problems=(FAULT,))


def parsed(result: FileCheckResult) -> ET.Element:
    return ET.fromstring(result.to_junit())  # noqa: S314  # our own


def test_junit_is_read_by_a_parser():
    good = CheckedFile(file="good.run", kind="run", format="TREC", lines=3, warnings=(DOUBT,))
    root = parsed(checked(bad(), good))
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "2", "1")
    first, second = root.findall("testsuite")
    assert (first.get("name"), first.get("tests"), first.get("failures")) == ("bad & sad.run", "1", "1")
    case = first.find("testcase")
    assert case is not None
    assert (case.get("name"), case.get("line")) == (r"line 7: score '<&>\x1b' is no number", "7")
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == r"score '<&>\x1b' is no number"
    assert failure.text == r"bad & sad.run:7: score '<&>\x1b' is no number; expected a number; fix it"
    assert second.find("testcase/failure") is None
    assert second.findtext("system-out") == "good.run: warning: many ties; expected few; write more digits"


def test_junit_says_how_many_there_are():
    root = parsed(checked(bad(count=50_000)))
    assert root.findtext("testsuite/system-out") == "bad & sad.run: 50,000 errors, of which the first 1 are listed"


def test_counts_in_words():
    assert checked().summary == "No errors and no warnings in 0 files"
    assert checked(bad(count=3)).summary == "3 errors and 0 warnings in 1 file"


def test_csv_has_a_row_for_each():
    header, row = checked(bad()).to_csv().splitlines()
    assert header == "file,line,level,what,expected,fix"
    assert row.startswith("bad & sad.run,7,error,")


def test_pages_have_few_columns_because_sentences_are_long():
    _, found = checked(bad()).grids()
    assert found.rows == (
        ("bad & sad.run:7", r"error: score '<&>" + "\x1b" + "' is no number; expected a number; fix it"),
    )
    assert len(found.columns) == 2
