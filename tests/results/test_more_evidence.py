"""What is gathered beside a comparison."""

from runoff.comparisons import recall_paired, recall_paired_tests
from runoff.comparisons._example import serps_from
from runoff.comparisons.options import CompareOptions
from runoff.results.more_evidence import more_of
from runoff.verdicts import MoreEvidence, Votes

PAIR = serps_from("0110", "1000", relevant=2), serps_from("1001", "0100", relevant=2)
VOTES = Votes(challenger=2, champion=1, even=0, asked=3, p=1.0)


def test_lists_add_recall_paired_preference():
    more = more_of(PAIR, CompareOptions(measure="RR@4"), MoreEvidence(votes=VOTES))
    assert more.recall_paired == recall_paired_tests(recall_paired(*PAIR))
    assert more.votes == VOTES


def test_without_lists_nothing_is_added():
    assert more_of(None, None, MoreEvidence(votes=VOTES)) == MoreEvidence(votes=VOTES)
