"""The queries of a year: distinct documents, imperfect labels, grades by true value."""

import numpy as np
import pytest

from runoff.simulation.year.cast import Plan
from runoff.simulation.year.questions import (
    CANDIDATES,
    LABEL_EYE,
    SHARES,
    Noise,
    believed,
    draw_label,
    draw_questions,
    label_ranks,
    mean_rr,
    seen,
    top,
)

QUESTIONS = draw_questions(3000, np.random.default_rng(0))


def test_ids_have_fixed_widths_and_are_distinct():
    assert len(set(QUESTIONS.query_ids)) == 3000
    assert {len(query_id) for query_id in QUESTIONS.query_ids} == {6}
    assert list(QUESTIONS.query_ids) == sorted(QUESTIONS.query_ids)
    assert len(np.unique(QUESTIONS.documents)) == 3000 * CANDIDATES
    assert QUESTIONS.documents.min() >= 10**6
    assert QUESTIONS.documents.max() < 10**7


def test_labels_are_good_but_often_not_the_best():
    rows = np.arange(3000)
    assert 0.15 < (QUESTIONS.label == QUESTIONS.best).mean() < 0.3
    assert QUESTIONS.value[rows, QUESTIONS.label].mean() > 1.0


def test_a_label_is_drawn_in_proportion():
    """Two documents: the chance of each is the softmax of what they look like."""
    value, fashion = np.tile([1.0, 0.5], (40_000, 1)), np.zeros((40_000, 2))
    look = np.exp(LABEL_EYE * seen(value[0], fashion[0], 0.6))
    first = (draw_label(value, fashion, np.random.default_rng(2)) == 0).mean()
    assert first == pytest.approx(look[0] / look.sum(), abs=0.01)


def test_what_is_seen_keeps_its_scale():
    value, fashion = np.random.default_rng(3).standard_normal((2, 50_000))
    for taste in (0.0, 0.6, 1.2):
        assert seen(value, fashion, taste).std() == pytest.approx(1.0, abs=0.02)
    assert (seen(value, fashion, 0.0) == value).all()


def test_grades_rise_with_the_value():
    grades = QUESTIONS.grades(np.arange(100))
    values = QUESTIONS.value[:100]
    assert set(np.unique(grades).tolist()) == {0, 1, 2, 3}
    for grade in range(3):
        assert values[grades == grade].max() < values[grades == grade + 1].min()


LISTS_QUESTIONS = draw_questions(2000, np.random.default_rng(0))
SHAPE = LISTS_QUESTIONS.value.shape


def plan(*, reach=0.8, eye=2.0, taste=0.6):
    return Plan(name="r", team="T", day=0, reach=reach, eye=eye, taste=taste)


def noise(seed):
    return Noise.draw(SHAPE, np.random.default_rng(seed))


def test_the_label_is_found_as_often_as_the_run_reaches():
    for reach in (0.6, 0.9):
        ranks = label_ranks(believed(plan(reach=reach), LISTS_QUESTIONS, noise(1)), LISTS_QUESTIONS.label)
        assert (ranks > 0).mean() == pytest.approx(reach, abs=0.03)


def test_ranks_are_those_of_a_plain_sort():
    belief = believed(plan(), LISTS_QUESTIONS, noise(1))
    ranks, order = label_ranks(belief, LISTS_QUESTIONS.label), top(belief, 60)
    for row in range(200):
        place = order[row].tolist().index(LISTS_QUESTIONS.label[row]) + 1
        assert ranks[row] in (0, place)
    assert mean_rr(np.array([1, 2, 0, 11])) == pytest.approx(1.5 / 4)


def test_a_keen_eye_of_true_taste_sees_the_best():
    belief = believed(plan(reach=0.999, eye=100.0, taste=0.0), LISTS_QUESTIONS, noise(1))
    assert (belief.argmax(axis=1) == LISTS_QUESTIONS.best).mean() > 0.97


def test_team_mates_share_more_noise_than_strangers():
    shared, team, other = noise(1), noise(2), noise(3)
    one, mate, stranger = shared.mixed(team, noise(4)), shared.mixed(team, noise(5)), shared.mixed(other, noise(6))
    assert one.ranking.std() == pytest.approx(1.0, abs=0.01)
    assert np.corrcoef(one.ranking.ravel(), mate.ranking.ravel())[0, 1] == pytest.approx(
        SHARES[0] + SHARES[1], abs=0.01
    )
    assert np.corrcoef(one.finding.ravel(), stranger.finding.ravel())[0, 1] == pytest.approx(SHARES[0], abs=0.01)
