from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from runoff.display.text_pictures import LONGEST, SHADES, share_bar, share_labels


def parts_of(*counts: int, name: str = "part") -> list[tuple[str, int]]:
    return [(f"{name} {place}", count) for place, count in enumerate(counts, start=1)]


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=4), st.integers(4, 200))
def test_shares_are_to_scale_and_nothing_that_is_there_is_hidden(counts, width):
    text = share_bar(parts_of(*counts), width=width)
    if not sum(counts):
        assert text == ""
        return
    bar = text.split("\n")[0]
    assert len(bar) == min(width, LONGEST)
    assert bar == "".join(sorted(bar, key=SHADES.index))
    for shade, count in zip(SHADES, counts, strict=False):
        assert (shade in bar) == (count > 0)
        exact = count * len(bar) / sum(counts)
        assert abs(bar.count(shade) - exact) <= len(counts)


def test_every_label_has_its_shade_count_and_share():
    lines = share_bar(parts_of(1, 0, 2999, 7000), width=100).split("\n")[1:]
    assert lines == ["░ part 1 1 (0%)   ▒ part 2 0 (0%)   ▓ part 3 2,999 (30%)   █ part 4 7,000 (70%)"]
    assert share_labels(parts_of(1, 3)) == ("part 1 1 (25%)", "part 2 3 (75%)")
    assert share_labels(parts_of(0, 0)) == ()


@pytest.mark.parametrize("width", [20, 40, 60, 80])
def test_lines_break_between_labels(width):
    lines = share_bar(parts_of(1, 2, 3, 4), width=width).split("\n")[1:]
    assert all(cell_len(line) <= width and line[0] in SHADES for line in lines)
    assert "   ".join(lines) == share_bar(parts_of(1, 2, 3, 4), width=200).split("\n")[1]


def test_wide_letters_are_measured_and_control_characters_written_out():
    assert len(share_bar(parts_of(1, 1, name="検索検索検索"), width=40).split("\n")) == 3
    assert len(share_bar(parts_of(1, 1, name="abcdef"), width=40).split("\n")) == 2
    assert share_bar([("a\nb\x1b", 1)], width=40).split("\n")[1] == r"░ a\nb\x1b 1 (100%)"
