"""ERR: hand-computed values and grades that are too high."""

import pytest

from runoff.errors import MeasureError, UsageError
from runoff.measures import ERR
from runoff.measures._example import serps_of


def test_grade_four_at_the_top():
    assert (ERR @ 20).values(serps_of([4])).tolist() == [15 / 16]


def test_reader_goes_on_with_what_is_left():
    # s = 1/16, 0, 3/16: 1/16 + (1/3)(3/16)(15/16).
    assert (ERR @ 20).values(serps_of([1, 0, 2])).tolist() == pytest.approx([1 / 16 + (1 / 3) * (3 / 16) * (15 / 16)])


def test_highest_grade_changes_the_probabilities():
    assert ERR(max_grade=1).values(serps_of([0, 1])).tolist() == [0.25]


def test_cutoff():
    assert (ERR @ 1).values(serps_of([0, 4])).tolist() == [0.0]


def test_grades_above_the_highest_are_refused():
    with pytest.raises(UsageError, match=r"the qrels hold grade 3; expected none above max_grade, which is 2"):
        ERR(max_grade=2).values(serps_of([1], judged=[[0, 1, 0, 1]]))


@pytest.mark.parametrize("max_grade", [0, 2.0, True, 128])
def test_bad_highest_grade_is_refused(max_grade):
    with pytest.raises(MeasureError, match="expected a whole number from 1 to 127"):
        ERR(max_grade=max_grade)
