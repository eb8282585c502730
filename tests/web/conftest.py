"""Sites with one, two and 150 runs, made once for all tests of pages."""

from __future__ import annotations

import pytest

from tests.web.world import HOSTILE, make_site


@pytest.fixture(scope="session", params=[1, 2, 150], ids=["one run", "two runs", "150 runs"])
def filled(request, tmp_path_factory):
    """A site whose board has so many runs; the first have hostile names."""
    fixture = make_site(tmp_path_factory.mktemp("site"), runs=request.param, queries=40, names=HOSTILE)
    yield fixture
    fixture.site.close()


@pytest.fixture
def small(tmp_path):
    """A site with three runs that a test may change."""
    fixture = make_site(tmp_path / "site", runs=3, queries=40)
    yield fixture
    fixture.site.close()
