"""How often each planted thing is found, and what is flagged that nobody planted.

The table in docs/developers/simulation.md is printed by
`.venv/bin/python -m pytest tests/verbs/test_demo_findings.py -m proof -s`.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from runoff.boards import overfitting
from runoff.simulation.year import YearConfig, simulate_year
from runoff.tables import Scores
from runoff.verbs._demo_findings import findings_of, flagged_besides, private_ranks, true_ranks
from runoff.verbs.demo import demo as run_demo
from runoff.verdicts import overfitting_alarms
from tests.verbs.demos import shorter_demo


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return shorter_demo(tmp_path_factory).demo


def test_what_is_not_found_is_said(small):
    """With few queries the tests have no power, and the page must say so."""
    page = " ".join(small.to_text(100).split())
    assert page.count("Found: ") == sum(one.found for one in small.planted)
    assert page.count("Not found: ") == sum(not one.found for one in small.planted) > 0
    assert "\\n" not in small.to_html()
    assert {"one_too_many", "copy", "careless"} <= {one.key for one in small.planted if one.found}


def test_without_its_evidence_nothing_is_found(small):
    """Take the audit's findings away: then the same year has nothing to show for them."""
    audit, labels = small.analysis.audit, small.analysis.labels
    quiet = replace(
        audit,
        submissions=replace(audit.submissions, violations=()),
        near_duplicates=replace(audit.near_duplicates, pairs=()),
    )
    unchecked = replace(labels, checked=replace(labels.checked, excluded=()))
    found = {
        one.key: one
        for one in findings_of(
            small.year, replace(small.analysis, report=replace(small.analysis.report, audit=quiet), labels=unchecked)
        )
    }
    for key, words in (
        ("one_too_many", "No submission of that team breaks the rule."),
        ("copy", "not near enough"),
        ("careless", "is not excluded"),
    ):
        assert not found[key].found
        assert words in found[key].evidence


def test_flags_that_nobody_planted_are_listed(small):
    audit, labels = small.analysis.audit, small.analysis.labels
    other = replace(audit.submissions.violations[0], name="amstel-1")
    pair = replace(audit.near_duplicates.pairs[0], second="amstel-1")
    more = replace(
        audit,
        submissions=replace(audit.submissions, violations=(other,)),
        near_duplicates=replace(audit.near_duplicates, pairs=(pair,)),
    )
    wrong = replace(labels, checked=replace(labels.checked, excluded=("assessor-01",)))
    said = flagged_besides(
        small.year, replace(small.analysis, report=replace(small.analysis.report, audit=more), labels=wrong)
    )
    assert sum("amstel-1" in one for one in said) >= 2
    assert "assessor-01 is careful and was excluded." in said


def test_ranks(small):
    assert sorted(private_ranks(small.analysis).values()) == list(range(1, 41))
    ranks = true_ranks(small.year)
    assert ranks["ebro-3"] == 1
    assert ranks["indus-3"] == ranks["jordan-2"]


@pytest.mark.proof
def test_who_is_accused_over_fifty_seeds():
    """Scores straight from the lists of the simulated years: the same alarms as from their files."""
    accused = {seed: _accused(simulate_year(YearConfig(seed=seed))) for seed in range(50)}
    found = sum("Clyde" in teams for teams in accused.values())
    clean = [seed for seed, teams in accused.items() if teams - {"Clyde"}]
    print(f"| Clyde | {found} of 50 |\n| a clean team | seeds {clean} |")  # noqa: T201
    assert accused[0] == {"Clyde"}
    assert found >= 45
    assert len(clean) <= 5


def _accused(year):
    hits = {name: ranked[:, :10] == year.questions.label[:, None] for name, ranked in year.ranked.items()}
    values = np.column_stack([one.any(axis=1) / (1 + one.argmax(axis=1)) for one in hits.values()])
    public, private = (
        Scores(measure="RR@10", query_ids=tuple(np.array(year.questions.query_ids)[kept].tolist()), runs=tuple(hits),
               values=values[kept])
        for kept in (year.is_public, ~year.is_public)
    )  # fmt: skip
    teams = {plan.team: [one.name for one in year.cast if one.team == plan.team]
             for plan in year.cast if not plan.baseline}  # fmt: skip
    return {one.team for one in overfitting_alarms(overfitting(public, private, teams)) if one.fired}


@pytest.mark.proof
def test_most_seeds_find_everything(tmp_path):
    """Twenty seeds at full size: each planted thing is found in at least 16 of them."""
    seeds = range(1, 21)
    found: Counter[str] = Counter()
    besides: Counter[str] = Counter()
    for seed in seeds:
        result = run_demo(tmp_path / "year", seed=seed)
        found.update(one.key for one in result.planted if one.found)
        besides["seeds with a false alarm for a clean team"] += any("got an alarm" in one for one in result.besides)
        besides["clean teams with a false alarm"] += sum("got an alarm" in one for one in result.besides)
        besides["other flags"] += sum("got an alarm" not in one for one in result.besides)
    for key, count in [*found.items(), *besides.items()]:
        print(f"| {key} | {count} |")  # noqa: T201
    assert all(found[key] >= 16 for key in found)
    assert len(found) == 7
    assert besides["seeds with a false alarm for a clean team"] <= 3
    assert besides["other flags"] == 0
