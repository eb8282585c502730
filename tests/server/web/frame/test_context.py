"""Contexts of pages."""

from __future__ import annotations

from dataclasses import fields

from runoff.server.web.frame.context import Crumb, Frame


def test_fields_have_help_and_defaults():
    assert all(field.metadata["help"].endswith(".") for one in (Frame, Crumb) for field in fields(one))
    assert Frame() == Frame(site="runoff")
