"""The overfitting alarm."""

import pytest

from runoff.boards.overfitting import OverfittingResult
from runoff.verdicts.overfitting_alarm import overfitting_alarm


def result(plain, safe, best="b"):
    return OverfittingResult(
        team="T",
        first="a",
        best=best,
        submissions=("a", "b", "c"),
        measure="RR@10",
        change_public=0.05,
        change_private=0.01,
        excess=0.04,
        excess_ci95=plain,
        simultaneous_ci95=safe,
        public_queries=5193,
        private_queries=800,
        trials=1000,
        seed=0,
    )


FACTS = (
    "From a to b, the best on public of 3 submissions, T changed its mean RR@10 by +0.0500 on 5,193 public and by "
    "+0.0100 on 800 private queries: "
)
INTERVAL = "(excess +0.0400, 95% interval {} over all its submissions)."


@pytest.mark.parametrize(
    "plain, safe, fired, from_picking, words",
    [
        ((0.02, 0.06), (0.01, 0.07), True, False, "it gains more on the public queries than luck explains"),
        ((0.01, 0.07), (0.0, 0.08), False, True, "the excess is no more than picking the best of its submissions can "),
        ((0.0, 0.08), (-0.01, 0.09), False, False, "it is not shown to gain more on the public queries"),
        ((0.0, 0.08), (0.01, 0.07), False, False, "it is not shown to gain more on the public queries"),
    ],
)
def test_an_alarm_needs_both_intervals_above_zero(plain, safe, fired, from_picking, words):
    alarm = overfitting_alarm(result(plain, safe))
    assert (alarm.team, alarm.fired, alarm.from_picking) == ("T", fired, from_picking)
    assert alarm.sentence.startswith(FACTS + words)
    assert alarm.sentence.endswith(INTERVAL.format(f"{safe[0]:+.4f} to {safe[1]:+.4f}"))


def test_nothing_to_explain():
    alarm = overfitting_alarm(result((0.0, 0.0), (0.0, 0.0), best="a"))
    assert not alarm.fired
    assert alarm.sentence == "T has not improved on the public queries since a: there is nothing to explain."
