"""Kendall's tau in JSON."""

from runoff.boards.kendall import HalfReference, NoReference, SplitReference
from runoff.results.tau_words import reference_keys

SPLITS = SplitReference(trials=1000, median=0.8, range95=(0.7, 0.9), p=0.03)
HALVES = HalfReference(trials=1000, across=0.4, within=(0.5, 0.6))
NONE = NoReference(why="the queries differ, and so do the labels")


def test_keys():
    assert reference_keys(SPLITS) == {
        "kind": "splits", "trials": 1000, "median": 0.8, "range95": [0.7, 0.9], "p": 0.03,
    }  # fmt: skip
    assert reference_keys(HALVES) == {"kind": "halves", "trials": 1000, "across": 0.4, "within": [0.5, 0.6]}
    assert reference_keys(NONE) == {"kind": "none", "why": NONE.why}
    assert reference_keys(None) is None
