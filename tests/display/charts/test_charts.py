"""The laws that every listed chart keeps."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree as ET

import altair as alt
import pytest
from rich.cells import cell_len

from runoff.display.charts import CHARTS, SHEETS, Chart, RankHeatMap, WinRatioMatrix
from runoff.display.charts._base import SCHEMA, with_own_ids
from runoff.display.charts._style import DARK, LIGHT
from runoff.errors import UsageError
from tests.display.charts.examples import EXAMPLES, NAMELESS, names

FOLDER = Path(__file__).resolve().parents[3] / "src" / "runoff" / "display" / "charts"
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><b>",
    "two\nlines\x1b[2J\u202eturned",
    "x" * 249 + "a" + "x" * 250,
    "x" * 249 + "b" + "x" * 250,
    "",
    'quote" & <img src=x onerror=alert(1)> \\',
    "検索-🔍",
]
COUNTS = (1, 2, 12, 150)

every_chart = pytest.mark.parametrize("kind", CHARTS, ids=lambda kind: kind.name)


@cache
def example(kind: type[Chart], count: int) -> Chart:
    return EXAMPLES[kind](names(count))


@cache
def hostile(kind: type[Chart]) -> Chart:
    return EXAMPLES[kind](HOSTILE)


def strings(value: object) -> list[str]:
    """Every key and string of a specification."""
    if isinstance(value, dict):
        return [*value, *(text for one in value.values() for text in strings(one))]
    if isinstance(value, list):
        return [text for one in value for text in strings(one)]
    return [value] if isinstance(value, str) else []


def test_every_chart_is_listed_once_and_has_an_example():
    declared = [
        name
        for file in FOLDER.glob("[a-z]*.py")
        for name in re.findall(r'^    name: ClassVar = "(\w+)"$', file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    ]
    assert sorted(kind.name for kind in CHARTS) == sorted(declared)
    assert list(EXAMPLES) == list(CHARTS)


@every_chart
def test_it_says_what_it_shows(kind):
    assert re.fullmatch(r"[A-Z][^.]*\.", kind.description)
    assert re.fullmatch(r"[a-z][a-z_]*", kind.name)


@every_chart
def test_it_is_valid_for_altair(kind):
    assert SCHEMA == alt.SCHEMA_URL
    alone = example(kind, 1)
    assert getattr(alone.to_altair(), "description", None) == alone.summary
    alt.Chart.from_dict(_with_few_rows(example(kind, 150).spec()))


@pytest.mark.proof
@every_chart
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("dark", [False, True])
def test_it_is_valid_for_altair_in_every_style(kind, count, size, dark):
    alt.Chart.from_dict(_with_few_rows(example(kind, count).in_style(dark=dark, size=size).spec()))


@every_chart
def test_every_style_has_its_paper_and_its_colours(kind):
    for count in COUNTS:
        chart = example(kind, count)
        specs = [chart.in_style(dark=dark, size=size).spec() for size in SHEETS for dark in (False, True)]
        assert {spec["background"] for spec in specs} == {LIGHT.paper, DARK.paper}, count
        assert len({json.dumps(spec) for spec in specs}) == 6, count


@every_chart
def test_the_same_numbers_give_the_same_bytes(kind):
    for count in COUNTS:
        assert example(kind, count).to_json() == EXAMPLES[kind](names(count)).to_json(), count
        assert json.loads(example(kind, count).to_json()) == example(kind, count).spec(), count


@every_chart
def test_the_sentence_names_the_leader_and_ends(kind):
    for count in COUNTS:
        chart = example(kind, count)
        sentence = chart.summary
        assert sentence.endswith("."), count
        assert chart.spec()["description"] == sentence, count
        if kind not in NAMELESS:
            # Of several teams the one with the largest excess leads, which is the first name too.
            assert "run-000" in sentence, count


@every_chart
def test_text_fits_the_page(kind):
    for count in COUNTS:
        chart = example(kind, count)
        for width in (40, 80, 120):
            assert max(map(cell_len, chart.to_text(width).splitlines())) <= width, (count, width)
        assert chart.to_text(200).startswith(f"{chart.title}\n\n"), count
        assert str(chart) == chart.to_text().rstrip("\n"), count


@every_chart
def test_it_loads_nothing(kind):
    for count in COUNTS:
        texts = strings(example(kind, count).spec(schema=False))
        assert not [text for text in texts if "http" in text or "//" in text], count
        assert "http" not in example(kind, count).to_json(schema=False), count
        assert not {"url", "href"} & set(strings(example(kind, count).spec())), count


@every_chart
def test_hostile_names_stay_names(kind):
    chart = hostile(kind)
    for text in (*strings(chart.spec()), *chart.to_text(100).splitlines(), chart.summary):
        assert text.isprintable(), repr(text)
    assert not set("<>&") & set(chart.to_json())
    assert max(map(len, strings(chart.spec()))) < 3000


@every_chart
def test_labels_are_short_and_differ(kind):
    """Every place on an axis of names is another run."""
    for part in _encodings(hostile(kind).spec()):
        scale = part.get("scale")
        domain = scale.get("domain") if isinstance(scale, dict) else None
        if part.get("type") == "nominal" and domain:
            assert len(set(domain)) == len(domain)
            assert max(map(len, domain)) <= 60


@every_chart
def test_many_runs_are_cut_and_the_title_says_so(kind):
    shown = {row.get("row") or row.get("bar") or row.get("run") for row in _rows(example(kind, 150).spec())}
    shown -= {None}
    if len(shown) > 10 and kind not in NAMELESS:
        assert f" {len(shown)} of 150 " in example(kind, 150).title


@pytest.mark.parametrize("kind", [kind for kind in CHARTS if hasattr(kind, "most")], ids=lambda kind: kind.name)
def test_at_least_one_is_shown(kind):
    with pytest.raises(UsageError, match="most=0 cannot be used; expected 1 "):
        replace(cast("Any", example(kind, 2)), most=0)


@pytest.mark.parametrize("kind", [kind for kind in CHARTS if kind.empty], ids=lambda kind: kind.name)
def test_nothing_to_show_is_refused(kind):
    first = next(part.name for part in fields(kind) if not part.kw_only)
    with pytest.raises(UsageError, match=re.escape(kind.empty)):
        replace(cast("Any", example(kind, 2)), **{first: ()})


def test_a_picture_of_each_kind():
    chart = example(CHARTS[0], 2)
    svg = chart.to_file(".SVG").decode("utf-8")
    assert svg.startswith("<svg")
    head = svg.partition("<rect")[0]
    assert (
        'role="img" aria-label="How certain are the ranks? RR@10. Ranks by RR@10 over 60 bootstrap samples. run-000'
        in head
    )
    assert f"<title>{chart.title}</title><desc>{chart.summary}</desc>" in head
    assert set(re.findall(r"https?://[^\"' <]+", svg)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert chart.to_file(".png").startswith(b"\x89PNG")
    assert chart.to_file(".pdf").startswith(b"%PDF")
    with pytest.raises(UsageError, match=r"'\.gif' is no kind of picture; expected \.svg, \.png, \.pdf"):
        chart.to_file(".gif")


def test_hostile_names_in_a_picture():
    svg = hostile(CHARTS[0]).to_svg()
    assert "<script" not in svg
    assert "<img" not in svg
    assert "&lt;script&gt;alert" in svg
    ET.fromstring(svg)  # noqa: S314  # our own picture: it must be well-formed


def test_pictures_are_the_same_bytes_again():
    chart = example(CHARTS[1], 2)
    assert chart.to_svg() == EXAMPLES[CHARTS[1]](names(2)).to_svg()
    assert chart.to_png(1) == chart.to_png(1)


@pytest.mark.proof
@every_chart
@pytest.mark.parametrize("count", COUNTS)
def test_every_picture_can_be_drawn(kind, count):
    for size in SHEETS:
        chart = example(kind, count).in_style(size=size)
        assert chart.to_svg().startswith("<svg")
        assert chart.in_style(dark=True, size=size).to_png(1).startswith(b"\x89PNG")
    hostile(kind).to_svg()


def test_a_notebook_gets_a_picture_and_text_without_a_script():
    bundle = example(CHARTS[0], 2)._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.vegalite.v6+json", "image/svg+xml", "text/plain"}
    assert "<script" not in str(bundle["image/svg+xml"])


def test_an_unknown_size_is_refused():
    with pytest.raises(UsageError, match="there is no size 'poster'; expected one of page, phone, print"):
        example(CHARTS[0], 2).in_style(size="poster")  # type: ignore[arg-type]


def _encodings(spec: object) -> list[dict[str, object]]:
    if isinstance(spec, dict):
        own = list(spec["encoding"].values()) if "encoding" in spec else []
        own = [one for one in own if isinstance(one, dict)]
        return own + [one for value in spec.values() for one in _encodings(value)]
    if isinstance(spec, list):
        return [one for value in spec for one in _encodings(value)]
    return []


def _with_few_rows(spec: Any) -> Any:
    """The same with three rows of each table: altair checks every row, which takes seconds."""
    if isinstance(spec, dict):
        return {key: value[:3] if key == "values" else _with_few_rows(value) for key, value in spec.items()}
    return [_with_few_rows(one) for one in spec] if isinstance(spec, list) else spec


def _rows(spec: object) -> list[dict[str, object]]:
    if isinstance(spec, dict):
        data = spec.get("data")
        own = list(data["values"]) if isinstance(data, dict) else []
        return own + [one for key, value in spec.items() if key != "data" for one in _rows(value)]
    if isinstance(spec, list):
        return [one for value in spec for one in _rows(value)]
    return []


SCRIPT = """
import hashlib
from runoff.display.charts import {0}
from tests.display.charts.examples import EXAMPLES, names
print(hashlib.sha256(EXAMPLES[{0}](names(5)).to_svg().encode()).hexdigest())
"""


def ids(svg: str) -> set[str]:
    return set(re.findall(r'\sid="([^"]+)"', svg))


@pytest.mark.parametrize("kind", [RankHeatMap, WinRatioMatrix])
def test_the_same_bytes_again_after_others_and_in_another_process(kind):
    chart = EXAMPLES[kind](names(5))
    first = chart.to_svg()
    assert chart.to_svg() == first
    for other in (RankHeatMap, WinRatioMatrix):
        EXAMPLES[other](names(3)).to_svg()
    assert EXAMPLES[kind](names(5)).to_svg() == first
    elsewhere = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(kind.__name__)],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert elsewhere.stdout.strip() == hashlib.sha256(first.encode()).hexdigest()


def test_every_used_id_is_there_and_no_two_drawings_share_one():
    drawn = [EXAMPLES[kind](names(count)).to_svg() for kind in (RankHeatMap, WinRatioMatrix) for count in (3, 5)]
    drawn.append(EXAMPLES[RankHeatMap](names(5)).in_style(dark=True).to_svg())
    for svg in drawn:
        assert ids(svg)
        assert set(re.findall(r'="url\(#([^)]+)\)"', svg)) == ids(svg)
    assert len(set().union(*map(ids, drawn))) == sum(len(ids(svg)) for svg in drawn)


def test_what_people_wrote_is_left_alone():
    text = '<text aria-label="run: url(#g_3) id=&quot;g_3&quot;">url(#g_3)</text>'
    made = with_own_ids(f'<svg>{text}<a id="g_3"/><b fill="url(#g_3)"/></svg>', "x")
    assert text in made
    (own,) = ids(made)
    assert f'fill="url(#{own})"' in made
    assert own.startswith("x-")


def test_a_drawing_without_ids_is_left_alone():
    assert with_own_ids("<svg><g/></svg>", "x") == "<svg><g/></svg>"
