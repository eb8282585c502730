"""Kendall's tau in words: nothing is claimed that its reference does not carry."""

from runoff.boards.kendall import HalfReference, NoReference, SplitReference
from runoff.results.tau_words import reference_keys, reference_words

SPLITS = SplitReference(trials=1000, median=0.8, range95=(0.7, 0.9), p=0.03)
HALVES = HalfReference(trials=1000, across=0.4, within=(0.5, 0.6))
NONE = NoReference(why="the queries differ, and so do the labels")


def test_a_small_p_is_about_the_order_or_the_difficulty():
    assert reference_words(SPLITS) == (
        "Random splits of the same queries have a median tau of 0.80 (0.70 to 0.90 in 95% of 1,000; p = 0.0300). The "
        "order of the runs, or the difficulty of the queries, differs between the two sets."
    )
    assert reference_words(SPLITS, alpha=0.01).endswith("That is what the luck of the queries alone could do.")


def test_halves_and_nothing():
    assert reference_words(HALVES) == (
        "Between disjoint halves of the queries tau is 0.40 across the two on average, and 0.50 and 0.60 within each."
    )
    assert reference_words(NONE) == ("There is nothing to compare it with: the queries differ, and so do the labels.")


def test_keys():
    assert reference_keys(SPLITS) == {
        "kind": "splits", "trials": 1000, "median": 0.8, "range95": [0.7, 0.9], "p": 0.03,
    }  # fmt: skip
    assert reference_keys(HALVES) == {"kind": "halves", "trials": 1000, "across": 0.4, "within": [0.5, 0.6]}
    assert reference_keys(NONE) == {"kind": "none", "why": NONE.why}
    assert reference_keys(None) is None
