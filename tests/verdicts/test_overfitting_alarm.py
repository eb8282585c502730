"""The overfitting alarm."""

from typing import Any

import pytest

from runoff.boards.overfitting import OverfittingResult, TeamChange
from runoff.errors import UsageError
from runoff.verdicts.overfitting_alarm import overfitting_alarms


def change(team, p):
    found: dict[str, Any] = (
        {} if p is None else {"ratio": 0.5, "expected_private": 0.025, "excess": 0.015, "standard_error": 0.01}
    )
    return TeamChange(
        team=team, first="a", last="b", submissions=("a", "c", "b"), change_public=0.05, change_private=0.01, others=3,
        p=p, unjudged="it is new" if p is None else None, **found,
    )  # fmt: skip


def alarms(*ps, **options):
    teams = tuple(change(f"T{place}", p) for place, p in enumerate(ps))
    result = OverfittingResult(measure="RR@10", public_queries=5193, private_queries=800, teams=teams)
    return overfitting_alarms(result, **options)


FACTS = "From a to b, {} changed its mean RR@10 by +0.0500 on 5,193 public and by +0.0100 on 800 private queries. "
RATE = "At the other teams' rate +0.0250 would be expected on private queries: "


def test_holm_over_the_teams_that_can_be_judged():
    found = alarms(0.02, None, 0.012, 0.5)
    assert [one.p_corrected for one in found] == pytest.approx([0.04, None, 0.036, 0.5])
    assert [one.fired for one in found] == [True, False, True, False]
    assert [one.fired for one in alarms(0.02, None, 0.012, 0.5, alpha=0.04)] == [False, False, True, False]
    assert [one.fired for one in alarms(0.02, 0.012, 0.5, 0.6)] == [False, True, False, False]


def test_sentences():
    fired, unjudged, quiet = alarms(0.001, None, 0.4)
    assert fired.sentence == (
        FACTS.format("T0")
        + RATE
        + "the shortfall of 0.0150 is more than chance explains (p = 0.0020, Holm-corrected over 2 teams)."
    )
    assert unjudged.sentence == FACTS.format("T1") + "Whether it overfitted cannot be judged: it is new."
    assert quiet.sentence == (
        FACTS.format("T2") + RATE + "no overfitting is shown (p = 0.4000, Holm-corrected over 2 teams)."
    )


def test_nobody_to_judge():
    assert alarms() == ()
    assert [one.fired for one in alarms(None)] == [False]
    with pytest.raises(UsageError, match="alpha=0"):
        alarms(0.5, alpha=0)
