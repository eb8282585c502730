"""The queries of a year: distinct documents, imperfect labels, grades by true value."""

import numpy as np
import pytest

from runoff.simulation.year.questions import CANDIDATES, LABEL_EYE, draw_label, draw_questions, seen

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
