"""Possible ranks on boards whose truth is known."""

import numpy as np
import pytest

import runoff.simulation.calibration.possible_ranks as module
from runoff.boards import rank_sets
from runoff.simulation.calibration._base import TRUTHS
from tests.simulation.calibration.sources import ap_like, shares, with_lists


@pytest.mark.parametrize("source", [ap_like(), with_lists()], ids=["ap", "rr"])
def test_they_hold_the_true_ranks(source):
    found = shares("rank_sets", source, queries=50, boards=150)
    assert set(found) == {f"{what}_{key}" for key in TRUTHS for what in ("all", "best", "last")} | {"all_recentred"}
    assert not [key for key, line in found.items() if line.is_broken]
    assert all(found[f"best_{key}"].mean >= found[f"all_{key}"].mean for key in TRUTHS)
    assert found["all_data"].mean >= found["all_same"].mean  # equal runs are the hardest


def test_decisions_that_are_too_bold_are_caught(monkeypatch):
    def bold(scores, **options):
        found = rank_sets(scores, **options)
        object.__setattr__(found, "p", np.where(found.statistic > 0.0, found.p / 10, found.p))
        return found

    monkeypatch.setattr(module, "rank_sets", bold)
    found = shares("rank_sets", ap_like(), queries=50, boards=80)
    assert {"all_same", "all_near", "all_copies"} <= {key for key, line in found.items() if line.verdict.word == "off"}
