"""Grades and their codes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.tables.grades import MOST_VALUES, as_given, code_of, codes_of, numbers_of, recoding, values_of

NUMBERS = st.lists(st.sampled_from([0.0, 0.1667, 0.5, 1.0, 1.8, 2.0, 127.0]), max_size=8)


@given(NUMBERS, st.integers(1, 3))
def test_codes_stand_for_the_grades(grades, level):
    values, array = values_of(grades), np.array(grades, dtype=np.float64)
    codes = codes_of(array, values)
    assert codes.dtype == np.int8
    assert numbers_of(128, values)[codes].tolist() == grades
    assert (codes >= code_of(level, values)).tolist() == (array >= level).tolist()
    assert (values is None) == all(grade == int(grade) for grade in grades)


@given(NUMBERS, NUMBERS)
def test_another_table(some, more):
    values = values_of([*some, *more])
    if values is not None:
        old = values_of(some)
        new = recoding(old, 128 if old is None else len(old) + 1, values)
        before = codes_of(np.array(some, dtype=np.float64), old)
        assert new[before].tolist() == codes_of(np.array(some, dtype=np.float64), values).tolist()


def test_levels_that_are_fractions():
    assert [code_of(level, (0.5, 1.8)) for level in (0.5, 0.6, 1.8, 1.9)] == [1, 2, 2, 3]
    assert [code_of(level, None) for level in (1, 1.2, 2)] == [1, 2, 2]


def test_as_many_values_as_there_are_codes():
    grades = [place / 64 for place in range(MOST_VALUES + 2)]
    values = values_of(grades[: MOST_VALUES + 1])
    assert values is not None
    assert codes_of(np.array(grades[: MOST_VALUES + 1]), values).tolist() == list(range(MOST_VALUES + 1))
    with pytest.raises(UsageError, match="128 different grades, some of them fractions; expected at most 127; round"):
        values_of(grades)


def test_as_given():
    assert [str(as_given(grade)) for grade in (1.0, -2.0, 0.5)] == ["1", "-2", "0.5"]
