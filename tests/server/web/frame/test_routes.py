"""Addresses of style, scripts and icon."""

from __future__ import annotations

from runoff.server.web.frame.assets import address_of
from tests.server.web.served import app_of, ask


def test_assets_are_kept_by_browsers_for_ever(small):
    answer = ask(app_of(small.site), address_of("style.css"))
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/css")


def test_an_old_version_is_gone(small):
    assert ask(app_of(small.site), "/assets/000000000000/style.css").status_code == 404
