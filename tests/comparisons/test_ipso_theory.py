"""Random SERPs: the paper's Table 2, all pairs counted, and great depths."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import kendalltau

from runoff.comparisons import FIGURE_3, in_orders_of, ipso_theory, relations_of_all
from runoff.comparisons.ipso_theory import DEEPEST
from runoff.errors import UsageError
from runoff.measures import AP, ESL, RBP, RR, P, nDCG
from runoff.measures._example import serps_of
from tests.comparisons.reference import CODES, plain_scan


@pytest.mark.parametrize(
    "depth, separable", [(5, 83.98), (10, 67.08), (15, 55.97), (20, 48.95), (50, 31.52), (100, 22.43)]
)
def test_table_2(depth, separable):
    assert round(100 * ipso_theory(depth).separable, 2) == separable


@pytest.mark.parametrize("depth", range(1, 7))
def test_all_pairs_counted(depth):
    serps = list(itertools.product((0, 1), repeat=depth))
    counts = dict.fromkeys(("ns", "==", "ni", "**"), 0)
    for one, other in itertools.product(serps, repeat=2):
        counts[plain_scan(one, other)[-1]] += 1
    result = ipso_theory(depth)
    pairs = 4**depth
    assert counts["ni"] == counts["ns"]
    assert result.equal == counts["=="] / pairs == 2.0**-depth
    assert result.separable == (counts["ni"] + counts["ns"]) / pairs
    assert result.nonseparable == counts["**"] / pairs
    assert result.non_inferior == (counts["ni"] + counts["=="]) / pairs == math.comb(2 * depth + 1, depth) / pairs


@pytest.mark.parametrize("depth", [1, 7, 100, 1000, 5000])
def test_they_add_to_one(depth):
    result = ipso_theory(depth)
    assert result.equal + result.separable + result.nonseparable == pytest.approx(1.0, abs=1e-15)


def test_great_depths_follow_the_law_of_the_square_root():
    # C(2k + 1, k) / 4^k is about 2 / sqrt(pi k).
    assert ipso_theory(5000).separable == pytest.approx(4 / math.sqrt(math.pi * 5000), rel=1e-3)
    assert ipso_theory(5000).equal == 0.0


@pytest.mark.parametrize("depth", [0, -1, 2.0, True, "10"])
def test_a_bad_depth_is_refused(depth):
    with pytest.raises(UsageError, match="expected a whole number of 1 or more"):
        ipso_theory(depth)


@pytest.mark.parametrize("depth", range(1, 6))
def test_relations_are_those_of_the_scan(depth):
    found = relations_of_all(depth)
    serps = list(itertools.product((0, 1), repeat=depth))
    assert found.serps == tuple("".join(map(str, serp)) for serp in serps)
    expected = [[CODES[plain_scan(one, other)[-1]] for other in serps] for one in serps]
    assert found.relations.tolist() == expected


def test_figure_2():
    # Eight equal pairs and one that is non-separable, which is 100 and 011, seen from both sides.
    found = relations_of_all(3)
    assert (found.relations == 0).sum() == 8
    free = [(found.serps[row], found.serps[column]) for row, column in np.argwhere(found.relations == 2).tolist()]
    assert free == [("011", "100"), ("100", "011")]


def test_figure_1():
    found = relations_of_all(3)
    lines = {(found.serps[up], found.serps[down]) for up, down in np.argwhere(found.covers).tolist()}
    assert lines == {
        ("111", "110"), ("110", "101"), ("101", "011"), ("101", "100"), ("011", "010"), ("100", "010"),
        ("010", "001"), ("001", "000"),
    }  # fmt: skip


@pytest.mark.parametrize("depth", range(1, DEEPEST + 1))
def test_the_shares_are_those_of_random_serps(depth):
    found, theory = relations_of_all(depth), ipso_theory(depth)
    assert (found.relations == 0).mean() == theory.equal
    assert (found.relations == 2).mean() == theory.nonseparable


@pytest.mark.parametrize("depth", range(1, 7))
def test_neighbours_give_back_the_order(depth):
    """The transitive closure of the covering relation is the order, and no line of it can be left out."""
    found = relations_of_all(depth)
    order = found.relations == 1
    assert np.array_equal(_closure(found.covers), order)
    for up, down in np.argwhere(found.covers).tolist():
        less = found.covers.copy()
        less[up, down] = False
        assert not _closure(less)[up, down]


@pytest.mark.parametrize("depth", range(1, DEEPEST + 1))
def test_a_step_moves_one_relevant_document_up_by_one_rank(depth):
    # Or makes the last rank relevant. So the steps are the sum of k, k - 1, ..., 1 over the relevant ranks.
    found = relations_of_all(depth)
    for serp, steps in zip(found.serps, found.steps.tolist(), strict=True):
        assert steps == sum(depth - rank for rank, digit in enumerate(serp) if digit == "1")
    up, down = np.nonzero(found.covers)
    assert (found.steps[up] == found.steps[down] + 1).all()
    moves = {place: (bin(a ^ b), a - b) for place, (a, b) in enumerate(zip(up.tolist(), down.tolist(), strict=True))}
    assert all(changed.count("1") in {1, 2} and gain > 0 for changed, gain in moves.values())
    assert len(moves) == (depth + 1) * 2 ** (depth - 2) if depth > 1 else len(moves) == 1


@pytest.mark.parametrize("depth", [0, -1, 2.0, True, DEEPEST + 1])
def test_bad_depths_are_refused(depth):
    with pytest.raises(UsageError, match="expected a whole number from 1 to 8"):
        relations_of_all(depth)


def test_read_only():
    with pytest.raises(ValueError, match="read-only"):
        relations_of_all(1).relations[0, 0] = 1


def _closure(covers: np.ndarray) -> np.ndarray:
    """Which is reached from which by one or more lines, by squaring."""
    reached = covers.copy()
    for _ in range(math.ceil(math.log2(len(covers))) + 1):
        reached = reached | (reached.astype(np.float32) @ reached.astype(np.float32) > 0)
    return reached


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


def test_read_only_serp_orders():
    with pytest.raises(ValueError, match="read-only"):
        in_orders_of(relations_of_all(1), AP(), AP()).relations[0, 0] = 1
