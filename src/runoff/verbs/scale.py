"""Scale: whether a measure is an interval scale, and its interval-scaled version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from runoff.arguments import checks_arguments
from runoff.boards.scales import ScaleResult, Witness
from runoff.boards.scales import scale as find_scale
from runoff.display import Column, Grid, Shown
from runoff.display.rows import row_dict
from runoff.measures import NamedMeasure, parse_measure

if TYPE_CHECKING:
    from runoff.display.charts import Chart

NO_MORE: Final = (
    "This is the conservative reading, over lists of grades. Whether equal steps of a measure are equal steps for a "
    "user is another question, which only users can answer (Craswell et al. 2021, section 4.2)."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasureScaleResult(Shown):
    """The attainable values of a measure, and the states that break the solvability condition."""

    scale: ScaleResult
    witnesses: tuple[Witness, ...]

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff scale --format json`."""
        found = self.scale
        return {
            "measure": str(found.measure),
            **row_dict(found, "depth", "grades", "relevant", "states", "undefined"),
            "equispaced": found.is_equispaced,
            "values": [
                {"value": value, "interval_value": interval, "serp": list(state)}
                for value, interval, state in zip(
                    found.values.tolist(), found.interval_values.tolist(), found.examples, strict=True
                )
            ],
            "witnesses": [row_dict(witness) for witness in self.witnesses],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """The answer in words."""
        found = self.scale
        answer = "an interval scale" if found.is_equispaced else "not an interval scale"
        spaced = "equally spaced" if found.is_equispaced else "not equally spaced"
        said = (
            f"{found.measure} is {answer} of these lists: its {len(found.values):,} values over {found.states:,} lists "
        )
        said += f"of {found.depth:,} ranks are {spaced}."
        return (said, *map(_in_words, self.witnesses[:1]), NO_MORE)

    def grid(self) -> Grid:
        """A row per attainable value, the highest first."""
        found = self.scale
        notes = [] if not found.undefined else [f"Undefined for {found.undefined:,} of the lists."]
        if found.relevant is not None:
            notes.append(f"For queries with {_counts(found.relevant, found.grades)} only.")
        rows = list(zip(found.values.tolist(), found.interval_values.tolist(), map(serp, found.examples), strict=True))
        return Grid(
            title=f"Attainable values of {found.measure}",
            columns=[
                Column("value", "Value", "number"),
                Column("interval_value", "Interval-scaled", "number"),
                Column("serp", "Example"),
            ],
            rows=rows[::-1],
            notes=notes,
        )

    def grids(self) -> tuple[Grid, ...]:
        """The values, and the witnesses if there are any."""
        columns = [Column(name, name.upper()) for name in "abcd"]
        columns += [Column("gap", "C - D", "number"), Column("missing_x", "A - gap", "number"),
                    Column("missing_y", "B + gap", "number")]  # fmt: skip
        witnesses = Grid(
            title="Gaps that exist between C and D and do not fit below A or above B",
            columns=columns,
            rows=[
                [*map(serp, (one.a, one.b, one.c, one.d)), one.gap, one.missing_x, one.missing_y]
                for one in self.witnesses
            ],
            notes=["A number is a value that no list has; a dash, one that some list has."],
        )
        return (self.grid(), witnesses) if self.witnesses else (self.grid(),)

    def charts(self) -> tuple[Chart, ...]:
        """The values on a line."""
        from runoff.display.charts import ScaleValues

        return (ScaleValues(self.scale),)


@checks_arguments
def scale(
    measure: NamedMeasure, *, highest: int | None = None, relevant: Sequence[int] | None = None
) -> MeasureScaleResult:
    """Whether a measure at a cutoff is an interval scale.

    measure   with a cutoff, such as "RR@3"
    highest   the highest grade; by default a rank is relevant or not
    relevant  how many documents of each grade above 0 a query has; AP, nDCG and R need it

    >>> scale("P@10").scale.is_equispaced, scale("RR@10").scale.is_equispaced
    (True, False)
    """
    scaled = find_scale(parse_measure(measure), highest=highest, relevant=relevant)
    return MeasureScaleResult(scale=scaled, witnesses=scaled.witnesses)


def serp(state: Sequence[int]) -> str:
    """A list of grades as it is shown.

    >>> serp((0, 1, 0)), serp((0, 12))
    ('010', '0,12')
    """
    return ("" if max(state) < 10 else ",").join(map(str, state))


def _in_words(one: Witness) -> str:
    lacks = [
        f"none scores {value:.4f}, that much {side} {serp(state)}"
        for value, side, state in ((one.missing_x, "below", one.a), (one.missing_y, "above", one.b))
        if value is not None
    ]
    return f"The list {serp(one.c)} scores {one.gap:.4g} more than {serp(one.d)}, but {', and '.join(lacks)}."


def _counts(relevant: Sequence[int], grades: Sequence[int]) -> str:
    return ", ".join(f"{count:,} of grade {grade}" for count, grade in zip(relevant, grades[1:], strict=True))
