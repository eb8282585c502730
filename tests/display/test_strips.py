import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.display.text_pictures import STEPS, STRIP_SHADES, strip


def test_every_shade_has_its_step():
    assert len(STRIP_SHADES) == len(STEPS) + 1
    assert [strip([p]) for p in (0.0, 0.004, 0.005, 0.05, 0.25, 0.75, 1.0)] == list("··░▒▓██")


@pytest.mark.parametrize("count, width, length", [(0, 5, 0), (5, 5, 5), (6, 5, 3), (100, 40, 34), (150, 40, 38)])
def test_it_is_never_wider_than_asked(count, width, length):
    assert len(strip([0.0] * count, width=width)) == length <= width


@given(st.lists(st.floats(0, 1), max_size=200), st.integers(1, 60))
def test_a_likelier_rank_is_never_lighter(probabilities, width):
    text = strip(probabilities, width=len(probabilities) or 1)
    ordered = sorted(zip(probabilities, text, strict=True))
    assert [STRIP_SHADES.index(shade) for _, shade in ordered] == sorted(STRIP_SHADES.index(shade) for shade in text)
    assert len(strip(probabilities, width=width)) <= width
