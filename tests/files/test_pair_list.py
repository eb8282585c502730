"""Lists of pairs."""

import pytest

from runoff.files.pair_list import read_pairs, render_pairs
from tests.files.samples import problems_of


def test_written_and_read_again():
    pairs = (("q1", "a", "b"), ("q2", "日本", "c"))
    assert read_pairs("".join(render_pairs(pairs)).encode()) == pairs
    assert read_pairs(b"# mine\n\nq a b\n") == (("q", "a", "b"),)


@pytest.mark.parametrize(
    "data, start",
    [(b"q a\n", "<bytes>:1: 'q a' is no pair"), (b"q a a\n", "<bytes>:1: 'q a a'"), (b"#\n", "<bytes>: no pairs")],
)
def test_faults(data, start):
    assert problems_of(read_pairs, data)[0].startswith(start)
