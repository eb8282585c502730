"""Verdicts on challengers that are no better, and a rule that is too easy is caught."""

import numpy as np

import runoff.simulation.calibration.pair_verdicts as module
from runoff.simulation.calibration import BY_NAME, Settings
from runoff.verdicts import Policy
from tests.simulation.calibration.sources import shares, with_lists


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
