"""All SERPs in the orders of two measures: the paper's Figure 3, and the same pairs in every pane."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from runoff.comparisons import FIGURE_3, in_orders_of, relations_of_all
from runoff.measures import AP, ESL, RBP, RR, P, nDCG
from runoff.measures._example import serps_of


def test_the_taus_of_figure_3():
    taus = [in_orders_of(relations_of_all(6), *pane).tau for pane in FIGURE_3]
    assert [f"{tau:.3f}" for tau in taus] == ["1.000", "0.796", "0.786", "0.976"]


def test_the_first_pane_is_the_order_of_binary_numbers():
    found = relations_of_all(6)
    pane = in_orders_of(found, *FIGURE_3[0])
    assert pane.row_serps == pane.column_serps == found.serps
    np.testing.assert_array_equal(pane.relations, found.relations)
    assert (pane.rows, pane.columns, pane.depth) == ("RBP(p=0.5)", "RBP(p=0.5)", 6)


@pytest.mark.parametrize("depth", range(1, 7))
@pytest.mark.parametrize("pane", FIGURE_3)
def test_every_pane_has_the_same_pairs(depth, pane):
    found = relations_of_all(depth)
    places = {serp: place for place, serp in enumerate(found.serps)}
    ordered = in_orders_of(found, *pane)
    for row, one in enumerate(ordered.row_serps):
        expected = [found.relations[places[one], places[other]] for other in ordered.column_serps]
        assert ordered.relations[row].tolist() == expected
    assert sorted(ordered.row_serps) == sorted(ordered.column_serps) == list(found.serps)


@pytest.mark.parametrize("measure", [AP(), nDCG(), RBP(p=0.8), RR(), P @ 5])
def test_scores_rise_and_tau_is_that_of_scipy(measure):
    found = in_orders_of(relations_of_all(5), measure, AP())
    lists = [[int(digit) for digit in serp] for serp in found.row_serps]
    scores = measure.values(serps_of(*lists, judged=[[5, 5]] * len(lists)))
    assert (np.diff(scores) >= -1e-12).all()
    ranks = [
        [order.index(serp) for serp in relations_of_all(5).serps] for order in (found.row_serps, found.column_serps)
    ]
    assert found.tau == pytest.approx(kendalltau(*ranks).statistic, abs=1e-12)


def test_the_best_list_is_last_where_low_is_good():
    found = in_orders_of(relations_of_all(3), ESL(), ESL())
    assert (found.row_serps[0], found.row_serps[-1]) == ("000", "111")


def test_read_only():
    with pytest.raises(ValueError, match="read-only"):
        in_orders_of(relations_of_all(1), AP(), AP()).relations[0, 0] = 1
