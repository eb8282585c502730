"""What all tests share: hypothesis profiles and the folder of real data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
DATA_VARIABLE = "RUNOFF_TEST_DATA"

# Fixed examples, so that a failure is the same for everybody; `make proof` draws new and many more.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "proof", deadline=None, max_examples=2000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real runs, qrels, scores and preferences; the test is skipped where it is absent."""
    folder = Path(os.environ.get(DATA_VARIABLE, ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data in {folder}; set {DATA_VARIABLE} to the folder that holds it")
    return folder
