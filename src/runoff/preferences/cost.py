"""What judging costs: pairs into tasks, tasks into money."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.errors import UsageError

PAIRS_PER_TASK = 10
TESTS_PER_TASK = 3
PAY = 2.00
FEE = 0.40


@dataclass(frozen=True, kw_only=True)
class JudgingCost:
    """The cost of judging every pair so many times; `total` is in the currency of pay and fee."""

    pairs: int
    judgments_per_pair: int
    pairs_per_task: int
    tasks: int
    pay: float
    fee: float
    total: float


def judging_cost(
    pairs: int,
    *,
    judgments_per_pair: int = 1,
    pairs_per_task: int = PAIRS_PER_TASK,
    pay: float = PAY,
    fee: float = FEE,
) -> JudgingCost:
    """What it costs to have some pairs judged.

        tasks  =  ceil(pairs / pairs per task) x judgments per pair
        total  =  tasks x (pay + fee)

    Arabzadeh et al. 2021, sections 3.1 and 4.1, https://arxiv.org/abs/2109.00062: a task of ten pairs and three test
    pairs is paid $2.00 and costs a fee of $0.40, and 141,887 pairs would cost over $34,000.

    >>> cost = judging_cost(141_887)
    >>> cost.tasks, cost.total
    (14189, 34053.6)
    """
    for name, value, low in (
        ("pairs", pairs, 0),
        ("judgments_per_pair", judgments_per_pair, 1),
        ("pairs_per_task", pairs_per_task, 1),
        ("pay", pay, 0),
        ("fee", fee, 0),
    ):
        if not value >= low:
            raise UsageError(f"{name} is {value}; expected {low} or more")
    tasks = -(-pairs // pairs_per_task) * judgments_per_pair
    return JudgingCost(
        pairs=pairs,
        judgments_per_pair=judgments_per_pair,
        pairs_per_task=pairs_per_task,
        tasks=tasks,
        pay=pay,
        fee=fee,
        total=round(tasks * (pay + fee), 2),
    )
