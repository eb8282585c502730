"""Calibrated statements about two runs: tests, margins, intervals, power, verdicts, evidence."""

from dataclasses import replace

import numpy as np
import pytest

import runoff.simulation.calibration.pairs as module
from runoff.significance import SIGNIFICANCE_TESTS, PairedT
from runoff.significance.power import student_factor
from runoff.simulation.calibration import BY_NAME, Settings, Source
from runoff.simulation.calibration._source import as_scores, swapped
from runoff.verdicts import Policy
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


def skewed():
    """A challenger that loses a little in most queries and gains much in few."""
    rng = np.random.default_rng(3)
    champion = rng.random(300) * 0.5
    gains = np.where(rng.random(300) < 0.2, rng.random(300) * 0.5, -0.065 * rng.random(300))
    return Source(scores=as_scores(np.column_stack([champion, champion + gains]), "AP"))


def test_rank_tests_answer_another_question():
    found = shares("shapes", skewed(), queries=300, boards=120)
    assert found["t"].verdict.word == found["randomization"].verdict.word == "not refuted"
    assert found["sign"].mean > 0.9
    assert found["sign"].verdict.word == "off"
    assert not found["sign"].is_broken  # it is not promised


def test_a_run_that_is_never_worse_cannot_be_made_equal():
    values = np.random.default_rng(4).random((30, 1)) * np.ones((1, 2)) + np.array([0.0, 0.1])
    assert shares("shapes", Source(scores=as_scores(values)), boards=4) == {}


def test_the_level_is_reached_and_kept():
    found = shares("margins", ap_like(), queries=200, boards=600)
    assert found["no_worse"].verdict.word == "not refuted"
    assert found["no_worse"].mean > 0.02  # at the very margin the level is used up
    assert found["equivalent"].mean <= found["no_worse"].mean


def test_equal_means_have_no_margin():
    values = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert shares("margins", Source(scores=as_scores(values)), boards=4) == {}


def test_they_hold():
    found = shares("differences", ap_like(), queries=100, boards=400)
    assert set(found) == {"t", "bootstrap"}
    assert not [key for key, line in found.items() if line.is_broken]
    assert found["t"].mean < 0.99  # and are not too wide


def test_the_promised_power_is_there():
    found = shares("power", ap_like(), queries=100, boards=500)
    assert found["t"].verdict.word == "not refuted"
    assert 0.72 < found["t"].mean < 0.88
    assert found["sign"].mean < found["t"].mean


def test_the_difference_is_the_smallest_that_is_promised():
    """With the chance that the quantity takes, difference / (sd / sqrt(n)) is the factor of the resolution."""
    source, queries = ap_like(), 100
    leads, squares = source.leads.T
    place = int(np.abs(leads).argmax())
    factor = student_factor(queries, 0.05, 0.8)
    wanted = np.sqrt(factor**2 * squares[place] / (queries + factor**2))
    chance = (1 - wanted / abs(leads[place])) / 2
    pair = np.tile(source.values[:, source.pairs[place]], (4000, 1))
    values, _ = swapped(pair, np.random.default_rng(0), chance)
    differences = values[:, 1] - values[:, 0]
    assert abs(differences.mean()) / (differences.std() / np.sqrt(queries)) == pytest.approx(factor, rel=0.02)


def test_runs_that_are_too_alike_are_not_asked():
    assert shares("power", ap_like(), queries=5, boards=3) == {}


def test_no_verdict_is_off():
    found = shares("verdicts", with_lists(), queries=80, boards=60)
    assert len(found) == 10
    assert not [key for key, line in found.items() if line.verdict.word == "off"]
    assert found["strict"].mean <= found["do_no_harm"].mean
    assert found["family_strict"].mean <= found["family"].mean
    assert {found[key].line.level for key in ("overall", "family_overall")} == {0.05}
    assert found["double_dagger"].mean <= found["dagger"].mean


def test_exchanging_some_lists_leaves_the_other_facet_as_it_is():
    source = with_lists()
    assert source.serps is not None
    rows = np.arange(80)
    comparison = module._Drawn(
        source=source, two=source.serps[:2], rows=rows, values=source.values[:, :2], settings=Settings(), seed=0
    )
    as_is, both = comparison.judged(np.zeros(80, dtype=bool)), comparison.both_answer()
    more = comparison.judged(np.random.default_rng(0).random(80) < 0.5 * both)
    earlier = comparison.judged((np.random.default_rng(0).random(80) < 0.5) & ~both)
    # As Lin et al.'s rules see them: overall, the p-values of all facets are corrected together.
    facets = [one.rule_facets for one in (as_is, more, earlier)]
    (more_as_is, sooner_as_is), (same_more, other_sooner), (_, same_sooner) = (one for one in facets if one is not None)
    assert same_more == more_as_is
    assert same_sooner == sooner_as_is
    assert other_sooner != sooner_as_is


def test_without_a_correction_the_family_errs_more():
    def errs(correction):
        settings = Settings(trials=40, policy=Policy(correction=correction))
        quantity = BY_NAME["verdicts"]
        assert isinstance(quantity, module.PairVerdicts)
        boards = [quantity._family(with_lists(), 80, np.random.default_rng(board), settings) for board in range(40)]
        return {key: sum(bool(board[key]) for board in boards) for key in ("family", "family_overall")}

    none, holm = errs("none"), errs("holm")
    assert none["family"] > holm["family"]
    assert none["family_overall"] > holm["family_overall"]


def test_no_line_is_off_and_any_of_them_is_more_often():
    found = shares("evidence", with_lists(), queries=80, boards=150)
    lines = {key: line for key, line in found.items() if key != "any"}
    assert set(lines) == {"t", "signed_rank", "sign", "bootstrap", "more", "sooner", "ipso", "rpp"}
    assert not [key for key, line in lines.items() if line.verdict.word == "off"]
    assert found["any"].mean >= max(line.mean for line in lines.values())
