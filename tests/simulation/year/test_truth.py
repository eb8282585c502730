"""The truth: what long runs of plain simulation give, and nothing of what is planted."""

import numpy as np
import pytest

from runoff.simulation.year.cast import Plan, make_cast
from runoff.simulation.year.questions import Noise, believed, draw_questions, label_ranks, mean_rr, true_scores

CAST = make_cast()


def plain(plan, queries, seed):
    """RR@10 and the share of best documents on top, by drawing everything and looking."""
    rng = np.random.default_rng(seed)
    questions = draw_questions(queries, rng)
    belief = believed(plan, questions, Noise.draw(questions.value.shape, rng))
    first = float((belief.argmax(axis=1) == questions.best).mean())
    return mean_rr(label_ranks(belief, questions.label)), first


@pytest.mark.parametrize("role", ["champion", "trade_off", "better_than_labels"])
def test_it_is_what_plain_simulation_gives(role):
    plan = next(plan for plan in CAST if plan.role == role)
    truth = true_scores(CAST)[plan.name]
    found = [plain(plan, 2000, seed) for seed in range(8)]
    rr, first = np.mean(found, axis=0)
    assert truth.rr == pytest.approx(rr, abs=4 * 0.42 / np.sqrt(16_000) + 4 * truth.error)
    assert truth.best_first == pytest.approx(first, abs=4 * 0.5 / np.sqrt(16_000) + 0.01)
    assert truth.error < 0.003


def test_luck_tuning_and_copies_do_not_change_it():
    truth = true_scores(CAST)
    clyde = {truth[plan.name].rr for plan in CAST if plan.team == "Clyde"}
    assert len(clyde) == 1
    assert truth["jordan-2"] == truth["indus-3"]
    assert max(truth, key=lambda name: truth[name].rr) == next(p.name for p in CAST if p.role == "champion")
    assert max(truth, key=lambda name: truth[name].best_first) == "gambia-2"


def test_a_run_that_sees_nothing_has_the_rr_of_chance():
    """The label is at each of the places 1 to 60 alike, where it is found."""
    blind = Plan(name="blind", team="T", day=0, reach=0.9999, eye=0.0)
    expected = sum(1 / rank for rank in range(1, 11)) / 60
    assert true_scores([blind])["blind"].rr == pytest.approx(expected, abs=0.004)
