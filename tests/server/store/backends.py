"""Which databases a test runs on: SQLite always, PostgreSQL in `make check` or only in `make proof`."""

from __future__ import annotations

import pytest

CHECKED = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql))
"""For the store's own tests, whose SQL is all that the two databases do differently."""

PROVEN = ("sqlite", pytest.param("postgresql", marks=[pytest.mark.postgresql, pytest.mark.proof]))
"""For what is built on the store."""

both_databases = pytest.mark.parametrize("backend", CHECKED, indirect=True)
"""The smoke test of a use case: `make check` runs it on PostgreSQL too."""
