"""What is planted: luck that leads, tuning that the private queries do not see, a copy."""

import numpy as np

from runoff.simulation.year.cast import COPIED, make_cast
from runoff.simulation.year.questions import draw_questions, label_ranks, mean_rr, top
from runoff.simulation.year.year import beliefs_of, known_by_heart, rows_of

QUESTIONS = draw_questions(1200, np.random.default_rng(4))
PUBLIC, PRIVATE = np.arange(900), np.arange(900, 1200)
CAST = make_cast()
BELIEFS = dict(beliefs_of(CAST, QUESTIONS, PUBLIC, (4, 9)))


def score(name, rows):
    return mean_rr(label_ranks(BELIEFS[name][rows], QUESTIONS.label[rows]))


def test_every_run_is_there():
    assert BELIEFS.keys() == {plan.name for plan in CAST}


def test_the_lucky_run_leads_on_public_by_a_little():
    lucky = next(plan.name for plan in CAST if plan.role == "lucky")
    others = [score(plan.name, PUBLIC) for plan in CAST if plan.name != lucky]
    assert 0 < score(lucky, PUBLIC) - max(others) < 0.02


def test_labels_learnt_by_heart_are_on_top_and_stay_there():
    before: set[int] = set()
    for plan in (plan for plan in CAST if plan.role == "overfitted"):
        known = known_by_heart(plan, QUESTIONS, PUBLIC)
        assert len(known) == round(plan.memorised * 900)
        assert before <= set(known.tolist()) <= set(PUBLIC.tolist())
        before = set(known.tolist())
        assert (BELIEFS[plan.name][known].argmax(axis=1) == QUESTIONS.label[known]).all()
    assert len(before) == 81


def test_tuning_helps_on_public_alone():
    first, last = "clyde-1", "clyde-6"
    assert score(last, PUBLIC) - score(first, PUBLIC) > 0.03
    assert abs(score(last, PRIVATE) - score(first, PRIVATE)) < 0.06


def test_the_copy_ranks_nearly_the_same_documents():
    copy = next(plan.name for plan in CAST if plan.role == "copy")
    one, other = top(BELIEFS[COPIED], 10), top(BELIEFS[copy], 10)
    overlap = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(one.tolist(), other.tolist(), strict=True)])
    assert 0.95 < overlap < 1.0


def test_some_of_the_queries():
    part = rows_of(QUESTIONS, np.array([5, 2]))
    assert part.query_ids == (QUESTIONS.query_ids[5], QUESTIONS.query_ids[2])
    assert (part.value[0] == QUESTIONS.value[5]).all()
