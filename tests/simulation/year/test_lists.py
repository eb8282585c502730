"""What a run retrieves: its reach, its order, and noise that team-mates share."""

import numpy as np
import pytest

from runoff.simulation.year.cast import Plan
from runoff.simulation.year.lists import SHARES, Noise, believed, label_ranks, mean_rr, top
from runoff.simulation.year.questions import draw_questions

QUESTIONS = draw_questions(2000, np.random.default_rng(0))
SHAPE = QUESTIONS.value.shape


def plan(*, reach=0.8, eye=2.0, taste=0.6):
    return Plan(name="r", team="T", day=0, reach=reach, eye=eye, taste=taste)


def noise(seed):
    return Noise.draw(SHAPE, np.random.default_rng(seed))


def test_the_label_is_found_as_often_as_the_run_reaches():
    for reach in (0.6, 0.9):
        ranks = label_ranks(believed(plan(reach=reach), QUESTIONS, noise(1)), QUESTIONS.label)
        assert (ranks > 0).mean() == pytest.approx(reach, abs=0.03)


def test_ranks_are_those_of_a_plain_sort():
    belief = believed(plan(), QUESTIONS, noise(1))
    ranks, order = label_ranks(belief, QUESTIONS.label), top(belief, 60)
    for row in range(200):
        place = order[row].tolist().index(QUESTIONS.label[row]) + 1
        assert ranks[row] in (0, place)
    assert mean_rr(np.array([1, 2, 0, 11])) == pytest.approx(1.5 / 4)


def test_a_keen_eye_of_true_taste_sees_the_best():
    belief = believed(plan(reach=0.999, eye=100.0, taste=0.0), QUESTIONS, noise(1))
    assert (belief.argmax(axis=1) == QUESTIONS.best).mean() > 0.97


def test_team_mates_share_more_noise_than_strangers():
    shared, team, other = noise(1), noise(2), noise(3)
    one, mate, stranger = shared.mixed(team, noise(4)), shared.mixed(team, noise(5)), shared.mixed(other, noise(6))
    assert one.ranking.std() == pytest.approx(1.0, abs=0.01)
    assert np.corrcoef(one.ranking.ravel(), mate.ranking.ravel())[0, 1] == pytest.approx(
        SHARES[0] + SHARES[1], abs=0.01
    )
    assert np.corrcoef(one.finding.ravel(), stranger.finding.ravel())[0, 1] == pytest.approx(SHARES[0], abs=0.01)
