"""Options of a comparison: the measures, the depth, the relevance level and the gains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from runoff.arguments import checks_arguments
from runoff.choices import MOST_DIGITS, MarksChoice
from runoff.errors import UsageError
from runoff.measures import BinaryMeasure, ExternalMeasure, Measure, NamedMeasure, parse_measures
from runoff.measures.default import SINGLE, default_measure
from runoff.significance import DEFAULT_TRIALS
from runoff.significance._base import is_whole
from runoff.tables.serps import ranks_needed

if TYPE_CHECKING:
    from runoff.files.parquet.cut_qrels import CutQrels
    from runoff.tables.qrels import Qrels

DEFAULT_DEPTH: Final = 100
GREATEST_DEPTH: Final = 1_000_000
"""The greatest depth of a comparison, which takes some bytes for every query and rank."""


def at_level(measure: Measure, level: int) -> Measure:
    """The measure with a board's relevance level, unless it names one of its own.

    >>> from runoff.measures import parse_measure
    >>> str(at_level(parse_measure("RR@10"), 2)), str(at_level(parse_measure("RR(rel=3)@10"), 2))
    ('RR(rel=2)@10', 'RR(rel=3)@10')
    """
    if level == 1 or not isinstance(measure, BinaryMeasure) or measure.rel > 1:
        return measure
    return replace(measure, rel=level, spelling=None)


def board_level(level: int, measure: Measure) -> int:
    """The relevance level of a board's comparisons: its own, unless that is 1 and its measure names another.

    >>> from runoff.measures import parse_measure
    >>> board_level(1, parse_measure("RR(rel=2)@10")), board_level(3, parse_measure("nDCG@10"))
    (2, 3)
    """
    return measure.rel if level == 1 and isinstance(measure, BinaryMeasure) else level


def check_compared_depth(depth: int) -> None:
    """Refuse what is no count of ranks that comparisons can look at."""
    if not is_whole(depth, 1) or depth > GREATEST_DEPTH:
        raise UsageError(
            f"depth {depth!r} cannot be used; expected a whole number from 1 to {GREATEST_DEPTH:,}; write 10"
        )


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """What is compared.

    measures  the measure that decides, as ir_measures spells it or as an object; others decide nothing and are further
              columns of the table of systems. None: what suits the labels, by `for_labels`
    depth     ranks that outcomes and IPSO look at; the measure's cutoff if None, or 100 if it has none
    level     the lowest grade that counts as an answer; the measure's own `rel` if None
    gains     the gain of each grade for IPSO, from grade 0; needed where labels have grades above 1
    seed, trials   for the tests that resample
    difference     the difference to compute the needed queries for; the observed one if None
    marks     what the table of scores marks: significant differences between all systems (`each`, up to 8 systems) or
              those from the baselines (`baseline`); if None, `each` where there are 3 to 8 systems and one baseline
    digits    decimal places of that table

    What is computed beside the verdicts; all of it unless somebody shows less:
    all_tests   every significance test of the measure; else those that the verdict needs
    evidence    all evidence line by line, with recall-paired preference
    resolution  what the queries can show of each facet, and by measure and test; else of the measure alone

    >>> options = CompareOptions(measures=["RR(rel=2)@10", "AP"])
    >>> options.measure, options.also, options.compared_depth, options.compared_level
    (RR(rel=2)@10, (AP,), 10, 2)
    """

    measures: NamedMeasure | Sequence[NamedMeasure] | None = None
    depth: int | None = None
    level: int | None = None
    gains: Sequence[float] | None = None
    seed: int = 0
    trials: int = DEFAULT_TRIALS
    difference: float | None = None
    marks: MarksChoice | None = None
    digits: int | None = None
    all_tests: bool = True
    evidence: bool = True
    resolution: bool = True
    measure_note: str = ""
    """Why the measure was chosen, if nobody named one."""
    measure: Measure = field(init=False)
    """The measure that decides."""
    also: tuple[Measure, ...] = field(init=False)
    """The further measures."""
    compared_depth: int = field(init=False)
    """The depth to compare at."""
    compared_level: int = field(init=False)
    """The relevance level to compare at."""

    def __post_init__(self) -> None:
        measure, *also = parse_measures(SINGLE if self.measures is None else self.measures)
        if self.digits is not None and not 0 <= self.digits <= MOST_DIGITS:
            raise UsageError(f"digits={self.digits!r} cannot be used; expected 0 to {MOST_DIGITS}; write digits=3")
        if self.depth is not None:
            check_compared_depth(self.depth)
        # A cutoff beyond every list is like none.
        depth = self.depth or ranks_needed([measure.cutoff]) or DEFAULT_DEPTH
        level = self.level if self.level is not None else measure.rel if isinstance(measure, BinaryMeasure) else 1
        derived = {"measure": measure, "also": tuple(also), "compared_depth": depth, "compared_level": level}
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def for_labels(self, labels: Qrels | CutQrels) -> CompareOptions:
        """The same with a measure that suits the labels, if none was named."""
        if self.measures is not None:
            return self
        measure, note = default_measure(labels)
        return replace(self, measures=measure, measure_note=note)

    def needed_depth(self) -> int | None:
        """The ranks to read of a run, so that the measures and the comparison have theirs; None for whole lists.

        A measure of ir_measures is refused, because it is not computed from SERPs.
        """
        measures = (self.measure, *self.also)
        for measure in measures:
            if isinstance(measure, ExternalMeasure):
                raise UsageError(
                    f"{measure} is computed by ir_measures; expected a measure of runoff to compare runs with; write "
                    "its per-query scores into a matrix and compare that"
                )
        return ranks_needed([self.compared_depth, *(measure.cutoff for measure in measures)])
