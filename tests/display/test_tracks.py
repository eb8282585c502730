import math

from hypothesis import given
from hypothesis import strategies as st

from runoff.display.text_pictures import track

numbers = st.floats(-1e6, 1e6)


@given(numbers, numbers, numbers, numbers, numbers, st.integers(1, 60))
def test_it_has_its_width_and_one_point(low, point, high, start, end, width):
    line = track(low, point, high, span=(start, end), width=width)
    assert len(line) == width
    assert line.count("●") == 1


def test_ends_and_direction():
    assert track(0, 5, 10, span=(0, 10), width=11) == "├────●────┤"
    assert track(0, 9, 10, span=(10, 0), width=11) == "├●────────┤"
    assert track(3, 3, 3, span=(3, 3), width=4) == "●   "


def test_an_undefined_value_is_blank():
    assert track(math.nan, 1, 2, span=(0, 3), width=5) == "     "
    assert track(0, 1, 2, span=(0, 3), width=0) == ""
