"""The result of an audit: what was found about the order, the submissions and the teams of a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from runoff.boards.near_duplicates import NearDuplicatesResult
from runoff.boards.overfitting import TeamChange
from runoff.boards.submissions import SubmissionsResult
from runoff.display import Grid, Shown
from runoff.display.rows import keys_of, row_dict
from runoff.phrases import counted
from runoff.results import audit_findings as findings
from runoff.results import audit_tables as tables
from runoff.results.audit_findings import leader_grid, leader_sentences, leader_test_keys, violation_sentence
from runoff.results.audit_parts import Monitor, Orders, ScoredConditions
from runoff.results.audit_tables import declared, own_pairs, relation
from runoff.results.tau_words import reference_keys
from runoff.tables.board import BoardRun

if TYPE_CHECKING:
    from runoff.display.charts import Chart

Keys = dict[str, object]


def condition_keys(scored: ScoredConditions, orders: Orders | None) -> list[Keys]:
    """The conditions; `leaders` are the run with the best mean and those that tie with it."""
    return [
        {
            **keys_of(condition, "name query_set labels measure relevance_level=level"),
            "queries": len(condition.scores.query_ids),
            "set_queries": condition.set_queries,
            "leaders": list(orders.leaders(place)) if orders else [],
            "leader_tests": leader_test_keys(orders, place),
        }
        for place, condition in enumerate(scored.conditions)
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
            **keys_of(facts[name], "run=name team date baseline variant_of"),
            "shown": name in chosen,
            **_rank_keys(name, scored, orders),
            "missing_queries": {
                labels: counts[name] for labels, counts in scored.missing_queries.items() if name in counts
            },
            "published": dict(facts[name].scores),
        }
        for name in names
    ]


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
        {**keys_of(pair, "first second tau"), "reference": reference_keys(pair.reference)}
        for pair in (orders.pairs() if orders else [])
    ]


def submission_keys(sent: SubmissionsResult, alike: NearDuplicatesResult | None) -> Keys:
    """The rule, every team, and the runs that cannot be checked."""
    broken = Counter(one.team for one in sent.violations)
    teams = [
        {
            "team": team.team,
            "runs": [run.name for run in team.runs],
            **keys_of(team, "first=runs.0.date last=runs.-1.date most_in_window"),
            "variants": declared(team),
            "near_duplicates": len(own_pairs(team, alike)) if alike else None,
            "violations": broken[team.team],
        }
        for team in sent.teams
    ]
    return {"rule": row_dict(sent.rule), "teams": teams, "unchecked": list(sent.unchecked)}


def violation_keys(sent: SubmissionsResult) -> list[Keys]:
    """Every submission that broke the rule, in order of date."""
    return [
        {
            **keys_of(violation, "team kind run=name date since runs=names"),
            "sentence": violation_sentence(violation, sent.rule),
        }
        for violation in sent.violations
    ]


def duplicate_keys(alike: NearDuplicatesResult | None, runs: Mapping[str, BoardRun]) -> Keys | None:
    """The pairs of near-duplicates, the highest overlap first."""
    if alike is None:
        return None
    pairs = [{**row_dict(pair), "relation": relation(runs[pair.first], runs[pair.second])} for pair in alike.pairs]
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
            {**row_dict(team.change), **keys_of(team.alarm, "p_corrected alarm=fired sentence")}
            for team in monitor.teams
        ],
        "field": [row_dict(day) for day in monitor.field],
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class AuditResult(Shown):
    """An audit of a board.

    runs             all runs of the board, in its order
    scored           the scores under each condition
    orders           the ranks under each condition; None with fewer than two runs that have files
    shown            the runs whose ranks were asked for; a choice is made if empty
    near_duplicates  None with fewer than two runs that have files
    lacking          which of the public and private query sets the board has not
    monitor          None where the board has not both query sets, with labels
    published        changes of published means, of the teams that the monitor has not
    """

    title: str
    measure: str
    trials: int
    seed: int
    runs: tuple[BoardRun, ...]
    scored: ScoredConditions
    orders: Orders | None
    shown: tuple[str, ...]
    submissions: SubmissionsResult
    near_duplicates: NearDuplicatesResult | None
    lacking: tuple[str, ...]
    monitor: Monitor | None
    published: tuple[TeamChange, ...]

    @property
    def has_findings(self) -> bool:
        """Whether a submission broke the rule or a team got an alarm."""
        return bool(self.submissions.violations or (self.monitor and self.monitor.fired))

    @property
    def has_something(self) -> bool:
        """Whether there is more to say than that nothing was found: several conditions, teams, or copies."""
        several = self.orders is not None and self.orders.generalization is not None
        alike = self.near_duplicates is not None and bool(self.near_duplicates.pairs)
        return several or alike or bool(self.monitor or self.published or self.submissions.teams)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was left out of the conditions, and what runs lack."""
        return tuple(findings.scoring_notes(self.scored, self._facts))

    @cached_property
    def _facts(self) -> dict[str, BoardRun]:
        return {run.name: run for run in self.runs}

    def headline(self) -> str:
        """Where the leader leads, and how many rules were broken and alarms fired, in a few words."""
        several = self.orders is not None and self.orders.generalization is not None
        parts = [findings.where_it_leads(self.orders)] if self.orders and several else ["only one condition"]
        broken = len({(one.team, one.name) for one in self.submissions.violations})
        alarms = len(self.monitor.fired) if self.monitor else 0
        parts += [f"{counted(broken, 'submission')} against the rule"] if broken else []
        parts += [counted(alarms, "overfitting alarm")] if alarms else []
        return "; ".join(parts)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """The findings in a few sentences."""
        said = [f"Audit of {self.title}: {findings.board_words(self.runs, self.scored)}."]
        if self.orders:
            said += findings.order_sentences(self.orders)
            said += leader_sentences(self.orders)
        else:
            said.append(f"{self._why_no_order()}, so there is no order to look at.")
        said.append(findings.submission_sentence(self.submissions))
        if self.near_duplicates:
            said.append(findings.duplicate_sentence(self.near_duplicates, self._facts))
        if self.monitor:
            leading = self._facts[self.orders.runs[0]].team if self.orders else ""
            said += findings.monitor_sentences(self.monitor, leading)
        else:
            said.append(findings.why_no_monitor(self.lacking, has_means=bool(self.published)))
        if not (self.orders and self.orders.generalization):
            said += self.notes
        return tuple(said)

    def _why_no_order(self) -> str:
        return "No run has a file" if not self.scored.runs else "Only one run has a file"

    def grid(self) -> Grid:
        """The expected ranks under each condition; where there are no conditions to compare, the submissions."""
        return self.grids()[0]

    def grids(self) -> tuple[Grid, ...]:
        """Every table that has something to say."""
        grids = []
        if self.orders and self.orders.generalization:
            grids.append(tables.rank_grid(self.orders, self._facts, self.shown))
            grids.append(tables.condition_grid(self.orders, self.notes))
            led = leader_grid(self.orders)
            grids += [led] if led else []
            grids += tables.tau_grids(self.orders)
        if self.monitor and self.monitor.teams:
            grids += [tables.monitor_grid(self.monitor), tables.field_grid(self.monitor)]
        if self.published:
            grids.append(tables.published_grid(self.published, self.measure))
        if self.submissions.violations:
            grids.append(tables.violation_grid(self.submissions))
        sent = tables.submission_grid(self.submissions, self.near_duplicates)
        grids += [sent] if sent.rows else []
        if self.near_duplicates and self.near_duplicates.pairs:
            grids.append(tables.duplicate_grid(self.near_duplicates, self._facts))
        return tuple(grids) or (sent,)

    def charts(self) -> tuple[Chart, ...]:
        """Craswell et al.'s Figure 4, and the overfitting monitor; what the board has of them."""
        from runoff.display.charts import Conditions, Overfitting
        from runoff.display.charts.generalization import MOST

        charts: list[Chart] = []
        if self.orders and self.orders.generalization:
            charts.append(Conditions(self.orders.generalization, self.orders.highlighted(self.shown, MOST)))
        if self.monitor and self.monitor.teams:
            charts.append(Overfitting(self.monitor.result))
        return tuple(charts)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff audit --format json`."""
        return {
            **keys_of(self, "title measure trials seed"),
            "findings": list(self.opening(0)),
            "conditions": condition_keys(self.scored, self.orders),
            "left_out": [{"query_set": query_set, "labels": labels} for query_set, labels in self.scored.left_out],
            "runs": run_keys(self.runs, self.scored, self.orders, self.shown),
            "taus": tau_keys(self.orders),
            "submissions": submission_keys(self.submissions, self.near_duplicates),
            "violations": violation_keys(self.submissions),
            "near_duplicates": duplicate_keys(self.near_duplicates, self._facts),
            "overfitting": monitor_keys(self.monitor),
            "published": [row_dict(change) for change in self.published],
        }
