from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.display.folds import Fold, Need, fold


@pytest.mark.parametrize(
    "width, folds",
    [
        (30, [Fold((0, 1, 2), (8, 6, 10))]),
        (22, [Fold((0, 1, 2), (6, 6, 6))]),
        (20, [Fold((0, 1, 2), (4, 6, 6))]),
        (19, [Fold((0, 1), (8, 6)), Fold((0, 2), (8, 9))]),
        (1, [Fold((0, 1), (4, 6)), Fold((0, 2), (4, 6))]),
    ],
)
def test_widths(width, folds):
    needs = [Need(4, 8), Need(6, 6), Need(6, 10)]
    assert list(fold(needs, width, gap=2, repeat_first=True)) == folds


def test_a_single_column():
    assert fold([Need(3, 9)], 5, gap=2, repeat_first=True) == (Fold((0,), (5,)),)
    assert fold([Need(3, 9)], 1, gap=2, repeat_first=False) == (Fold((0,), (3,)),)


NEEDS = st.lists(st.tuples(st.integers(1, 30), st.integers(0, 30)), min_size=1, max_size=12)


@given(NEEDS, st.integers(1, 200), st.booleans())
def test_laws(pairs, width, repeat_first):
    needs = [Need(least, least + more) for least, more in pairs]
    folds = fold(needs, width, gap=2, repeat_first=repeat_first)
    key = [0] if repeat_first else []
    rest = [place for part in folds for place in part.places[len(key) :]]
    assert key + rest == list(range(len(needs)))
    for part in folds:
        assert list(part.places[: len(key)]) == key
        assert all(
            needs[at].least <= wide <= needs[at].ideal for at, wide in zip(part.places, part.widths, strict=True)
        )
        fits = sum(part.widths) + 2 * (len(part.widths) - 1) <= width
        assert fits or len(part.places) <= len(key) + 1
