"""Sentences of a tally."""

from runoff.tables import Preferences
from runoff.workflows.tally import tally
from runoff.workflows.tally_sentences import findings
from tests.workflows.tallied import ANSWERS, CARELESS, MADE


def test_what_is_not_known_is_said():
    assert "No test pairs are known" in " ".join(findings(tally(ANSWERS)))
    assert "agreement is not known" in " ".join(findings(tally(ANSWERS, tasks=MADE.tasks)))


def test_failed_tests_are_said():
    said = " ".join(findings(tally(CARELESS, tasks=MADE.tasks)))
    assert "failed:" in said
    assert "to issue again" in said


def test_ties_alone():
    assert "preferred in no judgment" in " ".join(findings(tally(Preferences.of([("q", "a", "b", None)]))))
