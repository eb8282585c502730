"""A row per pair, a sign per line."""

import json

from runoff.results.evidence_rows import BoardEvidenceResult
from tests.display.charts.examples import evidence_of


def test_signs_and_counts():
    rows = BoardEvidenceResult(title="T", measure="AP", which="first", evidence=tuple(evidence_of(["a", "b", "c"])))
    grid = rows.grid()
    assert grid.values("t") == ("+", "+", "+")
    assert grid.values("ipso") == ("·", "·", "-")
    assert grid.values("favour_champion") == (0, 1, 2)
    assert grid.values("kind") == ("lean", "conflict", "conflict")
    assert rows.opening(80)[0] == (
        "Evidence about 3 pairs of runs: on 1 some lines favour one run and none the other; on 2 lines speak "
        "against each other."
    )
    assert json.loads(rows.to_json())["pairs"][2]["favour_champion"] == 2


def test_what_could_have_been_seen_has_a_column():
    evidence = tuple(evidence_of(["a", "b", "c"]))
    rows = BoardEvidenceResult(title="T", measure="AP", which="first", evidence=evidence, seen=(0.1, None, 0.2))
    assert rows.grid().values("seen_from") == (0.1, None, 0.2)
    assert [one["seen_from"] for one in json.loads(rows.to_json())["pairs"]] == [0.1, None, 0.2]
    assert "80% power at level 0.017" in rows.grid().notes[1]
    bare = BoardEvidenceResult(title="T", measure="AP", which="first", evidence=evidence)
    assert not any(column.name == "seen_from" for column in bare.grid().columns)
