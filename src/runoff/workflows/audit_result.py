"""The result of an audit: what was found about the order, the submissions and the teams of a board."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from functools import cached_property

from runoff.boards.near_duplicates import NearDuplicatesResult
from runoff.boards.published_changes import PublishedChange
from runoff.boards.submissions import SubmissionsResult, TeamSubmissions
from runoff.reports import Grid, Shown
from runoff.tables.board import BoardRun
from runoff.workflows import audit_findings as findings
from runoff.workflows import audit_tables as tables
from runoff.workflows.audit_conditions import ScoredConditions
from runoff.workflows.audit_parts import Monitor, Orders, TeamAlarm


@dataclass(frozen=True, kw_only=True, eq=False)
class AuditResult(Shown):
    """An audit of a board.

    runs             all runs of the board, in its order
    scored           the scores under each condition
    orders           the ranks under each condition; None with fewer than two runs that have files
    shown            the runs whose ranks were asked for; a choice is made if empty
    near_duplicates  None with fewer than two runs that have files
    public, private  the names of the query sets of the monitor
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
    public: str
    private: str
    monitor: Monitor | None
    published: tuple[PublishedChange, ...]

    @property
    def has_findings(self) -> bool:
        """Whether a submission broke the rule or a team got an alarm."""
        return bool(self.submissions.violations or (self.monitor and self.monitor.fired))

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was left out of the conditions, and what runs lack."""
        return tuple(findings.scoring_notes(self.scored, self._facts))

    @cached_property
    def _facts(self) -> dict[str, BoardRun]:
        return {run.name: run for run in self.runs}

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """The findings in a few sentences."""
        said = [f"Audit of {self.title}: {findings.counted(len(self.runs), 'run')}."]
        if self.orders:
            said += findings.order_sentences(self.orders)
        else:
            said.append(f"{self._why_no_order()}, so there is no order to look at.")
        said.append(findings.submission_sentence(self.submissions))
        if self.near_duplicates:
            said.append(findings.duplicate_sentence(self.near_duplicates, self._facts))
        if self.monitor:
            said += findings.monitor_sentences(self.monitor)
        elif self.published:
            said.append("Changes of published means have no interval, so there is no alarm of overfitting.")
        else:
            said.append(f"The overfitting monitor needs {self._what_the_monitor_needs()}.")
        if not (self.orders and self.orders.generalization):
            said += self.notes
        return tuple(said)

    def _why_no_order(self) -> str:
        return "No run has a file" if not self.scored.runs else "One run only has a file"

    def _what_the_monitor_needs(self) -> str:
        return f"runs with files, and query sets {self.public} and {self.private} that have labels"

    def grid(self) -> Grid:
        """The expected ranks under each condition; where there are no conditions to compare, the submissions."""
        return self.grids()[0]

    def grids(self) -> tuple[Grid, ...]:
        """Every table that has something to say."""
        grids = []
        if self.orders and self.orders.generalization:
            grids.append(tables.rank_grid(self.orders, self._facts, self.shown))
            grids.append(tables.condition_grid(self.orders, self.notes))
            grids.append(tables.tau_grid(self.orders))
        if self.monitor and self.monitor.teams:
            grids.append(tables.monitor_grid(self.monitor))
        if self.published:
            grids.append(tables.published_grid(self.published, self.measure))
        if self.submissions.violations:
            grids.append(tables.violation_grid(self.submissions))
        if not grids or any(len(team.runs) > 1 for team in self.submissions.teams):
            grids.append(tables.submission_grid(self.submissions, self.near_duplicates))
        if self.near_duplicates and self.near_duplicates.pairs:
            grids.append(tables.duplicate_grid(self.near_duplicates, self._facts))
        return tuple(grids)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff audit --format json`."""
        return {
            "title": self.title,
            "measure": self.measure,
            "trials": self.trials,
            "seed": self.seed,
            "findings": list(self.opening(0)),
            "conditions": self._conditions(),
            "left_out": [{"query_set": query_set, "labels": labels} for query_set, labels in self.scored.left_out],
            "runs": self._runs(),
            "taus": [
                {"first": first, "second": second, "tau": tau, "ci95": [low, high]}
                for first, second, tau, low, high in (self.orders.pairs() if self.orders else [])
            ],
            "submissions": {
                "rule": asdict(self.submissions.rule),
                "teams": [self._team(team) for team in self.submissions.teams],
                "unchecked": list(self.submissions.unchecked),
            },
            "violations": [
                {
                    "team": one.team,
                    "kind": one.kind,
                    "run": one.name,
                    "date": one.date.isoformat(),
                    "since": one.since.isoformat(),
                    "runs": list(one.names),
                    "sentence": findings.violation_sentence(one, self.submissions.rule),
                }
                for one in self.submissions.violations
            ],
            "near_duplicates": self._near_duplicates(),
            "overfitting": self._overfitting(),
            "published": [asdict(one) | {"submissions": list(one.submissions)} for one in self.published],
        }

    def _conditions(self) -> list[dict[str, object]]:
        leaders = [found.runs[found.order[0]] for found in self.orders.stabilities] if self.orders else []
        return [
            {
                "name": one.name,
                "query_set": one.query_set,
                "labels": one.labels,
                "measure": one.measure,
                "queries": len(one.scores.query_ids),
                "set_queries": one.set_queries,
                "leader": leaders[place] if leaders else None,
            }
            for place, one in enumerate(self.scored.conditions)
        ]

    def _runs(self) -> list[dict[str, object]]:
        """Scored runs first, in order, and then those without a file."""
        ranked = self.orders.runs if self.orders else tuple(run.name for run in self.scored.runs)
        names = [*ranked, *(run.name for run in self.runs if run.name not in ranked)]
        chosen = self.orders.chosen(self.shown) if self.orders else ()
        return [self._run(self._facts[name], is_shown=name in chosen) for name in names]

    def _run(self, run: BoardRun, *, is_shown: bool) -> dict[str, object]:
        conditions = self.scored.conditions if run in self.scored.runs else ()
        means = {one.name: float(one.scores.of(run.name).mean()) for one in conditions}
        ranks, intervals, spread = {}, {}, None
        if self.orders and conditions:
            place, spread = self.orders.place(run.name), self.orders.spread(run.name)
            for one, found in zip(conditions, self.orders.stabilities, strict=True):
                ranks[one.name] = float(found.expected_ranks[place])
                intervals[one.name] = found.rank_intervals[place].tolist()
        return {
            "run": run.name,
            "team": run.team,
            "date": run.date.isoformat() if run.date else None,
            "baseline": run.baseline,
            "variant_of": run.variant_of,
            "shown": is_shown,
            "means": means,
            "expected_ranks": ranks,
            "rank_intervals": intervals,
            "spread": spread,
            "missing_queries": {
                labels: counts[run.name] for labels, counts in self.scored.missing_queries.items() if run.name in counts
            },
            "published": dict(run.scores),
        }

    def _team(self, team: TeamSubmissions) -> dict[str, object]:
        alike = self.near_duplicates
        dates = [run.date.isoformat() for run in team.runs if run.date]
        return {
            "team": team.team,
            "runs": [run.name for run in team.runs],
            "first": dates[0],
            "last": dates[-1],
            "most_in_window": team.most_in_window,
            "variants": tables.declared(team),
            "near_duplicates": len(tables.own_pairs(team, alike)) if alike else None,
            "violations": Counter(one.team for one in self.submissions.violations)[team.team],
        }

    def _near_duplicates(self) -> dict[str, object] | None:
        alike = self.near_duplicates
        if alike is None:
            return None
        pairs = [
            {**asdict(pair), "relation": tables.relation(self._facts[pair.first], self._facts[pair.second])}
            for pair in alike.pairs
        ]
        return {"depth": alike.depth, "threshold": alike.threshold, "runs": len(alike.runs), "pairs": pairs}

    def _overfitting(self) -> dict[str, object] | None:
        found = self.monitor
        if found is None:
            return None
        return {
            "public": found.public.query_set,
            "private": found.private.query_set,
            "labels": found.public.labels,
            "public_queries": len(found.public.scores.query_ids),
            "private_queries": len(found.private.scores.query_ids),
            "in_both": found.both,
            "too_few": found.too_few,
            "alarms": len(found.fired),
            "teams": [_team_alarm(one) for one in found.teams],
        }


def _team_alarm(one: TeamAlarm) -> dict[str, object]:
    found = one.result
    return {
        "team": found.team,
        "first": found.first,
        "best": found.best,
        "submissions": list(found.submissions),
        "change_public": found.change_public,
        "change_private": found.change_private,
        "excess": found.excess,
        "excess_ci95": list(found.excess_ci95),
        "simultaneous_ci95": list(found.simultaneous_ci95),
        "alarm": one.alarm.fired,
        "from_picking": one.alarm.from_picking,
        "sentence": one.alarm.sentence,
    }
