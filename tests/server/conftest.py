"""Both databases of the store, a server over them, and sites with one, two and 150 runs for tests of pages."""

from __future__ import annotations

import pytest

from runoff.server.cases.uploads.limited_process import LimitedReader
from tests.server.cases.conftest import backend
from tests.server.store.conftest import database, database_url, postgresql, upgraded_template
from tests.server.web.campaigning import CampaignSite
from tests.server.web.judged import JudgeSite
from tests.server.web.one_table import OneTable
from tests.server.web.serving import Serving
from tests.server.web.world import HOSTILE, make_site

__all__ = [
    "apart",
    "backend",
    "campaigning",
    "database",
    "database_url",
    "filled",
    "judged",
    "postgresql",
    "serving",
    "small",
    "upgraded_template",
]


@pytest.fixture(scope="session", autouse=True)
def one_table():
    """All servers of the tests have the same table of routes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runoff.server.web.app.FastAPI", OneTable)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_workers():
    """Workers in the process of the tests look for work again at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runoff.server.worker.POLL_SECONDS", 0.02)
        yield


@pytest.fixture
def serving(database, tmp_path):
    """A server with a board whose runs are scored, and a member with an API token."""
    with Serving.made_in(database, tmp_path) as made:
        yield made


@pytest.fixture
def apart(database, tmp_path):
    """The same, but it reads what it is sent in processes of their own, as real servers do."""
    with Serving.made_in(database, tmp_path, reader=LimitedReader()) as made:
        yield made


@pytest.fixture
def judged(database, tmp_path):
    """A server with an open campaign."""
    with JudgeSite.made_in(database, tmp_path) as made:
        yield made


@pytest.fixture(scope="session", params=[1, 2, 150], ids=["one run", "two runs", "150 runs"])
def filled(request, tmp_path_factory):
    """A site whose board has so many runs; the first have hostile names."""
    fixture = make_site(tmp_path_factory.mktemp("site"), runs=request.param, queries=40, names=HOSTILE)
    yield fixture
    fixture.site.close()


@pytest.fixture
def small(tmp_path):
    """A site with three runs that a test may change."""
    fixture = make_site(tmp_path / "small-site", runs=3, queries=40)
    yield fixture
    fixture.site.close()


@pytest.fixture
def campaigning(database, tmp_path):
    """A site with a board on which campaigns can be made."""
    made = CampaignSite.made_in(database, tmp_path)
    memory = made.site.campaigns
    for latest in (memory.latest_results, memory.latest_proposals, memory.latest_numbers):
        # However busy the machine is.
        latest.patience = 60
    return made
