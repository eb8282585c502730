from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.display.table_text import Need, fold


@pytest.mark.parametrize(
    "width, folds",
    [
        (30, [((0, 8), (1, 6), (2, 10))]),
        (22, [((0, 6), (1, 6), (2, 6))]),
        (20, [((0, 4), (1, 6), (2, 6))]),
        (19, [((0, 8), (1, 6)), ((0, 8), (2, 9))]),
        (1, [((0, 4), (1, 6)), ((0, 4), (2, 6))]),
    ],
)
def test_widths(width, folds):
    needs = [Need(4, 8), Need(6, 6), Need(6, 10)]
    assert list(fold(needs, width, gap=2, repeat_first=True)) == folds


def test_a_single_column():
    assert fold([Need(3, 9)], 5, gap=2, repeat_first=True) == (((0, 5),),)
    assert fold([Need(3, 9)], 1, gap=2, repeat_first=False) == (((0, 3),),)


NEEDS = st.lists(st.tuples(st.integers(1, 30), st.integers(0, 30)), min_size=1, max_size=12)


@given(NEEDS, st.integers(1, 200), st.booleans())
def test_laws(pairs, width, repeat_first):
    needs = [Need(least, least + more) for least, more in pairs]
    folds = fold(needs, width, gap=2, repeat_first=repeat_first)
    key = [0] if repeat_first else []
    rest = [place for part in folds for place, _ in part[len(key) :]]
    assert key + rest == list(range(len(needs)))
    for part in folds:
        assert [place for place, _ in part[: len(key)]] == key
        assert all(needs[at].least <= wide <= needs[at].ideal for at, wide in part)
        fits = sum(wide for _, wide in part) + 2 * (len(part) - 1) <= width
        assert fits or len(part) <= len(key) + 1
