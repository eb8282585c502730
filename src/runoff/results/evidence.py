"""All evidence about one pair of runs, or about several: tables, and results of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from runoff.display import Column, Grid, Shown
from runoff.display.grid import visible
from runoff.display.rows import row_dict
from runoff.results.power import power_dict, power_grid
from runoff.verdicts import EvidenceLine, EvidenceResult, FacetPower

if TYPE_CHECKING:
    from runoff.display.charts import Chart

Which = Literal["first", "pairs"]
SEEN: Final = "The smallest difference of the means found with 80% power."
SIGNS: Final = {"challenger": "+", "champion": "-", None: "·"}
NEITHER: Final = "neither"


def evidence_grid(found: EvidenceResult, measure: str) -> Grid:
    """A row per line of evidence: what says it, for whom it speaks, how strongly, and what it means."""
    sizes = {line.facet.family.size for line in found.lines}
    how = (
        f"corrected by {found.policy.correction_label} over {max(sizes)} challengers"
        if max(sizes, default=1) > 1
        else "not corrected"
    )
    return Grid(
        title=f"Evidence for {found.challenger} against {found.champion}",
        columns=[
            Column("evidence", "Evidence"),
            Column("basis", "Of"),
            Column("favours", "For", help="The run that it significantly favours."),
            Column("p", "p", "p"),
            Column("strength", "How strong", help="The effect with its 95% interval, or the two sides of a vote."),
            Column("meaning", "It asks whether"),
        ],
        rows=[
            [line.label, basis(line, measure), favoured(found, line), line.facet.p, line.strength, line.meaning]
            for line in found.lines
        ],
        notes=[
            (
                f"Votes and ranks are {found.challenger} : {found.champion}. Each line is decided by itself at "
                f"{found.policy.alpha:g}, {how}."
            ),
            found.caution,
        ],
    )


def favoured(found: EvidenceResult, line: EvidenceLine) -> str:
    """The name of the run that a line favours."""
    names = {"champion": found.champion, "challenger": found.challenger}
    return names[line.speaks_for] if line.speaks_for else NEITHER


def basis(line: EvidenceLine, measure: str) -> str:
    """What a line rests on, in a word."""
    return measure if line.basis == "scores" else line.basis


@dataclass(frozen=True, kw_only=True, eq=False)
class EvidenceTableResult(Shown):
    """Every line of evidence, and beside it what each facet could have shown."""

    evidence: EvidenceResult
    powers: tuple[FacetPower, ...]
    measure: str

    def to_dict(self) -> dict[str, object]:
        """The keys `champion`, `challenger`, those of `evidence`, and `resolution`."""
        names = row_dict(self.evidence, "champion", "challenger")
        return {**names, **self.evidence.to_dict(), "resolution": power_dict(self.powers)}

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """Agreement and conflict in a sentence, and what could not have been seen."""
        found = self.evidence
        heading = f"{found.challenger} against {found.champion}: {found.sentence}"
        unseen = " ".join(power.sentence for power in self.powers if power.sentence)
        return (visible(heading), *((unseen,) if unseen else ()))

    def grid(self) -> Grid:
        """A row per line of evidence."""
        return evidence_grid(self.evidence, self.measure)

    def grids(self) -> tuple[Grid, ...]:
        """The evidence, and what could have been detected."""
        seen = power_grid(self.powers)
        return (self.grid(), seen) if seen is not None else (self.grid(),)

    def charts(self) -> tuple[Chart, ...]:
        """The lines as signs."""
        from runoff.display.charts import EvidenceMatrix

        return (EvidenceMatrix([self.evidence]),)


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardEvidenceResult(Shown):
    """A row per pair, the better mean as the champion; p-values of each line are corrected over all pairs.

    which    first: the first run against each; pairs: every pair
    seen     per pair, the smallest difference of the means found with 80% power; empty or None where not known
    remarks  what is left out, and why
    """

    title: str
    measure: str
    which: Which
    evidence: tuple[EvidenceResult, ...]
    remarks: tuple[str, ...] = ()
    seen: tuple[float | None, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff board --evidence --format json`."""
        return {
            **row_dict(self, "title", "measure", "which", "remarks"),
            "pairs": [
                {**row_dict(pair, "champion", "challenger"), **pair.to_dict(), "seen_from": seen}
                for pair, seen in self._with_seen()
            ],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """On how many pairs the evidence agrees or conflicts, and the sentence of the first pair."""
        kinds = [one.kind for one in self.evidence]
        words = {
            "agree": "all lines favour one run",
            "lean": "some lines favour one run and none the other",
            "conflict": "lines contradict each other",
            "nothing": "no line shows a difference",
        }
        said = "; ".join(f"on {kinds.count(kind):,} {word}" for kind, word in words.items() if kind in kinds)
        pairs = f"{len(kinds):,} {'pair' if len(kinds) == 1 else 'pairs'}"
        first = self.evidence[0]
        return (
            f"Evidence about {pairs} of runs: {said}.",
            f"{first.challenger} against {first.champion}: {first.sentence}",
        )

    def grid(self) -> Grid:
        """A row per pair: a sign per line of evidence, and how many favour which run."""
        labels = {line.key: line.label for one in self.evidence for line in one.lines}
        rows = []
        for one, seen in self._with_seen():
            said = {line.key: SIGNS[line.speaks_for] for line in one.lines}
            rows.append([
                one.challenger, one.champion, len(one.favouring("challenger")), len(one.favouring("champion")),
                len(one.favouring(None)), one.kind, *([seen] if self.seen else []), *(said.get(key) for key in labels),
            ])  # fmt: skip
        sizes = max((line.facet.family.size for one in self.evidence for line in one.lines), default=1)
        policy = self.evidence[0].policy
        how = (
            "not corrected"
            if sizes == 1 or policy.correction == "none"
            else f"corrected by {policy.correction_label} over {sizes} pairs"
        )
        return Grid(
            title=f"Evidence on {self.title}, {self.measure}",
            columns=[
                Column("challenger", "Challenger"),
                Column("champion", "Champion"),
                Column("favour_challenger", "+", "count", help="Lines that favour the challenger."),
                Column("favour_champion", "-", "count", help="Lines that favour the champion."),
                Column("cannot_tell", "·", "count", help="Lines that show no difference."),
                Column("kind", "Together"),
                *([Column("seen_from", "Detectable Δ", "number", help=SEEN)] if self.seen else []),
                *(Column(key, label) for key, label in labels.items()),
            ],
            rows=rows,
            notes=[
                f"+ favours the challenger, - the champion, · no difference; at {policy.alpha:g}, each line {how}.",
                *([self._seen_note()] if self.seen else []),
                self.evidence[0].caution,
                *self.remarks,
            ],
        )

    def _with_seen(self) -> Iterator[tuple[EvidenceResult, float | None]]:
        return zip(self.evidence, self.seen or (None,) * len(self.evidence), strict=True)

    def _seen_note(self) -> str:
        policy = self.evidence[0].policy
        return (
            f"Detectable Δ: the smallest true difference of the mean {self.measure} that a t test finds with 80% "
            f"power at level {policy.level_of(len(self.evidence)):.2g}: smaller ones usually go undetected."
        )

    def charts(self) -> tuple[Chart, ...]:
        """The same as a picture."""
        from runoff.display.charts import EvidenceMatrix

        return (EvidenceMatrix(self.evidence),)
