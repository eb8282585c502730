"""Every widget on one page."""

from __future__ import annotations

import re

from runoff.server.web.frame.render import FOLDER, PAGES
from tests.server.web.checks import checked
from tests.server.web.served import app_of, ask


def test_every_widget_is_shown(small):
    answer = ask(app_of(small.site), "/-/patterns")
    checked(answer.text)
    macros = set(re.findall(r"{% macro (\w+)\(", (FOLDER / "widgets.html").read_text(encoding="utf-8")))
    used = (PAGES / "patterns" / "patterns.html").read_text(encoding="utf-8")
    assert {name for name in macros if f"{name}(" not in used} == {"csrf_field"}, "a hidden field is not to be seen"


def test_its_chart_is_drawn(small):
    assert ask(app_of(small.site), "/-/patterns/charts/scale_values.svg?theme=dark").status_code == 200
