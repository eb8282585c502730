"""The documentation site: it builds without a warning, has every page, and loads nothing from elsewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import runoff
from runoff.cli.main import VERBS
from runoff.tables.settings import settings_table
from scripts.reference import COMMANDS, FILES, commands_page, python_page, with_settings
from scripts.site_hooks import FROM_ROOT, MADE

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LOADED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*?\bsrc=["']?([^"'\s>]+)|<link\b[^>]*?\bhref=["']?([^"'\s>]+)"""
)


def navigation() -> list[str]:
    """Every page in mkdocs.yml, in order."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return re.findall(r": ([\w./-]+\.md)$", text[text.index("\nnav:") :], re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The built site."""
    place = Path(tmp_path_factory.mktemp("site"))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return place


def test_every_page_is_in_the_navigation_once():
    pages = sorted(str(page.relative_to(DOCS)) for page in DOCS.glob("**/*.md"))
    others = [place for place in (*FROM_ROOT, *MADE) if place.endswith(".md")]
    assert sorted(navigation()) == sorted([*pages, *others]), "list every page under nav in mkdocs.yml"


@pytest.mark.program
def test_every_page_is_built_and_loads_nothing_from_elsewhere(site):
    for page in navigation():
        text = (site / page).with_suffix(".html").read_text(encoding="utf-8")
        loaded = [first or second for first, second in LOADED.findall(text)]
        assert loaded
        assert [address for address in loaded if re.match(r"(?:\w+:)?//", address)] == [], page
    for sheet in site.glob("**/*.css"):
        assert re.findall(r"url\(['\"]?(?:\w+:)?//", sheet.read_text(encoding="utf-8")) == [], sheet.name


@pytest.mark.program
def test_a_dead_link_is_noticed(tmp_path):
    """The build is as strict as its settings say: a page, a heading and a page that is listed nowhere."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    strictness = settings[settings.index("\nvalidation:") : settings.index("\nnav:")]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A\n\n[b](b.md) [c](#c)\n", encoding="utf-8")
    (tmp_path / "docs" / "d.md").write_text("# D\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(
        f"site_name: x\nplugins: []\nnav:\n  - index.md\n{strictness}", encoding="utf-8"
    )
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert all(word in done.stderr for word in ("b.md", "#c", "d.md"))


def test_the_page_of_commands_is_up_to_date():
    assert COMMANDS.read_text(encoding="utf-8") == commands_page(), "run: python -m scripts.reference"


def test_an_outdated_table_of_settings_is_replaced_and_nothing_else():
    page = FILES.read_text(encoding="utf-8")
    row = next(line for line in settings_table().splitlines() if line.startswith("| `digits` |"))
    assert with_settings(page.replace(f"{row}\n", "")) == with_settings(page.replace(row, "| `old` | | | |")) == page


def test_commands_have_every_verb_and_option():
    page = commands_page()
    assert re.findall(r"^## runoff (\w+)$", page, re.MULTILINE) == list(VERBS)
    assert "`--submission RUN`" in page
    assert "\n### runoff admin invite\n" in page
    assert "\b" not in page
    assert all(line.count("|") - line.count("\\|") == 3 for line in page.splitlines() if line.startswith("|"))


def test_the_api_has_every_public_name_once():
    page = python_page()
    assert sorted(re.findall(r"^### (\w+)$", page, re.MULTILINE)) == list(runoff.__all__)
    assert page.count("```") % 2 == 0
    assert "```pycon\n>>> " in page


def test_pictures_are_small():
    pictures = [*DOCS.glob("pictures/*")]
    assert pictures
    assert [picture.name for picture in pictures if picture.stat().st_size > 200_000] == []


@pytest.mark.parametrize(
    "file", ["evaluate", "compare", "board", "reliability", "calibrate", "ipso", "ipso-theory", "demo"]
)
def test_the_page_of_json_names_every_key(file):
    """Of the result, and of what is directly inside it: dicts, and rows of runs."""
    page = (DOCS / "reference" / "json.md").read_text(encoding="utf-8")
    result = json.loads((ROOT / "tests" / "golden" / "expected" / f"{file}.json").read_text(encoding="utf-8"))
    inside = [part for key, part in result.items() if file in {"compare", "board"} and key != "rank_probabilities"]
    inside += result["runs"] + result["history"] if file == "board" else []
    keys = {*result, *(key for part in inside if isinstance(part, dict) for key in part)}
    assert keys
    assert sorted(key for key in keys if f"`{key}`" not in page) == []


def test_the_page_of_output_names_every_section_and_chart():
    from runoff.display.charts import CHARTS
    from runoff.reports.sections import SECTIONS

    page = (DOCS / "reference" / "output.md").read_text(encoding="utf-8")
    rows = [f"| `{section.name}` | {section.question} |" for section in SECTIONS]
    assert [row for row in rows if row not in page] == []
    assert [chart.name for chart in CHARTS if f"| `{chart.name}` |" not in page] == []
