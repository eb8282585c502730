"""Tests of two runs that are the same: the level is kept, and a broken test is caught."""

from dataclasses import replace

import pytest

import runoff.simulation.calibration.score_tests as module
from runoff.significance import SIGNIFICANCE_TESTS, PairedT
from tests.simulation.calibration.sources import ap_like, shares, with_lists


class Broken(PairedT):
    """A t test that halves its p-value: one-sided, and told as two-sided."""

    name = "broken"

    def _compare(self, paired):
        found = super()._compare(paired)
        return replace(found, p=found.p / 2, name=self.name)


def test_a_one_sided_test_told_as_two_sided_is_caught(monkeypatch):
    monkeypatch.setattr(module, "SIGNIFICANCE_TESTS", (PairedT(), Broken()))
    found = shares("tests", ap_like(), queries=50, boards=600)
    assert found["t"].verdict.word == "not refuted"
    assert found["broken"].verdict.word == "off"
    assert found["broken"].is_broken
    assert 0.02 < found["broken"].verdict.off_by < 0.1


@pytest.mark.parametrize("source", [ap_like(), with_lists()], ids=["ap", "rr"])
def test_no_test_is_off(source):
    found = shares("tests", source, queries=50, boards=200)
    assert list(found) == [test.name for test in SIGNIFICANCE_TESTS]
    assert not [key for key, line in found.items() if line.verdict.word == "off"]
