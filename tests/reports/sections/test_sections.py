"""Laws of every section: listed, explained, and shown for one run, two runs and 150 runs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import runoff.reports.sections
from runoff.reports.page import render_page
from runoff.reports.sections import SECTIONS
from tests.reports.sections.made import inputs_of

FOLDER = Path(runoff.reports.sections.__file__).parent
NAMES = [section.name for section in SECTIONS]
made = cache(inputs_of)


def test_the_list():
    assert NAMES == [
        "verdict",
        "leader",
        "outcomes",
        "evidence",
        "measures",
        "elsewhere",
        "repeats",
        "labels",
        "origin",
    ]
    files = {file.stem for file in FOLDER.glob("*.py") if not file.stem.startswith("_")}
    assert files == set(NAMES)


@pytest.mark.parametrize("section", SECTIONS, ids=NAMES)
def test_every_section_explains_itself(section):
    assert section.question.endswith("?")
    assert section.method
    assert all(paragraph.endswith(".") for paragraph in section.method)
    assert all(re.search(r"DOI 10\.\d{4,}/\S+$", source) for source in section.sources)
    assert section.sources or section.name == "origin"


@pytest.mark.parametrize("count", [1, 2, 150])
@pytest.mark.parametrize("section", SECTIONS, ids=NAMES)
def test_any_number_of_runs(section, count):
    content = section.content(made(count))
    assert content.sentence.endswith(".")
    assert content.answer
    assert len(content.answer) < 80


@pytest.mark.parametrize("count", [1, 2, 150])
def test_all_sections_make_a_page(count):
    inputs = made(count)
    page = render_page("T", "about", [(section, section.content(inputs)) for section in SECTIONS])
    for section in SECTIONS:
        assert f'id="{section.name}"' in page
        assert section.content(inputs).sentence in page
