"""The measure that is taken if none is named."""

import pytest

from runoff import board, calibrate, compare, evaluate, read_qrels, reliability
from runoff.measures.default import default_measure
from runoff.verbs.calibrate import CalibrationOptions


def labels(*grades_of_queries):
    rows = [
        f"q{query} 0 d{document} {grade}"
        for query, grades in enumerate(grades_of_queries)
        for document, grade in enumerate(grades)
    ]
    return read_qrels(("\n".join(rows) + "\n").encode())


@pytest.mark.parametrize(
    "qrels, measure, why",
    [
        (labels([1, 0, 0], [1], [1, 0]), "RR@10", "most queries have one relevant document"),
        (labels([1, 1], [1], [1]), "RR@10", "most queries have one relevant document"),
        (labels([1, 1], [1]), "RR@10", "only half of the queries have several relevant documents"),
        (labels([1, 1], [1, 1, 0], [1]), "nDCG@10", "most queries have several relevant documents"),
        (labels([2], [1]), "nDCG@10", "the labels have 2 grades above 0"),
        (labels([2], [2]), "RR@10", "most queries have one relevant document"),
        (labels([0.5], [1]), "nDCG@10", "the labels have 2 grades above 0"),
        (labels([0], [-1]), "RR@10", "nothing is relevant"),
        # Queries that nobody can answer say nothing about the others.
        (labels([0], [0], [0], [1, 1]), "nDCG@10", "most queries have several relevant documents"),
    ],
)
def test_the_measure_follows_from_the_labels(qrels, measure, why):
    assert default_measure(qrels) == (measure, f"No measure was named, so {measure} was chosen: {why}.")


@pytest.mark.parametrize(
    "file, measure",
    [
        ("dl21/qrels.nist.txt.gz", "nDCG@10"),
        ("robust03/qrels.txt.gz", "nDCG@10"),
        ("msmarco/qrels.msmarco-doc.dev.txt", "RR@10"),
        ("msmarco/qrels.msmarco-passage.dev-subset.txt", "RR@10"),
        ("msmarco/qrels.dl20-doc.txt", "nDCG@10"),
    ],
)
def test_real_labels(shared_data, file, measure):
    assert default_measure(read_qrels(shared_data / file))[0] == measure


def test_every_command_takes_the_same_and_says_why():
    qrels = {f"q{place}": {"a": 2, "b": 1} for place in range(6)}
    runs = {"one": {q: {"a": 2.0, "b": 1.0} for q in qrels}, "two": {q: {"b": 2.0, "a": 1.0} for q in qrels}}
    note = "No measure was named, so nDCG@10 was chosen: the labels have 2 grades above 0."
    compared = compare(runs["one"], runs["two"], qrels)
    scored, ranked, repeated = evaluate(runs, qrels), board(runs, qrels, trials=50), reliability(runs, qrels, splits=5)
    assert note in compared.remarks
    few = CalibrationOptions(sizes=[6], boards=2, only=["tests"])
    calibrated = calibrate(runs, qrels, options=few)
    seeds = [{f"{name}#{seed}": run for seed in (1, 2)} for name, run in runs.items()]
    of_seeds = compare(seeds[0], seeds[1], qrels)
    results = compared, scored, ranked, repeated, calibrated, of_seeds
    assert [result.measure_note for result in results] == [note] * 6
    assert calibrated.grids()[-1].notes[-1] == note
    assert [table.notes.count(note) for table in (scored.grid(), ranked.grid(), repeated.grid())] == [1, 1, 1]
    assert [result.to_dict()["measure_note"] for result in results[:-1]] == [note] * 5
    assert str(compared.measure) == ranked.ranks.measure == repeated.reliability.measure == "nDCG@10"


def test_a_board_of_one_run_says_why_too():
    ranked = board({"one": {"q": {"a": 1.0}}}, {"q": {"a": 1}}, trials=50)
    assert sum("so RR@10 was chosen" in note for note in ranked.grid().notes) == 1


def test_a_named_measure_needs_no_reason():
    scored = evaluate({"q": {"a": 1.0}}, {"q": {"a": 1}}, measures="AP")
    assert scored.to_dict()["measure_note"] == ""
    assert not any("was chosen" in note for note in scored.grid().notes)
