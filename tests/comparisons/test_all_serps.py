"""All SERPs of a depth: their relations pair by pair, and the neighbours in their order."""

import itertools
import math

import numpy as np
import pytest

from runoff.comparisons import ipso_theory, relations_of_all
from runoff.comparisons.all_serps import DEEPEST
from runoff.errors import UsageError
from tests.comparisons.reference import CODES, plain_scan


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
