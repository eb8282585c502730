"""The bytes of a run file are those that plain formatting gives, and can be read back."""

import numpy as np

from runoff.files import read_run
from runoff.simulation.year.lines import run_bytes


def test_lines_equal_plain_formatting():
    rng = np.random.default_rng(0)
    numbers = rng.integers(10**5, 10**6, size=7)
    documents = rng.integers(10**6, 10**7, size=(7, 12))
    scores = rng.integers(10**5, 10**6, size=(7, 12))
    lines = [
        f"{number} Q0 D{document} {rank} {score / 10_000:.4f} tag-1\n"
        for number, row, points in zip(numbers, documents, scores, strict=True)
        for rank, (document, score) in enumerate(zip(row, points, strict=True), start=1)
    ]
    assert run_bytes(numbers, documents, scores, "tag-1") == "".join(lines).encode()


def test_they_are_a_run():
    numbers, documents = np.array([123456, 234567]), np.arange(10**6, 10**6 + 40).reshape(2, 20)
    scores = np.tile(np.arange(985_000, 985_000 - 20 * 14_000, -14_000), (2, 1))
    run = read_run(run_bytes(numbers, documents, scores, "x"), name="x")
    assert run.query_ids == ("123456", "234567")
    assert list(run.docs)[:2] == ["D1000000", "D1000001"]
