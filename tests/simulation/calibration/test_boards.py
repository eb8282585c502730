"""Calibrated statements about boards: families, records, possible ranks, winners, intervals, alarms."""

from itertools import product

import numpy as np
import pytest

import runoff.simulation.calibration.boards as module
from runoff.boards import rank_sets, record_test, stability
from runoff.simulation.calibration import Settings
from runoff.simulation.calibration._base import TRUTHS
from runoff.simulation.calibration._source import draw_board
from tests.simulation.calibration.sources import ap_like, shares, with_lists


def test_corrected_and_not():
    found = shares("families", ap_like(), queries=40, boards=120)
    assert found["none"].mean > 0.1
    for key in ("bonferroni", "holm", "benjamini_hochberg", "tukey", "tukey_half"):
        assert found[key].verdict.word in {"not refuted", "conservative"}, key
    assert found["holm"].mean == found["bonferroni"].mean  # with no true difference, the smallest p decides both


@pytest.mark.parametrize("seed", range(4))
def test_small_cases_by_brute_force(seed):
    """Of all signs under which there is a record, at most a share a has p <= a, for every a; and p is that share."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 4, size=8) / 4 if seed % 2 else rng.random(8)
    sums = np.array([np.dot(signs, sizes) for signs in product((1, -1), repeat=8)])
    records = sums[sums > 1e-12]
    found = []
    for signs in product((1, -1), repeat=8):
        differences = np.array(signs) * sizes
        if differences.sum() > 1e-12:
            result = record_test(np.zeros(8), differences)
            assert result.p == pytest.approx((records >= differences.sum() - 1e-9).mean())
            found.append(result.p)
    for level in np.unique(found):
        assert np.mean(np.array(found) <= level + 1e-12) <= level + 1e-9


@pytest.mark.parametrize("source", [ap_like(), with_lists()], ids=["ap", "rr"])
def test_the_record_test_keeps_its_level_and_the_plain_one_does_not(source):
    found = shares("records", source, queries=50, boards=400)
    assert found["one"].verdict.word in {"not refuted", "conservative"}
    assert found["looks"].verdict.word in {"not refuted", "conservative"}
    assert found["plain"].verdict.word == "off"
    assert not found["plain"].is_broken
    assert found["looks"].boards < 400  # without a record there is nothing to test


def test_no_rule_is_off():
    found = shares("certificates", ap_like(), queries=40, boards=150)
    assert len(found) == 6
    assert not [key for key, line in found.items() if line.verdict.word == "off"]


def test_a_true_record_is_no_false_certificate():
    board = draw_board(ap_like(), 3000, np.random.default_rng(0), runs=6, equal=0)
    assert set(module.Certificates()._false(board, np.random.default_rng(1), Settings(trials=100)).values()) == {False}


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


def test_what_is_left_of_the_optimism():
    found = shares("winner", ap_like(), queries=60, boards=50)
    plain, left = found["plain_same"], found["left_same"]
    assert plain.mean > 4 * plain.error
    assert abs(left.mean) < 0.6 * plain.mean
    assert found["plain_data"].mean < plain.mean
    for truth in ("same", "half", "data"):
        assert found[f"interval_{truth}"].verdict.word != "off"


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


def test_clean_and_knowing():
    found = shares("monitor", ap_like(), queries=400, boards=120)
    for key in ("clean", "harder"):
        assert found[key].verdict.word in {"not refuted", "conservative"}
    assert found["knowing"].mean > 0.8
    assert found["knowing_harder"].mean <= found["knowing"].mean
    assert found["knowing"].verdict.word == ""


def test_boards_on_which_nobody_can_be_judged_do_not_count():
    found = shares("monitor", ap_like(), queries=5, boards=40)
    assert found["clean"].boards < 40
