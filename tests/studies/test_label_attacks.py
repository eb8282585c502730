"""Attacks on hidden labels, in small: what is decoded is what all labels that fit have in common."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from runoff.boards import ladder
from runoff.errors import UsageError
from runoff.tables.scores import Scores
from studies.label_attacks import (
    AttackConfig,
    attack_table,
    climb_table,
    found_by_both,
    is_released,
    shown_numbers,
    simulate_attack,
    simulate_best,
    simulate_climb,
)
from studies.label_decoding import Sums, chances_of


def test_chances_are_those_of_all_labels_that_fit():
    """Against the labels one by one: every vector of 9 labels whose sums are rounded to what is known."""
    draw = np.random.default_rng(3)
    for unit in (0.5, 1.0, 3.0):
        errors, sides = [], []
        for _ in range(40):
            rows = (draw.random((4, 9)) < 0.5) / draw.choice([1, 2, 4], (4, 9))
            right = draw.random(9) < 0.5
            rounded = np.round(rows @ right / unit) * unit
            fits = [
                labels
                for labels in itertools.product([0.0, 1.0], repeat=9)
                if np.all(np.abs(rows @ labels - rounded) <= unit / 2 + 1e-9)
            ]
            exact = np.mean(fits, axis=0)
            known = Sums(rows, rounded, np.full(4, unit**2 / 12), np.full(4, unit / 2))
            chances = chances_of(known, prior=0.5)
            errors += np.abs(chances - exact).tolist()
            clear = np.abs(exact - 0.5) > 0.3
            sides += ((chances > 0.5) == (exact > 0.5))[clear].tolist()
        # It is an approximation: close on average, and on the right side where there is a clear one.
        assert np.mean(errors) < 0.15
        assert np.mean(sides) > 0.9


def test_what_is_shown():
    right = np.array([True, False, True, True])
    shown = shown_numbers(np.array([1.0, 1.0, 0.5, 0.0]), right, 2)
    assert set(shown) == {"mean", "low", "high"}
    assert shown["mean"] == 0.38
    assert shown["low"] < shown["mean"] < shown["high"]
    assert found_by_both(np.array([1.0, 1, 1, 0]), np.array([0.5, 1, 0, 1]), right, 2) == 0.25


def test_more_submissions_more_digits_and_more_numbers_decode_more():
    def decoded(**change):
        base = {"queries": 60, "digits": 3, "submissions": 6, **change}
        return np.mean([result.decoded for result in simulate_best(AttackConfig(**base), trials=8)])

    assert decoded(submissions=2) < decoded() < decoded(submissions=12)
    assert decoded(digits=1) < decoded(digits=3)
    assert decoded(read="means") < decoded() < decoded(read="pairs")
    assert decoded(ladder=True, submissions=12) < decoded(submissions=12)
    assert decoded(submissions=12, read="pairs") == 1


def test_runs_are_released_as_on_a_server():
    draw = np.random.default_rng(9)
    answers = []
    for _ in range(200):
        values = draw.choice([0.0, 0.25, 0.5, 1.0], (20, 2))
        scores = Scores(measure="RR@10", query_ids=tuple(map(str, range(20))), runs=("best", "new"), values=values)
        answers.append(is_released(values[:, 1], values[:, 0]))
        assert answers[-1] == ladder(scores, scores.runs)[-1].moved
    assert 20 < sum(answers) < 180


def test_what_was_released_tells_labels_also_without_digits():
    config = AttackConfig(queries=100, digits=1, ladder=True, submissions=50, design="growing")
    results = [simulate_attack(replace(config, seed=seed)) for seed in range(4)]
    # Two guesses each, shown where both are right: of a quarter of the 50 runs both labels are known.
    assert np.mean([result.released for result in results]) == pytest.approx(50 / 4, abs=4)
    assert np.mean([result.decoded for result in results]) > 0.3


def test_hidden_queries_are_found_by_those_who_know_all_labels():
    result = simulate_attack(AttackConfig(queries=60, digits=3, hidden=0.3, submissions=12, read="pairs"))
    assert (result.decoded, result.apart, result.released) == (1, 1, 12)
    assert simulate_attack(AttackConfig(queries=60, hidden=0.3, submissions=1, digits=1)).apart < 0.3


def test_boosting_gains_less_than_decoding():
    configs = [AttackConfig(queries=100, submissions=24, seed=seed) for seed in range(40)]
    gain = np.mean([simulate_climb(config).gain for config in configs])
    # sqrt(2 / pi) sqrt(runs / queries) / 2, from normal approximations of vote and score.
    assert gain == pytest.approx(np.sqrt(2 / np.pi) * np.sqrt(24 / 100) * np.sqrt(2 / np.pi) / 2, abs=0.06)
    assert gain < np.mean([simulate_attack(config).gain for config in configs[:3]])


def test_tables_have_a_row_per_setting():
    lines = list(attack_table([AttackConfig(queries=20, hidden=0.3), AttackConfig(queries=20)], (2, 3), trials=1))
    assert len(lines) == 4
    assert all(line.count("|") == 8 for line in lines)
    assert len(list(climb_table((2,), trials=1))) == 8


def test_impossible_attacks_are_refused():
    with pytest.raises(UsageError, match="digits is 0; expected 1 to 6"):
        AttackConfig(digits=0)
