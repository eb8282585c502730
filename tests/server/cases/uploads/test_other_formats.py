"""Files of other tools from strangers: read in the process with limits, and no trick in them gets past it."""

import gzip
import json

import pytest

from runoff.server.cases.uploads.check import OpenQueries, look_through
from runoff.server.cases.uploads.limited_process import LEAST_MEMORY, LimitedReader

RUN = {f"q{query}": {f"d{doc}": 10 - doc for doc in range(5)} for query in range(3)}


@pytest.fixture
def look(tmp_path):
    def found(content):
        path = tmp_path / "sent"
        path.write_bytes(content)
        reader = LimitedReader(memory=LEAST_MEMORY, seconds=30)
        queries = OpenQueries(board="trees", lists=[], depth=10)
        return look_through(path, queries, file_name="a.json", reader=reader)

    return found


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(RUN).encode(),
        gzip.compress(json.dumps({"test": RUN}).encode(), mtime=0),
        b"qid,docno,score\n" + b"".join(b"q%d,d,1.5\n" % query for query in range(3)),
    ],
)
def test_good_files(look, content):
    found = look(content)
    assert (found.problems, found.queries) == ((), 3)


@pytest.mark.parametrize(
    "content, problem",
    [
        (b'{"q": {"d": ' + b"[" * 10_000_000, "a.json:1: not JSON here (too many levels of brackets)"),
        (b'{"q": ' * 1_000_000, "a.json:1: more than 4 levels of names"),
        (b'{"q": {"d": ' + b"9" * 10_000_000 + b"}}", "a.json:1: not JSON here (a whole number with too many digits)"),
        (b'{"q": {"d": [' + b"[]," * 15_000_000 + b"[]]}}", "a.json: needs more memory than 400,000,000 bytes"),
        (gzip.compress(b'{"q": {"d": "' + b" " * 60_000_000), "a.json: holds more than 50,000,000 bytes"),
        (b'{"q": {"d": 1, "d": 2}}', "a.json:1: document 'd' is listed twice for query 'q', first in line 1"),
    ],
    ids=["brackets", "names", "digits", "lists", "spaces", "twice"],
)
def test_tricks(look, content, problem):
    (sentence,) = look(content).problems
    assert sentence.startswith(problem)
    assert "--" not in sentence
