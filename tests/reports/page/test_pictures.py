"""Pictures: one drawing for both themes, slim, with ids of its own; every chart can be one."""

from __future__ import annotations

import re

import pytest

from runoff.display.charts import CHARTS, Chart, OutcomeBars, RankHeatMap, Size
from runoff.reports.page.pictures import Colours, picture, sketch, with_stand_ins
from tests.display.charts.examples import EXAMPLES, names


@pytest.mark.parametrize("kind", CHARTS, ids=[chart.name for chart in CHARTS])
def test_every_chart_is_drawn_alike_in_light_and_dark(kind):
    chart = EXAMPLES[kind](names(3))
    colours = Colours()
    made = picture(sketch(chart, "k"), colours)
    sizes: list[tuple[str, Size]] = [(made.wide, "page"), (made.narrow, "phone")]
    for drawn, size in sizes:
        assert not re.search(r'="(#[0-9a-f]{3,6}|rgb)', drawn)
        for dark in (False, True):
            values = dict(re.findall(r"(--c\d+):([^;]+);", colours.css(dark=dark)))
            shown = [values[name] for name in re.findall(r"var\((--c\d+)\)", drawn)]
            plain = chart.in_style(dark=dark, size=size).to_svg()
            assert shown == re.findall(r'(?:fill|stroke|stop-color)="(#[0-9a-fA-F]{3,6}|rgb[^"]*)"', plain)
        assert len(drawn) < len(plain)
    assert made.text == chart.to_text(96)


def test_ids_begin_with_the_key_and_do_not_depend_on_what_was_drawn_before():
    chart = EXAMPLES[CHARTS[0]](names(3))
    first, second = picture(sketch(chart, "a"), Colours()), picture(sketch(chart, "a"), Colours())
    assert first == second
    ids = re.findall(r' id="([^"]*)"', first.wide)
    assert ids
    assert all(one.startswith("a-w-") for one in ids)
    assert set(re.findall(r"url\(#([^)]*)\)", first.wide)) <= set(ids)


def test_what_people_wrote_is_not_touched():
    name = 'role="x" #abc 1.23456'
    made = picture(sketch(EXAMPLES[CHARTS[1]]([name, "other"]), "k"), Colours())
    texts = re.findall(r">([^<]*1\.23456[^<]*)<", made.wide)
    assert any("#abc" in text and "1.23456" in text for text in texts)


@pytest.mark.parametrize("light, dark", [({"reverse": False}, {"reverse": True}), (["#000"], []), ({"a": "#000"}, {})])
def test_what_differs_in_more_than_colours_has_no_stand_ins(light, dark):
    with pytest.raises(ValueError, match=r"differ|zip"):
        with_stand_ins(light, dark, {})


def test_one_pair_has_one_stand_in():
    pairs: dict[str, tuple[str, str]] = {}
    light, dark = {"ink": "#000", "marks": ["#000", "#eee", "#e69"]}, {"ink": "#fff", "marks": ["#fff", "#222", "#e69"]}
    made = with_stand_ins(light, dark, pairs)
    assert made["marks"] == [made["ink"], "#fe0001", "#e69"], "a colour of both stays as it is"
    assert [pairs[name] for name in made["marks"][:2]] == [("#000", "#fff"), ("#eee", "#222")]


def test_most_charts_are_drawn_once_for_both_themes(monkeypatch):
    """Those whose colours are mixed along a ramp are not."""
    sizes: list[Size] = []
    drawn = Chart.drawn

    def counted(chart, spec):
        sizes.append(chart.style.size)
        return drawn(chart, spec)

    monkeypatch.setattr(Chart, "drawn", counted)
    sketch(EXAMPLES[OutcomeBars](names(3)), "k")
    assert sorted(sizes) == ["page", "phone"]
    sketch(EXAMPLES[RankHeatMap](names(3)), "k")
    assert len(sizes) == 2 + 6
