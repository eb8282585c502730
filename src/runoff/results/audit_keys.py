"""The JSON of an audit, part by part; the keys are promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from runoff.boards.near_duplicates import NearDuplicatesResult
from runoff.boards.overfitting import TeamChange
from runoff.boards.submissions import SubmissionsResult
from runoff.results.audit_findings import violation_sentence
from runoff.results.audit_leaders import leader_test_keys
from runoff.results.audit_parts import Monitor, Orders
from runoff.results.audit_tables import declared, own_pairs, relation
from runoff.results.conditions import ScoredConditions
from runoff.results.tau_words import reference_keys
from runoff.tables.board import BoardRun

Keys = dict[str, object]


def condition_keys(scored: ScoredConditions, orders: Orders | None) -> list[Keys]:
    """The conditions; `leaders` are the run with the best mean and those that tie with it."""
    return [
        {
            "name": one.name,
            "query_set": one.query_set,
            "labels": one.labels,
            "measure": one.measure,
            "relevance_level": one.level,
            "queries": len(one.scores.query_ids),
            "set_queries": one.set_queries,
            "leaders": list(orders.leaders(place)) if orders else [],
            "leader_tests": leader_test_keys(orders, place),
        }
        for place, one in enumerate(scored.conditions)
    ]


def run_keys(
    runs: Sequence[BoardRun], scored: ScoredConditions, orders: Orders | None, show: Sequence[str]
) -> list[Keys]:
    """Scored runs first, the best under the first condition before the others, and then those without a file."""
    facts = {run.name: run for run in runs}
    ranked = orders.runs if orders else tuple(run.name for run in scored.runs)
    chosen = orders.chosen(show) if orders else ()
    names = [*ranked, *(name for name in facts if name not in ranked)]
    return [
        {
            "run": name,
            "team": facts[name].team,
            "date": _date(facts[name]),
            "baseline": facts[name].baseline,
            "variant_of": facts[name].variant_of,
            "shown": name in chosen,
            **_rank_keys(name, scored, orders),
            "missing_queries": {
                labels: counts[name] for labels, counts in scored.missing_queries.items() if name in counts
            },
            "published": dict(facts[name].scores),
        }
        for name in names
    ]


def _date(run: BoardRun) -> str | None:
    return run.date.isoformat() if run.date else None


def _rank_keys(name: str, scored: ScoredConditions, orders: Orders | None) -> Keys:
    """Means and ranks by condition; none for a run without a file."""
    has_scores = name in {run.name for run in scored.runs}
    means = {one.name: float(one.scores.of(name).mean()) for one in scored.conditions} if has_scores else {}
    if orders is None or not has_scores:
        return {"means": means, "expected_ranks": {}, "rank_intervals": {}, "rank_sets": {}, "spread": None}
    place = orders.place(name)
    found = dict(zip(means, orders.stabilities, strict=True))
    return {
        "means": means,
        "expected_ranks": {condition: float(one.expected_ranks[place]) for condition, one in found.items()},
        "rank_intervals": {condition: one.rank_intervals[place].tolist() for condition, one in found.items()},
        "rank_sets": {
            condition: one.rank_sets[place].tolist() for condition, one in zip(means, orders.decisions, strict=True)
        },
        "spread": orders.spread(name),
    }


def tau_keys(orders: Orders | None) -> list[Keys]:
    """Each two conditions, the least alike first."""
    return [
        {"first": one.first, "second": one.second, "tau": one.tau, "reference": reference_keys(one.reference)}
        for one in (orders.pairs() if orders else [])
    ]


def submission_keys(sent: SubmissionsResult, alike: NearDuplicatesResult | None) -> Keys:
    """The rule, every team, and the runs that cannot be checked."""
    broken = Counter(one.team for one in sent.violations)
    teams = [
        {
            "team": team.team,
            "runs": [run.name for run in team.runs],
            "first": _date(team.runs[0]),
            "last": _date(team.runs[-1]),
            "most_in_window": team.most_in_window,
            "variants": declared(team),
            "near_duplicates": len(own_pairs(team, alike)) if alike else None,
            "violations": broken[team.team],
        }
        for team in sent.teams
    ]
    return {"rule": asdict(sent.rule), "teams": teams, "unchecked": list(sent.unchecked)}


def violation_keys(sent: SubmissionsResult) -> list[Keys]:
    """Every submission that broke the rule, in order of date."""
    return [
        {
            "team": one.team,
            "kind": one.kind,
            "run": one.name,
            "date": one.date.isoformat(),
            "since": one.since.isoformat(),
            "runs": list(one.names),
            "sentence": violation_sentence(one, sent.rule),
        }
        for one in sent.violations
    ]


def duplicate_keys(alike: NearDuplicatesResult | None, runs: Mapping[str, BoardRun]) -> Keys | None:
    """The pairs of near-duplicates, the highest overlap first."""
    if alike is None:
        return None
    pairs = [{**asdict(pair), "relation": relation(runs[pair.first], runs[pair.second])} for pair in alike.pairs]
    return {"depth": alike.depth, "threshold": alike.threshold, "runs": len(alike.runs), "pairs": pairs}


def monitor_keys(monitor: Monitor | None) -> Keys | None:
    """The overfitting monitor, alarms first."""
    if monitor is None:
        return None
    return {
        "public": monitor.public.query_set,
        "private": monitor.private.query_set,
        "labels": monitor.public.labels,
        "public_queries": len(monitor.public.scores.query_ids),
        "private_queries": len(monitor.private.scores.query_ids),
        "in_both": monitor.both,
        "too_few": monitor.too_few,
        "alpha": monitor.alpha,
        "correction": "holm",
        "family_size": len(monitor.judged),
        "alarms": len(monitor.fired),
        "teams": [
            {
                **_change_keys(one.change),
                "p_corrected": one.alarm.p_corrected,
                "alarm": one.alarm.fired,
                "sentence": one.alarm.sentence,
            }
            for one in monitor.teams
        ],
        "field": [asdict(one) | {"date": one.date.isoformat()} for one in monitor.field],
    }


def _change_keys(change: TeamChange) -> Keys:
    listed = {"submissions": list(change.submissions)}
    interval = {"excess_ci95": list(change.excess_ci95) if change.excess_ci95 else None}
    return asdict(change) | listed | interval


def published_keys(changes: Sequence[TeamChange]) -> list[Keys]:
    """The changes of published means, the largest excess first."""
    return [_change_keys(one) for one in changes]
