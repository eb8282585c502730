"""The result of an audit: what was found about the order, the submissions and the teams of a board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from runoff.boards.near_duplicates import NearDuplicatesResult
from runoff.boards.overfitting import TeamChange
from runoff.boards.submissions import SubmissionsResult
from runoff.display import Grid, Shown
from runoff.display.rows import plain, row_dict
from runoff.phrases import counted
from runoff.results import audit_findings as findings
from runoff.results import audit_tables as tables
from runoff.results.audit_leaders import leader_grid, leader_sentences
from runoff.results.audit_parts import Monitor, Orders, ScoredConditions
from runoff.results.tau_words import reference_keys
from runoff.tables.board import BoardRun

if TYPE_CHECKING:
    from runoff.display.charts import Chart


def monitor_keys(monitor: Monitor) -> dict[str, object]:
    """The overfitting monitor, alarms first."""
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
                **row_dict(team.change),
                "p_corrected": team.alarm.p_corrected,
                "alarm": team.alarm.fired,
                "sentence": team.alarm.sentence,
            }
            for team in monitor.teams
        ],
        "field": plain(monitor.field),
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

    @cached_property
    def _runs(self) -> list[tables.RunRow]:
        return tables.run_rows(self.runs, self.scored, self.orders, self.shown)

    @cached_property
    def _conditions(self) -> list[tables.ConditionRow]:
        return list(tables.condition_rows(self.scored, self.orders))

    def headline(self) -> str:
        """Where the leader leads, and how many rules were broken and alarms fired, in a few words."""
        several = self.orders is not None and self.orders.generalization is not None
        parts = [findings.where_it_leads(self.orders)] if self.orders and several else ["only one condition"]
        broken = len({(violation.team, violation.name) for violation in self.submissions.violations})
        alarms = len(self.monitor.fired) if self.monitor else 0
        parts += [f"{counted(broken, 'submission')} against the rule"] if broken else []
        parts += [counted(alarms, "overfitting alarm")] if alarms else []
        return "; ".join(parts)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """The findings in a few sentences."""
        sentences = [f"Audit of {self.title}: {findings.board_words(self.runs, self.scored)}."]
        if self.orders:
            sentences += findings.order_sentences(self.orders)
            sentences += leader_sentences(self.orders)
        else:
            sentences.append(f"{self._why_no_order()}, so there is no order to look at.")
        sentences.append(findings.submission_sentence(self.submissions))
        if self.near_duplicates:
            sentences.append(findings.duplicate_sentence(self.near_duplicates, self._facts))
        if self.monitor:
            leading = self._facts[self.orders.runs[0]].team if self.orders else ""
            sentences += findings.monitor_sentences(self.monitor, leading)
        else:
            sentences.append(findings.why_no_monitor(self.lacking, has_means=bool(self.published)))
        if not (self.orders and self.orders.generalization):
            sentences += self.notes
        return tuple(sentences)

    def _why_no_order(self) -> str:
        return "No run has a file" if not self.scored.runs else "Only one run has a file"

    def grid(self) -> Grid:
        """The expected ranks under each condition; where there are no conditions to compare, the submissions."""
        return self.grids()[0]

    def grids(self) -> tuple[Grid, ...]:
        """Every table that has something to say."""
        grids = []
        if self.orders and self.orders.generalization:
            grids.append(tables.rank_grid(self._runs, self.orders, self.shown))
            grids.append(tables.condition_grid(self._conditions, self.orders, self.notes))
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
        sent, alike = self.submissions, self.near_duplicates
        teams = plain(list(tables.team_rows(sent, alike)))
        return {
            **row_dict(self, "title", "measure", "trials", "seed"),
            "findings": list(self.opening(0)),
            "conditions": plain(self._conditions),
            "left_out": [{"query_set": query_set, "labels": labels} for query_set, labels in self.scored.left_out],
            "runs": plain(self._runs),
            "taus": [
                {**row_dict(pair), "reference": reference_keys(pair.reference)}
                for pair in (self.orders.pairs() if self.orders else [])
            ],
            "submissions": {"rule": row_dict(sent.rule), "teams": teams, "unchecked": list(sent.unchecked)},
            "violations": plain(tables.violation_rows(sent)),
            "near_duplicates": alike
            and {
                **row_dict(alike, "depth", "threshold"),
                "runs": len(alike.runs),
                "pairs": plain(tables.duplicate_rows(alike, self._facts)),
            },
            "overfitting": self.monitor and monitor_keys(self.monitor),
            "published": plain(self.published),
        }
