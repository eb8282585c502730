"""Both databases of the store, for workflows of the server."""

import pytest

from tests.server.cases.served import Served
from tests.server.store.backends import PROVEN
from tests.server.store.conftest import database, database_url, postgresql, upgraded_template

__all__ = ["database", "database_url", "postgresql", "served", "upgraded_template"]


@pytest.fixture(params=PROVEN)
def backend(request):
    """Which kind of database a test runs on."""
    return request.param


@pytest.fixture
def served(database, tmp_path):
    """A store with a board whose runs wait to be scored."""
    return Served.made_in(database, tmp_path)
