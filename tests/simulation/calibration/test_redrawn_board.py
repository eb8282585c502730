"""Intervals of means and ranks on boards whose truth is known."""

import numpy as np

import runoff.simulation.calibration.redrawn_board as module
from runoff.boards import stability
from tests.simulation.calibration.sources import ap_like, shares


def test_no_interval_is_off():
    found = shares("board", ap_like(), queries=100, boards=80)
    assert not [key for key, line in found.items() if line.is_broken]
    assert abs(found["p_first"].mean) < 0.3


def test_intervals_that_are_half_as_wide_are_caught(monkeypatch):
    def narrow(scores, **options):
        found = stability(scores, **options)
        middle = found.mean_ci95.mean(axis=1, keepdims=True)
        object.__setattr__(found, "mean_ci95", middle + (found.mean_ci95 - middle) / 2)
        object.__setattr__(found, "rank_intervals", np.column_stack([found.ranks, found.ranks]).astype(int))
        return found

    monkeypatch.setattr(module, "stability", narrow)
    found = shares("board", ap_like(), queries=100, boards=60)
    assert all(found[f"mean_{key}"].verdict.word == "off" for key in ("same", "half", "data"))
    assert found["rank_data"].verdict.word == "off"
