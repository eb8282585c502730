"""The contexts of all pages: frozen, and every field says what it is."""

from __future__ import annotations

import dataclasses
import importlib
import inspect

import pytest

from runoff.server.web.frame.context import PageContext
from runoff.server.web.frame.render import PAGES

FOLDERS = sorted(folder.parent.name for folder in PAGES.glob("*/_context.py"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_field_has_help(folder):
    module = importlib.import_module(f"runoff.server.web.pages.{folder}._context")
    classes = [
        found
        for _, found in inspect.getmembers(module, inspect.isclass)
        if found.__module__ == module.__name__ and dataclasses.is_dataclass(found)
    ]
    assert any(issubclass(found, PageContext) for found in classes)
    for found in classes:
        assert found.__dataclass_params__.frozen  # type: ignore[attr-defined]
        lacking = [
            field.name for field in dataclasses.fields(found) if not field.metadata.get("help", "").endswith(".")
        ]
        assert lacking == [], found.__name__


def test_every_page_has_a_router_in_the_table():
    from runoff.server.web.pages import PAGE_ROUTERS

    listed = [id(router) for router in PAGE_ROUTERS]
    assert len(set(listed)) == len(listed)
    for folder in FOLDERS:
        assert id(importlib.import_module(f"runoff.server.web.pages.{folder}").router) in listed
