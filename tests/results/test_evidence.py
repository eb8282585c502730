"""All evidence about one pair, or several: a row per line, a row per pair, a sign per line."""

import json

from runoff.results.evidence import BoardEvidenceResult, evidence_grid
from tests.display.charts.examples import evidence_of
from tests.verbs.comparisons import clear_comparison, comparison_of


def test_rows_say_for_whom():
    found = evidence_of(["old", "new"])[1]
    grid = evidence_grid(found, "RR@10")
    assert grid.values("favours") == ("new", "old", "neither")
    assert set(grid.values("basis")) == {"RR@10"}
    assert grid.notes[0] == "Votes and ranks are new : old. Each line is decided by itself at 0.05, not corrected."
    assert grid.notes[1] == found.caution


def test_it_has_the_lines_and_what_could_have_been_seen():
    comparison = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    found = comparison.evidence_table()
    assert [grid.title for grid in found.grids()] == [grid.title for grid in reversed(comparison.grids()[-2:])]
    assert "usually go undetected (80% power" in found.opening(80)[1]
    content = json.loads(found.to_json())
    assert (content["champion"], content["challenger"]) == ("champion", "challenger")
    assert content["resolution"].items() <= json.loads(comparison.to_json())["resolution"].items()
    assert content["lines"] == json.loads(comparison.to_json())["evidence"]["lines"]
    assert found.chart().name == "evidence_matrix"


def test_a_clear_comparison_agrees():
    assert clear_comparison().evidence_table().opening(80) == (
        f"challenger against champion: {clear_comparison().lines.sentence}",
    )
    assert clear_comparison().lines.kind == "agree"


def test_of_several_tests_of_the_measure_one_counts():
    found = clear_comparison().evidence_table().evidence
    by_basis = {line.key: line.counts for line in found.lines if line.basis == "scores"}
    assert by_basis == {"t": True} | dict.fromkeys(set(by_basis) - {"t"}, False)
    assert {"more", "sooner"} <= {line.key for line in found.lines if line.counts}
    assert f"{sum(line.counts for line in found.lines)} lines of evidence" in found.sentence


def test_signs_and_counts():
    rows = BoardEvidenceResult(title="T", measure="AP", which="first", evidence=tuple(evidence_of(["a", "b", "c"])))
    grid = rows.grid()
    assert grid.values("t") == ("+", "+", "+")
    assert grid.values("ipso") == ("·", "·", "-")
    assert grid.values("favour_champion") == (0, 1, 2)
    assert grid.values("kind") == ("lean", "conflict", "conflict")
    assert rows.opening(80)[0] == (
        "Evidence about 3 pairs of runs: on 1 some lines favour one run and none the other; on 2 lines "
        "contradict each other."
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
