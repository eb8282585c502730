"""The list of pages."""

from __future__ import annotations

import importlib

from runoff.server.web.frame.render import PAGES
from runoff.server.web.pages import PAGE_ROUTERS


def test_every_page_has_a_router_in_the_table():
    listed = [id(router) for router in PAGE_ROUTERS]
    assert len(set(listed)) == len(listed)
    folders = sorted(folder.parent.name for folder in PAGES.glob("*/__init__.py"))
    assert len(folders) > 20
    for folder in folders:
        assert id(importlib.import_module(f"runoff.server.web.pages.{folder}").router) in listed
