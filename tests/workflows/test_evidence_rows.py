"""A row per pair, a sign per line."""

import json

from runoff.workflows.evidence_rows import BoardEvidenceResult
from tests.reports.charts.examples import evidence_of


def test_signs_and_counts():
    rows = BoardEvidenceResult(title="T", measure="AP", which="first", evidence=tuple(evidence_of(["a", "b", "c"])))
    grid = rows.grid()
    assert grid.values("t") == ("+", "+", "+")
    assert grid.values("ipso") == ("·", "·", "-")
    assert grid.values("favour_champion") == (0, 1, 2)
    assert grid.values("kind") == ("lean", "conflict", "conflict")
    assert rows.opening(80)[0] == (
        "Evidence about 3 pairs of runs: on 1 some favours one run and none the other; on 2 it conflicts."
    )
    assert json.loads(rows.to_json())["pairs"][2]["favour_champion"] == 2
