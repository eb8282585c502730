"""Both databases of the store, and a server over them."""

from __future__ import annotations

import pytest

from tests.store.conftest import backend, database, database_url, postgresql, upgraded_file, upgraded_template
from tests.web.serving import Serving

__all__ = ["backend", "database", "database_url", "postgresql", "serving", "upgraded_file", "upgraded_template"]


@pytest.fixture
def serving(database, tmp_path):
    """A server with a board whose runs are scored, and a member with an API token."""
    with Serving.made_in(database, tmp_path) as made:
        yield made
