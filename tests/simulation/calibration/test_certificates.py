"""Certificates along a history, and what would happen without a rule."""

import numpy as np

import runoff.simulation.calibration.certificates as module
from runoff.simulation.calibration import Settings
from runoff.simulation.calibration._source import draw_board
from tests.simulation.calibration.sources import ap_like, shares


def test_no_rule_is_off():
    found = shares("certificates", ap_like(), queries=40, boards=150)
    assert len(found) == 6
    assert not [key for key, line in found.items() if line.verdict.word == "off"]


def test_a_true_record_is_no_false_certificate():
    board = draw_board(ap_like(), 3000, np.random.default_rng(0), runs=6, equal=0)
    assert set(module.Certificates()._false(board, np.random.default_rng(1), Settings(trials=100)).values()) == {False}
