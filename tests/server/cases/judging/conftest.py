"""A board with three scored runs, on both databases."""

import pytest

from tests.server.cases.judging.campaigned import Campaigned


@pytest.fixture
def campaigned(database, tmp_path) -> Campaigned:
    return Campaigned.made_in(database, tmp_path)
