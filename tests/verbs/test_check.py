"""`runoff.check`: every message, with the file that it comes from; faults of all files together."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import runoff
from runoff import RunSource
from runoff.errors import UsageError
from runoff.results.check import FileCheckResult
from runoff.results.check_messages import MESSAGES
from runoff.verbs.report import check_submission, read_submission
from tests.verbs.faulty import (
    FAULTY_QRELS,
    FAULTY_RUNS,
    MISFITS,
    ODD_QRELS,
    ODD_RUNS,
    PEER_QRELS,
    PEER_RUNS,
    QRELS,
    RUN,
    ranked,
)

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED = (ROOT / "docs/reference/check.md").read_text(encoding="utf-8")
READERS = (
    *("text/formats.py", "text/runs.py", "text/tokens.py", "problems.py", "streams.py", "qrels.py"),
    *("text/faults.py", "text/three_columns.py", "column_names.py", "recognise.py", "peers/header_table.py"),
    *("peers/json_rows.py", "peers/json_text.py", "peers/nested_json.py", "peers/opensearch.py", "peers/ranx_cbor.py"),
    *("peers/tables.py", "tabular.py"),
)
"""Where the faults of files have their words."""
NOT_OF_FILES = (
    "is closed;",  # standard input
    "a dataset of ir_datasets;",
    "convert the column to numbers",  # tables in memory
    *("an empty path;", "give what a file holds as bytes"),
    "is open as text;",
    "is a folder;",
    "are blank lines and comments;",
    "not a CSV file",
    "first in line",  # of lists of queries; documents are below
)
"""What is not said of a run or of qrels on the command line."""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_bytes(QRELS)
    return Path(tmp_path)


def lines_of(result: FileCheckResult) -> list[str]:
    """What is printed of a result."""
    return [
        f"{file.place(finding)}: {level}: {finding.sentence}"
        for file in result.files
        for level, finding in file.findings()
    ]


def written(folder: Path, name: str, content: bytes) -> str:
    (folder / name).write_bytes(content)
    return name


@pytest.mark.parametrize("name", [*FAULTY_RUNS, *PEER_RUNS, *MISFITS])
def test_a_run_that_cannot_be_scored(folder, name):
    content = {**FAULTY_RUNS, **PEER_RUNS, **MISFITS}[name]
    result = runoff.check(written(folder, name, content), "qrels.txt", depth=2)
    (line,) = lines_of(result)
    assert ": error: " in line
    assert line in DOCUMENTED
    assert (result.errors, result.warnings) == (1, 0)
    with pytest.raises(runoff.InputError):
        runoff.evaluate(name, "qrels.txt", measures="P@2000")


@pytest.mark.parametrize("name", [*FAULTY_QRELS, *PEER_QRELS])
def test_qrels_that_cannot_be_used(folder, name):
    (line,) = lines_of(runoff.check(None, written(folder, name, {**FAULTY_QRELS, **PEER_QRELS}[name])))
    assert line in DOCUMENTED
    with pytest.raises(runoff.InputError):
        runoff.read_qrels(name)


@pytest.mark.parametrize("name", [*ODD_RUNS, *ODD_QRELS])
def test_a_warning(folder, name):
    if name in ODD_RUNS:
        result = runoff.check(written(folder, name, ODD_RUNS[name]), "qrels.txt", depth=2)
    else:
        result = runoff.check(None, written(folder, name, ODD_QRELS[name]))
    (line,) = lines_of(result)
    assert ": warning: " in line
    assert line in DOCUMENTED
    assert result.errors == 0


def test_a_file_that_is_not_there_and_one_that_is_too_large(folder):
    large = runoff.check(written(folder, "large.run", RUN), reading=runoff.ReadOptions(max_bytes=50))
    part = runoff.check(f"{written(folder, 'score.run', RUN)}#test")
    for result in (runoff.check("missing.run"), part, large):
        (line,) = lines_of(result)
        assert line in DOCUMENTED


def test_runs_beside_each_other(folder):
    long = ranked(*(("q1", f"d{rank}", rank, 9 - rank) for rank in range(1, 5)))
    odd = written(folder, "odd.run", long)
    copied, short = written(folder, "copy.run", long), written(folder, "short.run", ranked(("q1", "d1", 1, 3)))
    result = runoff.check([odd, copied, short])
    assert [line in DOCUMENTED for line in lines_of(result)] == [True, True]
    assert [len(file.warnings) for file in result.files] == [0, 1, 1]


def test_a_board_and_its_lists_of_queries(folder):
    written(folder, "a.run", RUN)
    written(folder, "bad.run", FAULTY_RUNS["fields.run"])
    written(folder, "hard.txt", b"q1\nq9\n")
    runs = '[[runs]]\npath = "a.run"\n[[runs]]\npath = "bad.run"\n'
    text = f'title = "B"\nmeasure = "RR@10"\n[labels.nist]\npath = "qrels.txt"\n{runs}'
    (folder / "board.toml").write_text(text, encoding="utf-8")
    result = runoff.check("board.toml")
    kinds = [(Path(file.file).name, file.kind, file.problem_count) for file in result.files]
    assert kinds == [
        ("board.toml", "board", 0),
        ("qrels.txt", "qrels", 0),
        ("a.run", "run", 0),
        ("bad.run", "run", 1),
    ]
    (folder / "board.toml").write_text(text + '[queries.public]\npath = "hard.txt"\n', encoding="utf-8")
    result = runoff.check("board.toml")
    (line,) = [line for line in lines_of(result) if "hard.txt" in line]
    assert line in DOCUMENTED
    (folder / "board.toml").write_text("measures = 7\n" + text, encoding="utf-8")
    result = runoff.check("board.toml")
    assert [file.kind for file in result.files] == ["board"]
    assert result.files[0].problems[0].line == 1


def test_a_board_that_requires_metadata(folder):
    head = (
        b"# ir_metadata.start\n# actor: {team: Trees}\n# implementation: {source: {repository: r}}\n# ir_metadata.end\n"
    )
    written(folder, "silent.run", RUN)
    written(folder, "said.run", head + RUN.replace(b" 3.5 ", b" 3.25 "))
    written(folder, "broken.run", b"# ir_metadata.start\n# a: [\n# ir_metadata.end\n" + FAULTY_RUNS["fields.run"])
    runs = "".join(f'[[runs]]\npath = "{name}.run"\n' for name in ("said", "silent", "broken"))
    required = 'required_metadata = ["actor.team", "implementation.source.repository"]\n'
    text = f'title = "B"\nmeasure = "RR@10"\n{required}[labels.nist]\npath = "qrels.txt"\n{runs}'
    (folder / "board.toml").write_text(text, encoding="utf-8")
    result = runoff.check("board.toml", depth=2)
    silent, *broken = [line for line in lines_of(result) if ": error: " in line]
    assert silent in DOCUMENTED
    assert [line.split(": ")[0] for line in broken[:2]] == ["broken.run:3", "broken.run:8"]
    assert "not YAML" in broken[0]
    assert "no value for actor.team" in broken[2]
    (folder / "board.toml").write_text(text.replace('[[runs]]\npath = "broken.run"\n', ""), encoding="utf-8")
    sent = check_submission("board.toml", read_submission("silent.run", name="new"))
    assert (sent.is_fine, sent.problems) == (False, (silent.replace("error: ", ""),))
    assert check_submission("board.toml", read_submission("said.run", name="new")).problems == ()


def test_every_message_of_ours_has_a_file_in_these_tests(folder):
    """Documented words with their numbers and names taken out; each message is among them."""
    for message in MESSAGES:
        pattern = re.sub(r"\\\{\w+(:[^}]*)?\\\}", ".+", re.escape(f"{message.fault}; expected {message.expected}"))
        assert re.search(f": {'error' if message.is_error else 'warning'}: {pattern}", DOCUMENTED), message


def patterns_of(source: str) -> Iterator[str]:
    """The messages in a module as regular expressions: what is put in may be anything."""
    inside = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr):  # a docstring
            inside.add(id(node.value))
            continue
        if isinstance(node, ast.JoinedStr):
            inside |= {id(value) for value in node.values}
            pieces = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in node.values]
            pattern = "".join(pieces)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            pattern = re.escape(node.value)
        else:
            continue
        if re.search(r";\\ expected", pattern):
            yield pattern


def test_every_message_of_the_readers_is_documented():
    patterns = [
        pattern
        for name in READERS
        for pattern in patterns_of((ROOT / "src/runoff/files" / name).read_text(encoding="utf-8"))
    ]
    assert len(patterns) > 12
    exempt = [re.escape(part) for part in NOT_OF_FILES]
    unnamed = [pattern for pattern in patterns if not any(part in pattern for part in exempt)]
    assert [pattern for pattern in unnamed if not re.search(pattern, DOCUMENTED)] == []


def test_a_message_that_is_not_documented_is_noticed():
    (pattern,) = patterns_of('problems.add(1, f"score {token} is odd; expected an even one; fix it")')
    assert not re.search(pattern, DOCUMENTED)


def test_all_faults_not_only_the_first(folder):
    lines = [f"q{number} Q0 d 1 1.0 a\n" if number % 3 != 1 else "two fields\n" for number in range(3_000)]
    result = runoff.check(written(folder, "many.run", "".join(lines).encode()))
    (file,) = result.files
    assert file.problem_count == len(file.problems) == 1_000
    assert [finding.line for finding in file.problems] == list(range(2, 3_000, 3))
    assert {finding.what for finding in file.problems} == {"2 fields"}
    assert "980 more errors" in result.to_text(100)


def test_more_faults_than_are_kept(folder):
    result = runoff.check(
        written(folder, "all.run", b"".join(b"q Q0 d%d 1 nan t\n" % place for place in range(25_000)))
    )
    (file,) = result.files
    assert (file.problem_count, len(file.problems), file.lines) == (25_000, 10_000, 25_000)
    assert [finding.line for finding in file.problems[-2:]] == [9_999, 10_000]


def test_documents_that_come_twice_in_many_queries(folder):
    rows = [(f"q{query}", f"d{place}", place + 1, 9 - place) for query in range(300) for place in range(5)]
    result = runoff.check(written(folder, "copied.run", ranked(*rows) + ranked(*rows)))
    (file,) = result.files
    assert file.problem_count == len(file.problems) == 1_500
    assert [finding.line for finding in file.problems] == list(range(1_501, 3_001))
    allowed = runoff.check("copied.run", reading=runoff.ReadOptions(duplicates="first"))
    assert allowed.errors == 0
    (line,) = [line for line in lines_of(allowed) if "rows dropped" in line]
    assert line in DOCUMENTED


def test_objects_in_memory():
    runs: dict[str, RunSource] = {"a": {"q1": {"d1": 2.0}}, "b": [("q1", "d1", float("nan"))]}
    result = runoff.check(runs, {"q1": {"d1": 1}})
    assert [(file.file, file.format, file.problem_count) for file in result.files] == [
        ("qrels", "table", 0),
        ("a", "table", 0),
        ("b", "table", 1),
    ]


def test_what_cannot_be_asked():
    with pytest.raises(UsageError, match="nothing to check"):
        runoff.check()
    with pytest.raises(UsageError, match="depth 0"):
        runoff.check(RUN, depth=0)


def test_json_has_the_promised_keys(folder):
    content = json.loads(runoff.check(written(folder, "a.run", FAULTY_RUNS["fields.run"]), "qrels.txt").to_json())
    assert (content["errors"], content["warnings"], content["qrels"], content["depth"]) == (1, 0, "qrels.txt", 10)
    assert content["files"][1] == {
        "file": "a.run", "kind": "run", "format": "TREC", "lines": 5, "problem_count": 1, "warnings": [],
        "problems": [
            {
                "line": 5,
                "what": "3 fields",
                "expected": "6 (query_id Q0 doc_id rank score tag)",
                "fix": "fix or remove this line",
            }
        ],
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_a_faultless_run_has_no_errors_however_its_lines_are_ordered(folder, seed):
    rng = np.random.default_rng(seed)
    rows = [(f"q{query}", f"d{rank}", rank, 100 - rank) for query in (1, 2) for rank in range(1, 12)]
    shuffled = [rows[place] for place in rng.permutation(len(rows))]
    assert lines_of(runoff.check(written(folder, "a.run", ranked(*shuffled)), None)) == []
