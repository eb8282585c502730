"""Colours can be told apart, also without colour vision and in grey, and read on their paper."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from runoff.display.charts._labels import fit, short_labels, shown_name
from runoff.display.charts._style import DARK, LIGHT, SHAPES, Style, letters_on

# Machado et al. 2009, https://doi.org/10.1109/TVCG.2009.113, full protanopia and deuteranopia, on linear RGB.
PROTAN = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTAN = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
NORMAL = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def linear(colour: str) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else math.pow((part + 0.055) / 1.055, 2.4) for part in parts]


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, vision=NORMAL) -> tuple[float, float, float]:
    rgb = linear(colour)
    seen = [min(max(sum(weight * part for weight, part in zip(row, rgb, strict=True)), 0), 1) for row in vision]
    xyz = (
        (0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505,
        0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2],
        (0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, vision) -> float:
    return math.dist(lab(one, vision), lab(other, vision))


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_letters_read_on_their_paper(palette):
    assert contrast(palette.ink, palette.paper) >= 7
    assert contrast(palette.soft, palette.paper) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("vision", [NORMAL, PROTAN, DEUTAN])
def test_parts_that_stand_beside_each_other_can_be_told_apart(palette, vision):
    for parts in (
        (palette.neutral, palette.first, palette.second, palette.strong),
        (palette.second, palette.neutral, palette.accent),
    ):
        for one, other in itertools.combinations(parts, 2):
            assert distance(one, other, vision) > 20, (one, other)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("vision", [NORMAL, PROTAN, DEUTAN])
def test_series_can_be_told_apart(palette, vision):
    for one, other in itertools.combinations(palette.series, 2):
        assert distance(one, other, vision) > 10, (one, other)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_letters_read_on_every_colour(palette):
    colours = (palette.first, palette.second, palette.accent, palette.neutral, palette.strong, palette.line)
    for colour in (*colours, *palette.series, *palette.ramp):
        chosen = letters_on(colour)
        other = ({"#15181d", "#ffffff"} - {chosen}).pop()
        assert contrast(chosen, colour) >= contrast(other, colour)
        assert contrast(chosen, colour) >= 4


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_ramp_goes_one_way_in_grey(palette):
    steps = [luminance(colour) for colour in palette.ramp]
    assert steps == sorted(steps, reverse=palette is LIGHT)


def test_each_series_has_a_shape_too():
    assert len(LIGHT.series) == len(DARK.series) == len(set(SHAPES)) == len(SHAPES)


def test_titles_are_wrapped_to_the_sheet():
    words = "which of these runs are really different from each other " * 4
    for size in ("page", "phone", "print"):
        style = Style(size=size)
        assert max(map(style.text_width, style.wrapped(words))) <= style.sheet.width


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
