"""Sentences of a tally."""

from runoff.results.tally_sentences import findings
from runoff.tables import Preferences
from runoff.verbs.tally import tally
from tests.verbs.tallied import ANSWERS, CARELESS, MADE


def test_what_is_not_known_is_said():
    assert "No test pairs are known" in " ".join(findings(tally(ANSWERS)))
    assert "agreement is not known" in " ".join(findings(tally(ANSWERS, tasks=MADE.tasks)))


def test_failed_tests_are_said():
    said = " ".join(findings(tally(CARELESS, tasks=MADE.tasks)))
    assert "failed:" in said
    assert "to issue again" in said


def test_ties_alone():
    assert "preferred in no judgment" in " ".join(findings(tally(Preferences.of([("q", "a", "b", None)]))))
