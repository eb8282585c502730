"""Templates: escaped, and nothing in them undefined or inline."""

from __future__ import annotations

import pytest

from runoff.server.web.accounts.view import FOLDER
from runoff.server.web.frame.render import environment


@pytest.mark.parametrize("name", sorted(file.name for file in FOLDER.glob("*.html")))
def test_no_template_has_styles_or_scripts_inside(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert "<script" not in text
    assert "style=" not in text
    assert "| safe" not in text


def test_everything_is_escaped():
    assert environment(FOLDER).from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"
