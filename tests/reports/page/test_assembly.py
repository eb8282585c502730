"""The page: nothing outside, unique ids, captions, labelled pictures, a policy that fits, and hostile names as text."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache

import pytest

from runoff.reports.page import render_page
from runoff.reports.page.assembly import unbroken
from runoff.reports.sections import sections_of
from tests.reports.page.parsed import Page
from tests.reports.sections.made import inputs_of

HOSTILE = [
    '<script>alert("x")</script>',
    "</style><script>alert(1)</script>",
    '" onload="alert(1)',
    "{{ 7 * 7 }} {% raw %}",
    "https://example.com/x",
    "\x1b[2J\u202ename",
    '=1+1,"quoted"',
    "検索-søk-🔍",
]


@cache
def page_of(count: int, hostile: bool = False) -> str:
    called = [*HOSTILE, *(f"r{place}" for place in range(count - len(HOSTILE)))] if hostile else None
    inputs = inputs_of(count, called=called, full=True)
    return render_page(HOSTILE[0] if hostile else "Board", "about", sections_of(inputs))


@pytest.mark.parametrize("count, hostile", [(1, False), (2, False), (150, False), (12, True)])
def test_the_structure(count, hostile):
    page = Page(page_of(count, hostile))
    assert page.addresses == []
    assert len(page.ids) == len(set(page.ids))
    assert len(page.all("caption")) == len(page.all("table")) > 0
    assert all(one["scope"] in {"col", "row"} for one in page.all("th"))
    assert all(one["role"] == "img" and len(one["aria-label"]) > 20 for one in page.all("svg"))
    assert len(page.all("svg")) == 2 * len(page.all("figure"))
    assert len(page.all("script")) == len(page.all("style")) == 1
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert not [one for _, one in page.elements if "style" in one]
    targets = {one["href"] for one in page.all("a")}
    assert {target.removeprefix("#") for target in targets} <= set(page.ids)
    assert {"#verdict", "#leader", "#labels", "#origin"} <= targets
    assert {name for one in page.elements for name in [one[1].get("aria-labelledby")] if name} <= set(page.ids)


def test_the_policy_allows_this_style_and_this_script_alone():
    page = Page(page_of(2))
    policy = next(one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ")
    for kind in ("style", "script"):
        text = "".join(page.inside[kind])
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_hostile_names_are_text():
    page = Page(page_of(12, hostile=True))
    words = "".join(page.words)
    for name in (HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[3], "検索-søk-🔍", "\\x1b[2J\\u202ename"):
        assert name in words
    assert "49 {%" not in words


def test_the_same_inputs_give_the_same_bytes():
    inputs = inputs_of(3)
    again = render_page("Board", "about", sections_of(inputs))
    assert again == render_page("Board", "about", sections_of(inputs_of(3)))


def test_dark_and_print_have_every_colour():
    style = "".join(Page(page_of(2)).inside["style"])
    blocks = re.findall(r"color-scheme:(light|dark);([^}]*)}", style)
    names = [set(re.findall(r"(--[a-z0-9]+):", block)) for _, block in blocks]
    assert [scheme for scheme, _ in blocks] == ["light", "dark", "dark", "light"]
    assert names[0] == names[1] == names[2] == names[3]
    used = set(re.findall(r"var\((--c\d+)\)", page_of(2)))
    assert used
    assert used <= names[0]


def test_a_long_table_can_be_searched():
    pages = [page_of(2), page_of(150)]
    assert [" data-filter" in page.partition("<script>")[0] for page in pages] == [False, True]


def test_what_is_folded_and_what_is_open():
    short, full = (render_page("B", "", sections_of(inputs_of(3, full=True)), full=full) for full in (False, True))
    folds = re.findall(r'<details(?: class="(?:method|more)")?( open)?>', full.partition("<script>")[0])
    assert folds
    assert set(folds) == {" open"}
    assert not re.search(r"<details[^>]* open", short.partition("<script>")[0])
    assert "Chart as text" in full
    assert "Chart as text" not in short


def test_names_are_kept_whole():
    assert str(unbroken("a-1, <b-2> and c")) == (
        '<span class="nb">a-1,</span> <span class="nb">&lt;b-2&gt;</span> and c'
    )
    long = "x-" * 30
    assert str(unbroken(long)) == long
