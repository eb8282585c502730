"""Templates: escaped, and nothing in them undefined or inline."""

from __future__ import annotations

import pytest

from runoff.web.frame.render import environment


@pytest.mark.parametrize("name", environment().list_templates(["html"]))
def test_no_template_has_styles_or_scripts_inside(name):
    text = environment().loader.get_source(environment(), name)[0]  # type: ignore[union-attr]
    assert "<script" not in text
    assert "style=" not in text
    assert "| safe" not in text


def test_everything_is_escaped():
    assert environment().from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"
