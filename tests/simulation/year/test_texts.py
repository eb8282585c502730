"""Texts: every query asks something different, and documents say as much as their grade."""

import re

import numpy as np

from runoff.files import read_run
from runoff.simulation.year import YearConfig, simulate_year
from runoff.simulation.year.texts import ASPECTS, PLACES, PLANTS, YearTexts, document_lines, run_bytes

YEAR = simulate_year(YearConfig(public=150, private=30, deep=5, judged=5, seed=1))
TEXTS = YearTexts(YEAR)


def test_there_are_enough_different_queries_for_a_year():
    assert len(set(PLANTS)) * len(set(PLACES)) * len(set(ASPECTS)) >= 5500
    lines = list(TEXTS.query_lines())
    assert len({line.split("\t")[1] for line in lines}) == 180
    assert all(re.fullmatch(r"\d{6}\t[a-z][a-z ]+\n", line) for line in lines)


def test_documents_say_as_much_as_they_are_worth():
    grades = YEAR.questions.grades(YEAR.deep)
    for place, row in enumerate(YEAR.deep.tolist()):
        query = TEXTS.query(row)
        plant = next(one for one in PLANTS if re.search(rf"\b{one}\b", query))
        where = next(one for one in PLACES if one in query)
        for candidate, grade in enumerate(grades[place].tolist()):
            text = TEXTS.document(row, candidate)
            assert (plant in text.lower()) == (grade > 0)
            assert (where in text) == (grade in (0, 3))
            assert re.fullmatch(r"[A-Z0-9].+\.", text)


def test_all_labels_and_what_runs_show_first_have_a_text():
    lines = list(document_lines(YEAR, TEXTS))
    ids = [line.split("\t")[0] for line in lines]
    assert len(set(ids)) == len(ids)
    shown = {
        f"D{one}"
        for name in YEAR.ranked
        for queries, depth in ((~YEAR.is_public, 10), (YEAR.is_public, 3))
        for one in YEAR.documents(name)[queries, :depth].ravel().tolist()
    }
    labels = {f"D{YEAR.questions.documents[row, label]}" for row, label in enumerate(YEAR.questions.label.tolist())}
    assert set(ids) == shown | labels


def test_lines_equal_plain_formatting():
    rng = np.random.default_rng(0)
    numbers = rng.integers(10**5, 10**6, size=7)
    documents = rng.integers(10**6, 10**7, size=(7, 12))
    scores = rng.integers(10**5, 10**6, size=(7, 12))
    lines = [
        f"{number} Q0 D{document} {rank} {score / 10_000:.4f} tag-1\n"
        for number, row, points in zip(numbers, documents, scores, strict=True)
        for rank, (document, score) in enumerate(zip(row, points, strict=True), start=1)
    ]
    assert run_bytes(numbers, documents, scores, "tag-1") == "".join(lines).encode()


def test_they_are_a_run():
    numbers, documents = np.array([123456, 234567]), np.arange(10**6, 10**6 + 40).reshape(2, 20)
    scores = np.tile(np.arange(985_000, 985_000 - 20 * 14_000, -14_000), (2, 1))
    run = read_run(run_bytes(numbers, documents, scores, "x"), name="x")
    assert run.query_ids == ("123456", "234567")
    assert list(run.docs)[:2] == ["D1000000", "D1000001"]
