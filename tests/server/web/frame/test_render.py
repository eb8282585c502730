"""Templates to text."""

from __future__ import annotations

import jinja2
import pytest

from runoff.server.web.frame.render import ACCOUNTS, FOLDER, PAGES, environment


def rendered(source, **values):
    return environment().from_string(source).render(**values)


def test_texts_are_escaped_and_control_characters_written_out():
    assert rendered("{{ text }}", text="<b>\u202e\x07\nnext") == "&lt;b&gt;\\u202e\\x07\nnext"
    assert rendered("{{ number }}", number=3) == "3"


def test_nothing_is_undefined_in_silence():
    with pytest.raises(jinja2.UndefinedError):
        rendered("{{ missing }}")


def test_no_template_has_styles_or_scripts_inside():
    templates = [file for folder in (ACCOUNTS, FOLDER, PAGES) for file in folder.rglob("*.html")]
    assert len(templates) > 20
    for template in templates:
        text = template.read_text(encoding="utf-8")
        assert "<script>" not in text, template.name
        assert "style=" not in text, template.name
        assert "| safe" not in text, template.name
