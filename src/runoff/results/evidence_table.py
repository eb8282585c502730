"""All evidence about one pair of runs, as a result of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.display import Grid, Shown
from runoff.display.cells import visible
from runoff.results.evidence_grid import evidence_grid
from runoff.results.power_table import power_dict, power_grid
from runoff.verdicts import EvidenceResult, Power

if TYPE_CHECKING:
    from runoff.display.charts import Chart


@dataclass(frozen=True, kw_only=True, eq=False)
class EvidenceTableResult(Shown):
    """Every line of evidence, and beside it what each facet could have shown."""

    evidence: EvidenceResult
    powers: tuple[Power, ...]
    measure: str

    def to_dict(self) -> dict[str, object]:
        """The keys `champion`, `challenger`, those of `evidence`, and `resolution`."""
        found = self.evidence
        names = {"champion": found.champion, "challenger": found.challenger}
        return {**names, **found.to_dict(), "resolution": power_dict(self.powers)}

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """Agreement and conflict in a sentence, and what could not have been seen."""
        found = self.evidence
        said = f"{found.challenger} against {found.champion}: {found.sentence}"
        unseen = " ".join(one.sentence for one in self.powers if one.sentence)
        return (visible(said), *((unseen,) if unseen else ()))

    def grid(self) -> Grid:
        """A row per line of evidence."""
        return evidence_grid(self.evidence, self.measure)

    def grids(self) -> tuple[Grid, ...]:
        """The evidence, and what could have been seen."""
        seen = power_grid(self.powers)
        return (self.grid(), seen) if seen is not None else (self.grid(),)

    def charts(self) -> tuple[Chart, ...]:
        """The lines as signs."""
        from runoff.display.charts import EvidenceMatrix

        return (EvidenceMatrix([self.evidence]),)
