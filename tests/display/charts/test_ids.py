"""Ids of drawings: the same after others and in another process, and apart from those of other drawings."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys

import pytest

from runoff.display.charts import RankHeatMap, WinRatioMatrix
from runoff.display.charts._base import with_own_ids
from tests.display.charts.examples import EXAMPLES, names

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
