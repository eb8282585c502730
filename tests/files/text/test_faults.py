"""Every fault of a text file, where reading tells of the first few."""

import random

import pytest

from runoff.files import streams
from runoff.files.problems import Problems
from runoff.files.streams import read_chunks
from runoff.files.text.faults import note_all_faults
from runoff.files.text.formats import TREC_RUN

GOOD = b"q1 Q0 d%d 1 1.0 t\n"


def faults_of(content: bytes, most: int = 10_000) -> tuple[Problems, int]:
    problems = Problems(most=most)
    return problems, note_all_faults(read_chunks(content), TREC_RUN, problems, verb="is listed")


@pytest.mark.parametrize("chunk", [64, 1 << 20])
@pytest.mark.parametrize("seed", range(8))
def test_each_bad_line_once(monkeypatch, seed, chunk):
    monkeypatch.setattr(streams, "CHUNK_BYTES", chunk)
    rng = random.Random(seed)
    lines = [rng.choice([GOOD % place, b"two fields\n", b"q1 Q0 bad%d 1 x t\n" % place, b"\n"]) for place in range(500)]
    bad = [line for line, text in enumerate(lines, start=1) if text.startswith((b"two", b"q1 Q0 bad"))]
    problems, count = faults_of(b"".join(lines))
    assert count == 500
    assert [problem.line for problem in problems.in_order()] == bad
    assert problems.total == len(bad)


def test_one_line_alone_and_the_last_one():
    problems, _ = faults_of(GOOD % 1 * 0 + b"one")
    assert [(problem.line, problem.parts[0]) for problem in problems.in_order()] == [(1, "1 field")]
    problems, _ = faults_of(b"".join(GOOD % place for place in range(99)) + b"one")
    assert [problem.line for problem in problems.in_order()] == [100]


def test_of_one_query_the_first_repeats_are_listed_and_all_counted():
    rows = [GOOD % place for place in range(50)]
    problems, _ = faults_of(b"".join(rows * 2))
    assert (problems.total, len(problems.in_order())) == (50, 20)
