"""The records of a board, and how each compares with the first one and with the one that it displaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from runoff.boards.history import HistoryResult, Record, RecordTestResult
from runoff.display import Column, Grid, Shown
from runoff.display.rows import grid_at, keys_of
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
    "of the records instead of 5%."
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
        names = "date=record.date run=record.name team=record.team mean=record.mean displaced=record.displaced "
        names += "rivals=record.rivals tied=record.tied"
        names += " record_test=test" if self.certified else ""
        names += " against_first=first.keys against_displaced=displaced.keys" if self.against_first else ""
        return [keys_of(row, names) for row in self._rows()]

    def _rows(self) -> Iterator[dict[str, object]]:
        """Each record with its test and its two comparisons; None for the first record."""
        tests = [None, *map(self._test_dict, range(len(self.tests) if self.certified else 0))]
        first, displaced = ([None, *map(_compared, chain)] for chain in (self.against_first, self.against_displaced))
        for record, test, *both in zip_longest(self.records, tests, first, displaced):
            is_real = None if test is None else "yes" if test["certified"] else "no"
            yield {"record": record, "test": test, "is_real": is_real, "first": both[0], "displaced": both[1]}

    def _test_dict(self, place: int) -> dict[str, object]:
        return keys_of(
            {"test": self.tests[place], "all": self.certified},
            f"p=test.p p_corrected=all.corrected.{place} plain_p=test.plain_p looks=test.looks method=test.method "
            f"rule=all.rule level=all.levels.{place} certified=all.certified.{place}",
        )

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
        how = f"corrected by {policy.correction_label}" if corrected else "not corrected"
        return (
            f"{text}. In paired comparisons (p-values {how}), {above} {is_or_are(above)} better than "
            f"{'the record it' if above == 1 else 'the records they'} displaced, and {above_first} better than the "
            "first record."
        )

    def grid(self) -> Grid:
        """A row per record."""
        columns = {
            "record.date": Column("date", "Date"),
            "record.name": Column("run", "Run"),
            "record.team": Column("team", "Team"),
            "record.mean": Column("mean", self.measure, "number"),
            "record.displaced": Column("displaced", "Displaced"),
        }
        if self.certified:
            columns |= {
                "test.p_corrected": Column("record_p", "Record p", "p", help="Of the record test."),
                "is_real": Column("certified", "Certified"),
            }
        if self.against_displaced:
            columns |= {
                "displaced.words": Column(
                    "displaced_verdict", "Verdict against it", help="Corrected over facets and the chain."
                ),
                "displaced.keys.raw_p.measure": Column(
                    "displaced_raw_p", "raw p", "p", help="Of the measure's test, not corrected."
                ),
                "displaced.keys.p.measure": Column("displaced_p", "p", "p", help="The same, corrected over the chain."),
                "displaced.keys.seen_from": Column(
                    "displaced_seen_from", "Detectable", "number", help="The difference found with 80% power."
                ),
                "first.words": Column("first_verdict", "Against the first"),
                "first.keys.raw_p.measure": Column("first_raw_p", "raw p ", "p"),
                "first.keys.p.measure": Column("first_p", "p ", "p"),
                "first.keys.seen_from": Column("first_seen_from", "Detectable ", "number"),
            }
        return grid_at(self._rows(), columns, title="Records", notes=self._notes())

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
                "Record p is conditional on being a record, and multiplied by the number of runs on that date; "
                f"certified by {RULES[self.certified.rule]}, so that the chance of any false certificate is at most "
                f"{self.certified.alpha:g}. {CAUTIOUS}"
            )
        if self.against_displaced:
            verdict = self.against_displaced[0].verdict
            how = (
                f"corrected by {spoken_correction(verdict.policy.correction)} over {verdict.measure.family}"
                if verdict.family_size > 1
                else "one comparison"
            )
            notes.append(
                f"Verdicts are about the record, at level {verdict.policy.alpha:g}; p is from the "
                f"{verdict.policy.measure_label} of {self.measure}, {how}, separately for the displaced record and the "
                "first. A record is chosen for its high mean; the record test allows for that, these p-values do not. "
                "Detectable: the smallest true difference that is "
                f"found with 80% power{at_level(verdict)}."
            )
        if found.baseline:
            name, mean = found.baseline
            notes.append(f"The first record had to beat the baseline {name} ({mean:.4f}).")
        if found.undated:
            notes.append(f"{counted(len(found.undated), 'run')} without a date left out of the records.")
        return notes


def _compared(comparison: Comparison) -> dict[str, object]:
    """The JSON of a comparison with an earlier record, and its verdict in words."""
    verdict = comparison.verdict
    facets: dict[str, Facet] = {**verdict.facets, **({} if verdict.ipso is None else {"ipso": verdict.ipso})}
    keys = {
        **keys_of(comparison, "champion difference=means.difference"),
        **keys_of(verdict, "overall how strict do_no_harm marks"),
        "raw_p": {name: facet.raw_p for name, facet in facets.items()},
        "p": {name: facet.p for name, facet in facets.items()},
        **keys_of(verdict, "correction=policy.correction family_size"),
        "seen_from": seen_from(comparison.measure_power),
    }
    return {"keys": keys, "words": f"{verdict.spoken} {verdict.marks}".strip()}
