import pytest

from runoff.reports.sections.evidence import EVIDENCE
from runoff.significance import PairedT
from runoff.verdicts import MoreEvidence, evidence_of, together
from tests.reports.sections.made import inputs_of
from tests.reports.sections.test_outcomes import comparisons


def content_of(found, more=None):
    policy = found[0].verdict.policy
    lines = [evidence_of(comparison.evidence, comparison.tests, policy, more) for comparison in found]
    return EVIDENCE.content(inputs_of(3, comparisons=found, evidence=together(lines, policy)))


def test_the_next_best_run_is_in_the_sentence_and_the_table():
    found = comparisons()
    content = content_of(found)
    first = found[0]
    assert content.sentence.startswith(f"{first.challenger} against {first.champion}: ")
    assert content.tables[0].title == f"Evidence for {first.challenger} against {first.champion}"
    assert [chart.name for chart in content.charts] == ["evidence_matrix"]
    assert content.answer == f"{first.challenger} against {first.champion}: no evidence of a difference"
    # corrected over the two challengers, as the verdicts are
    assert content.tables[0].values("p")[0] == pytest.approx(first.verdict.measure.p)


def test_where_no_line_shows_a_difference_it_says_which_would_go_undetected():
    found = comparisons()
    power = found[0].powers[0]
    assert abs(power.observed) < power.smallest
    assert content_of(found).paragraphs[0] == (
        f"There may still be a difference: with 30 queries, differences of the mean RR@10 below {power.smallest:.4f} "
        f"usually go undetected (80% power at {power.level:.2g}); {abs(power.observed):.4f} was observed."
    )


def test_evidence_from_private_queries_is_a_line_of_its_own():
    private = PairedT().compare([0.1, 0.2, 0.3, 0.4], [0.5, 0.5, 0.6, 0.9])
    content = content_of(comparisons(), MoreEvidence(elsewhere=("private", private)))
    assert content.tables[0].values("evidence")[-1] == "private queries"
    assert "favours" in content.sentence
    assert len(content.paragraphs) == 2  # a line shows a difference, so nothing is said of those that go undetected


def test_without_a_second_run_there_is_none():
    assert EVIDENCE.content(inputs_of(1)) is None
