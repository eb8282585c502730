"""The records of a board, and how each compares with the first one and with the one that it displaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date as Day  # noqa: N812
from typing import TYPE_CHECKING, Final

from runoff.boards.history import HistoryResult, Record, RecordTestResult
from runoff.display import Grid, Shown
from runoff.display.rows import column, grid_of, plain, row_class, row_dict, row_of
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


CERTIFIED: Final = ("record_p", "certified")
COMPARED: Final = ("against_first", "against_displaced")
CELLS: Final = tuple(
    f"{chain}_{cell}" for chain in ("displaced", "first") for cell in ("verdict", "raw_p", "p", "seen_from")
)


@row_class
class RecordRow:
    """A record, its test, and how it compares with the record that it displaced and with the first one."""

    date: Day = column("Date")
    run: str = column("Run")
    team: str = column("Team")
    mean: float = column("Mean", "number")
    displaced: str | None = column("Displaced")
    rivals: int
    tied: tuple[str, ...]
    record_p: float | None = column("Record p", "p", key=False, help="Of the record test.")
    certified: str | None = column("Certified", key=False)
    record_test: Mapping[str, object] | None
    displaced_verdict: str | None = column("Verdict against it", key=False, help="Corrected over facets and the chain.")
    displaced_raw_p: float | None = column("raw p", "p", key=False, help="Of the measure's test, not corrected.")
    displaced_p: float | None = column("p", "p", key=False, help="The same, corrected over the chain.")
    displaced_seen_from: float | None = column(
        "Detectable", "number", key=False, help="The difference found with 80% power."
    )
    first_verdict: str | None = column("Against the first", key=False)
    first_raw_p: float | None = column("raw p ", "p", key=False)
    first_p: float | None = column("p ", "p", key=False)
    first_seen_from: float | None = column("Detectable ", "number", key=False)
    against_first: Mapping[str, object] | None
    against_displaced: Mapping[str, object] | None


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
        without = [*([] if self.certified else ["record_test"]), *([] if self.against_first else COMPARED)]
        return [row_dict(row, without=without) for row in self._rows()]

    def _rows(self) -> Iterator[RecordRow]:
        """Each record with its test and its two comparisons; None for the first record."""
        chains = self.against_first, self.against_displaced
        for place, record in enumerate(self.records):
            first, displaced = (chain[place - 1] if chain and place else None for chain in chains)
            test = self._test_dict(self.certified, place - 1) if self.certified and place else None
            yield row_of(
                RecordRow,
                record,
                run=record.name,
                record_p=test and test["p_corrected"],
                certified=None if test is None else "yes" if test["certified"] else "no",
                record_test=test,
                **_cells("displaced", displaced),
                **_cells("first", first),
                against_first=first and _keys(first),
                against_displaced=displaced and _keys(displaced),
            )

    def _test_dict(self, certified: CertifiedRecordsResult, place: int) -> dict[str, object]:
        test = self.tests[place]
        return {
            "p": test.p,
            "p_corrected": plain(certified.corrected[place]),
            **row_dict(test, "plain_p", "looks", "method"),
            "rule": certified.rule,
            "level": plain(certified.levels[place]),
            "certified": plain(certified.certified[place]),
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
        first, last = self.records[0].date, self.records[-1].date
        when = f"in {first.year}" if first.year == last.year else f"from {first.year} to {last.year}"
        when = f"on {first.isoformat()}" if first == last else when
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
        without = [*([] if self.certified else CERTIFIED), *([] if self.against_displaced else CELLS)]
        notes = self._notes()
        return grid_of(RecordRow, self._rows(), title="Records", notes=notes, without=without, mean=self.measure)

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


def _facets(comparison: Comparison) -> dict[str, Facet]:
    verdict = comparison.verdict
    return {**verdict.facets, **({} if verdict.ipso is None else {"ipso": verdict.ipso})}


def _keys(comparison: Comparison) -> dict[str, object]:
    """The JSON of a comparison with an earlier record."""
    verdict, facets = comparison.verdict, _facets(comparison)
    return {
        "champion": comparison.champion,
        "difference": comparison.means.difference,
        **row_dict(verdict, "overall", "how", "strict", "do_no_harm", "marks"),
        "raw_p": {name: facet.raw_p for name, facet in facets.items()},
        "p": {name: facet.p for name, facet in facets.items()},
        "correction": verdict.policy.correction,
        "family_size": verdict.family_size,
        "seen_from": seen_from(comparison.measure_power),
    }


def _cells(chain: str, comparison: Comparison | None) -> dict[str, object]:
    """The columns of a comparison with an earlier record; None for the first record."""
    cells: tuple[object, ...] = (None,) * 4
    if comparison is not None:
        verdict, measure = comparison.verdict, comparison.verdict.measure
        words = f"{verdict.spoken} {verdict.marks}".strip()
        cells = words, measure.raw_p, measure.p, seen_from(comparison.measure_power)
    return {f"{chain}_{name}": cell for name, cell in zip(("verdict", "raw_p", "p", "seen_from"), cells, strict=True)}
