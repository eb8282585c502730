from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from runoff.display.charts._labels import fit, short_labels, shown_name


@given(st.lists(st.text(max_size=50), max_size=5), st.integers(8, 40))
def test_labels_are_short_different_and_printable(names, limit):
    labels = short_labels(names, limit)
    assert len(set(labels)) == len(names)
    assert all(len(label) <= limit for label in labels)
    assert not any(char in label for label in labels for char in "\n\r\x1b\u202e")


@given(st.text(alphabet=st.characters(categories=["L", "N", "So"]), max_size=50), st.integers(1, 30))
def test_a_cell_has_its_width(text, width):
    assert cell_len(fit(text, width)) == width


def test_a_name_keeps_what_fits():
    assert short_labels(["bm25"], 10) == ("bm25",)
    assert shown_name("") == "(no name)"
    assert len(shown_name("x" * 500)) == 200
