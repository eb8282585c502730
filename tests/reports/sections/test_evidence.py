import pytest

from runoff.reports.sections.evidence import EVIDENCE
from tests.reports.sections.made import inputs_of
from tests.reports.sections.test_outcomes import duels


def test_the_next_best_run_is_in_the_sentence_and_the_table():
    found = duels()
    content = EVIDENCE.content(inputs_of(3, duels=found))
    first = found[0]
    assert content.sentence.startswith(f"{first.challenger} against {first.champion}: ")
    assert content.tables[0].title == f"Evidence for {first.challenger} against {first.champion}"
    assert [chart.name for chart in content.charts] == ["evidence_matrix"]
    assert content.answer == f"{first.challenger} against {first.champion}: no line can tell"
    # corrected over the two challengers, as the verdicts are
    assert content.tables[0].values("p")[0] == pytest.approx(first.verdict.measure.p)


def test_without_a_second_run_the_reason_is_told():
    assert "no second run" in EVIDENCE.content(inputs_of(1)).sentence
