"""Laws of every section: listed, explained, and shown for one run, two runs and 150 runs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import runoff.reports.sections
from runoff.reports.page import render_page
from runoff.reports.sections import SECTIONS, sections_of
from tests.reports.page.parsed import Page
from tests.reports.sections.made import inputs_of

FOLDER = Path(runoff.reports.sections.__file__).parent
NAMES = [section.name for section in SECTIONS]
made = cache(inputs_of)


def test_the_list():
    files = {file.stem for file in FOLDER.glob("*.py") if not file.stem.startswith("_")}
    assert files == set(NAMES)
    assert len(NAMES) == len(set(NAMES))
    opened = [section.is_open for section in SECTIONS]
    assert opened == sorted(opened, reverse=True)  # those that are shown at once come first
    assert [section.name for section in SECTIONS if section.is_open] == ["verdict", "leader", "outcomes", "doubts"]


@pytest.mark.parametrize("section", SECTIONS, ids=NAMES)
def test_every_section_explains_itself(section):
    assert section.question.endswith("?")
    assert section.method
    assert all(paragraph.endswith(".") for paragraph in section.method)
    assert all(re.search(r"DOI 10\.\d{4,}/\S+$", source) for source in section.sources)
    assert section.sources or section.name == "origin"


@pytest.mark.parametrize("full", [False, True], ids=["short", "full"])
@pytest.mark.parametrize("count", [1, 2, 150])
@pytest.mark.parametrize("section", SECTIONS, ids=NAMES)
def test_any_number_of_runs(section, count, full):
    content = section.content(made(count, full=full))
    if content is None:
        return
    assert content.sentence.endswith(".")
    assert content.answer
    assert len(content.answer) < 80


def test_sections_without_anything_to_say_are_absent():
    assert [section.name for section, _ in sections_of(made(1))] == ["verdict", "leader", "labels", "origin"]
    short = [section.name for section, _ in sections_of(made(2))]
    assert short == ["verdict", "leader", "doubts", "elsewhere", "measures", "labels", "origin"]
    assert [section.name for section, _ in sections_of(made(2, full=True)) if section.name not in short] == ["repeats"]


@pytest.mark.parametrize("count", [1, 2, 150])
def test_all_sections_make_a_page(count):
    sections = sections_of(made(count))
    page = Page(render_page("T", "about", sections))
    for section, content in sections:
        assert section.name in page.ids
        assert " ".join(content.sentence.split()) in " ".join("".join(page.words).split()) or content.points
        assert all(point.sentence in "".join(page.words) for point in content.points)
