"""An empty database beside the one of a test."""

from __future__ import annotations

from tests.server.store.conftest import empty_url

__all__ = ["empty_url"]
