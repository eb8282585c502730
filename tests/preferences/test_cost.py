"""Costs, with the figures of the paper."""

import pytest

from runoff.errors import UsageError
from runoff.preferences import judging_cost


@pytest.mark.parametrize(
    "pairs, tasks, total",
    [(141_887, 14_189, 34_053.60), (6980, 698, 1675.20), (4210, 421, 1010.40), (0, 0, 0), (1, 1, 2.4)],
)
def test_costs_of_the_paper(pairs, tasks, total):
    # Arabzadeh et al. 2021: "over $34,000"; 6,980 and 4,210 pairs cost $1,720 and $1,022 with pilot tests
    cost = judging_cost(pairs)
    assert (cost.tasks, cost.total) == (tasks, total)


def test_every_judgment_of_a_pair_is_paid():
    assert judging_cost(95, judgments_per_pair=3, pay=1.0, fee=0.2).total == pytest.approx(36.0)


def test_impossible_numbers():
    with pytest.raises(UsageError, match="pairs_per_task is 0"):
        judging_cost(5, pairs_per_task=0)
