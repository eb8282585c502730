"""All evidence about one pair, as a result of its own."""

import json

from tests.verbs.comparisons import clear_comparison, comparison_of


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
    assert f"{len(found.counted)} lines of evidence" in found.sentence
