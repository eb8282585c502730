"""The records of a board, and how each compares with the first one and with the one that it displaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from runoff.boards.history import HistoryResult, Record, RecordTestResult
from runoff.display import Column, Grid, Shown
from runoff.phrases import counted, is_or_are
from runoff.results.comparison import Comparison
from runoff.results.comparison_tables import paper_tables
from runoff.results.power import seen_from
from runoff.significance.corrections import spoken_correction
from runoff.tables.board import BoardRun
from runoff.verdicts import CertifiedRecordsResult, Facet
from runoff.verdicts.power import at_level

if TYPE_CHECKING:
    from runoff.display.charts import Chart

RULES: Final = {
    "holm": "Holm over all records",
    "spending": "alpha spending, each on its day",
    "fallback": "online fallback, each on its day",
}
CAUTIOUS: Final = (
    "The test is cautious: where the displaced run was the best of 5 or more equal runs, p is below 0.05 for 1 to 3% "
    "of the records in place of 5%."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordsResult(Shown):
    """The state of the art over time.

    runs, means        the runs of the board, and the mean of each by name
    against_first      a comparison per record but the first, with the first record as champion
    against_displaced  a comparison per record but the first, with the record that it displaced as champion

    tests              the record test of each record but the first against the run it displaced
    certified          which of them are real, the error over the whole history under control; None without scores

    Each of the two chains is a family: p-values behind verdicts are corrected over it. Both are empty where ranked
    lists are not known.
    """

    measure: str
    runs: tuple[BoardRun, ...]
    means: Mapping[str, float]
    history: HistoryResult
    against_first: tuple[Comparison, ...] = ()
    against_displaced: tuple[Comparison, ...] = ()
    tests: tuple[RecordTestResult, ...] = ()
    certified: CertifiedRecordsResult | None = None

    @property
    def records(self) -> tuple[Record, ...]:
        """The records in order of date."""
        return self.history.records

    def to_dict(self) -> dict[str, object]:
        """The records, under `history`."""
        return {"measure": self.measure, "history": self.to_rows()}

    def to_rows(self) -> list[dict[str, object]]:
        """A dictionary per record: `history` of `runoff board --format json`."""
        rows: list[dict[str, object]] = []
        for place, record in enumerate(self.records):
            row: dict[str, object] = {
                "date": record.date.isoformat(),
                "run": record.name,
                "team": record.team,
                "mean": record.mean,
                "displaced": record.displaced,
                "rivals": record.rivals,
                "tied": list(record.tied),
            }
            if self.certified:
                row["record_test"] = self._test_dict(place - 1) if place else None
            if self.against_first:
                for key, comparisons in (
                    ("against_first", self.against_first),
                    ("against_displaced", self.against_displaced),
                ):
                    row[key] = _comparison_dict(comparisons[place - 1]) if place else None
            rows.append(row)
        return rows

    def _test_dict(self, place: int) -> dict[str, object]:
        test, certified = self.tests[place], self.certified
        return {
            "p": test.p,
            "p_corrected": certified.corrected[place] if certified else None,
            "plain_p": test.plain_p,
            "looks": test.looks,
            "method": test.method,
            "rule": certified.rule if certified else None,
            "level": certified.levels[place] if certified else None,
            "certified": certified.certified[place] if certified else None,
        }

    def charts(self) -> tuple[Chart, ...]:
        """Lin et al.'s Figure 1: the state of the art over time."""
        from runoff.display.charts import Timeline

        if not self.history.runs:
            return ()
        certified = None
        if self.certified is not None:
            later = zip(self.records[1:], self.certified.certified, strict=True)
            certified = frozenset(record.name for record, is_real in later if is_real)
        return (Timeline(self.runs, self.means, self.history, self.measure, certified=certified),)

    def opening(self, width: int) -> tuple[str, ...]:
        """How many records there are, how many are shown to be better than the one before, and the timeline in text."""
        picture = self.charts() if width and len(self.records) > 1 else ()
        return (self._sentence(), *(chart.to_text(width) for chart in picture))

    def _sentence(self) -> str:
        if not self.records:
            return "There is no record: no dated run beats the baselines."
        first, last = (record.date.isoformat() for record in (self.records[0], self.records[-1]))
        when = f"on {first}" if first == last else f"from {first} to {last}"
        text = f"{counted(len(self.records), 'record')} {when}"
        if self.certified is not None:
            real = sum(self.certified.certified)
            if len(self.tests) == 1:
                text += f"; the second is {'' if real else 'not '}statistically certified"
            else:
                text += f"; {real} of the {len(self.tests):,} after the first {is_or_are(real)} statistically certified"
        if not self.against_displaced:
            return f"{text}."
        if len(self.against_displaced) == 1:
            return f"{text}. Compared with the first alone, the second is {self.against_displaced[0].outcome}."
        above, above_first = (
            sum(comparison.outcome == "better" for comparison in comparisons)
            for comparisons in (self.against_displaced, self.against_first)
        )
        policy = self.against_displaced[0].verdict.policy
        corrected = policy.correction != "none"
        how = f"corrected by {policy.correction_label} over each chain" if corrected else "not corrected"
        return (
            f"{text}. Pair by pair (p-values {how}), {above} {is_or_are(above)} better than the displaced "
            f"record, and {above_first} better than the first."
        )

    def grid(self) -> Grid:
        """A row per record."""
        columns = [
            Column("date", "Date"),
            Column("run", "Run"),
            Column("team", "Team"),
            Column("mean", self.measure, "number"),
            Column("displaced", "Displaced"),
        ]
        if self.certified:
            columns += [
                Column("record_p", "Record p", "p", help="Of the record test, conditional on being a record."),
                Column("certified", "Certified"),
            ]
        if self.against_displaced:
            columns += [
                Column("displaced_verdict", "Verdict against it", help="Corrected over facets and the chain."),
                Column("displaced_raw_p", "raw p", "p", help="The test of the measure, not corrected."),
                Column("displaced_p", "p", "p", help="The same, corrected over the chain."),
                Column("displaced_seen_from", "Detectable", "number", help="The difference found with 80% power."),
                Column("first_verdict", "Against the first"),
                Column("first_raw_p", "raw p ", "p"),
                Column("first_p", "p ", "p"),
                Column("first_seen_from", "Detectable ", "number", help="As before, against the first."),
            ]
        rows: list[list[str | float | None]] = []
        for place, record in enumerate(self.records):
            row: list[str | float | None] = [
                record.date.isoformat(), record.name, record.team, record.mean, record.displaced,
            ]  # fmt: skip
            if self.certified:
                row += (
                    [self.certified.corrected[place - 1], _yes(self.certified.certified[place - 1])]
                    if place
                    else [None, None]
                )
            if self.against_displaced:
                row += _cells(self.against_displaced[place - 1]) if place else [None, None, None]
                row += [seen_from(self.against_displaced[place - 1].measure_power)] if place else [None]
                row += _cells(self.against_first[place - 1]) if place else [None, None, None]
                row += [seen_from(self.against_first[place - 1].measure_power)] if place else [None]
            rows.append(row)
        return Grid(title="Records", columns=columns, rows=rows, notes=self._notes())

    def paper_grids(self) -> tuple[Grid, ...]:
        """The records, and the tables of a paper over them."""
        if not self.against_first:
            return (self.grid(),)
        comparisons = self._distinct()
        return self.grid(), *paper_tables(
            [comparison.evidence for comparison in comparisons],
            [comparison.verdict.marks for comparison in comparisons],
        )

    def _distinct(self) -> list[Comparison]:
        """Each pair once, those against the first before those against the displaced, as in the paper."""
        pairs = {
            (comparison.champion, comparison.challenger): comparison
            for comparison in (*self.against_displaced, *self.against_first)
        }
        return [pairs[pair] for pair in self.history.pairs]

    def _notes(self) -> list[str]:
        found = self.history
        notes = []
        if self.certified:
            notes.append(
                "Record p is conditional on being a record, times the runs of the same date; certified by "
                f"{RULES[self.certified.rule]}, so that the chance of any false certificate is at "
                f"most {self.certified.alpha:g}. {CAUTIOUS}"
            )
        if self.against_displaced:
            verdict = self.against_displaced[0].verdict
            how = (
                f"corrected by {spoken_correction(verdict.correction)} over {verdict.measure.family}"
                if verdict.family_size > 1
                else "one comparison"
            )
            notes.append(
                f"Verdicts are about the record, at {verdict.alpha:g}; p is of the {verdict.policy.measure_label} "
                f"of {self.measure}, {how}, each chain by itself. A record is chosen for its high mean, which these "
                "p-values do not allow for, and the record test does. Detectable: the smallest true difference that is "
                f"found with 80% power{at_level(verdict)}."
            )
        if found.baseline:
            name, mean = found.baseline
            notes.append(f"The first record had to beat the baseline {name} ({mean:.4f}).")
        if found.undated:
            notes.append(f"{counted(len(found.undated), 'run')} without a date left out of the records.")
        return notes


def _comparison_dict(comparison: Comparison) -> dict[str, object]:
    verdict = comparison.verdict
    known: dict[str, Facet] = {**verdict.facets, **({} if verdict.ipso is None else {"ipso": verdict.ipso})}
    return {
        "champion": comparison.champion,
        "difference": comparison.means.difference,
        "overall": verdict.overall,
        "how": list(verdict.how),
        "strict": verdict.strict,
        "do_no_harm": verdict.do_no_harm,
        "marks": verdict.marks,
        "raw_p": {name: facet.raw_p for name, facet in known.items()},
        "p": {name: facet.p for name, facet in known.items()},
        "correction": verdict.correction,
        "family_size": verdict.family_size,
        "seen_from": seen_from(comparison.measure_power),
    }


def _cells(comparison: Comparison) -> Sequence[str | float | None]:
    verdict = comparison.verdict
    marks = f" {verdict.marks}" if verdict.marks else ""
    return [f"{verdict.spoken}{marks}", verdict.measure.raw_p, verdict.measure.p]


def _yes(value: bool) -> str:  # noqa: FBT001
    return "yes" if value else "no"
