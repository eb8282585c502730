"""The contract of every section of a report: what it is made from, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from runoff.boards.reliability import ReliabilityResult
from runoff.boards.stability import StabilityResult
from runoff.display._base import Showable
from runoff.display.grid import Column, Grid, Value
from runoff.results.comparison import Comparison
from runoff.tables.board import BoardRun
from runoff.verdicts import EvidenceResult, LeadVerdict

if TYPE_CHECKING:
    from runoff.display.charts import Chart


class Charted(Showable, Protocol):
    """A result with tables and charts."""

    def charts(self) -> tuple[Chart, ...]:
        """Every chart, the main one first."""


class Records(Charted, Protocol):
    """The records over time, each compared with the one that it displaced."""

    @property
    def against_displaced(self) -> Sequence[Comparison]:
        """A comparison per record but the first."""


class Ipso(Charted, Protocol):
    """IPSO over all pairs of runs."""

    @property
    def free_share(self) -> float:
        """The share of pairs of lists on which measures may disagree."""


class Audit(Charted, Protocol):
    """The order under other conditions, the submissions and the overfitting monitor."""

    def headline(self) -> str:
        """Where the leader leads, in a few words."""


class Labels(Charted, Protocol):
    """How much of what the runs retrieve was judged."""

    @property
    def unjudged(self) -> float:
        """The share of the runs' top documents that nobody judged."""


@dataclass(frozen=True, kw_only=True)
class InputFile:
    """A file that went into a report: what it is for, its path as it was named, its size and its sha256."""

    role: str
    path: str
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Origin:
    """How a report was computed, so that it can be made again."""

    files: tuple[InputFile, ...]
    settings: Mapping[str, str]
    versions: Mapping[str, str]
    command: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportInputs:
    """Everything that sections are made from; a part that could not be computed is None, and `missing` says why.

    ranks        the ranks over bootstrap samples of the queries
    lead         the verdict on the first run
    comparisons        the other runs against the first, best mean first; empty where ranked lists are not known
    evidence     all evidence about the first of them, with what is known beside the queries of the board; where it is
                 empty, that of the comparisons themselves
    multi_comparison      the first of them, as many as are shown, as one table
    records      the records over time; None if no run has a date
    preferences  what people preferred; None until judgments of pairs are given
    missing      by the name of a section, why it has nothing to show
    """

    title: str
    runs: tuple[BoardRun, ...]
    board: Charted
    ranks: StabilityResult
    lead: LeadVerdict
    origin: Origin
    labels: Labels | None = None
    comparisons: Sequence[Comparison] = ()
    evidence: tuple[EvidenceResult, ...] = ()
    multi_comparison: Charted | None = None
    records: Records | None = None
    ipso: Ipso | None = None
    audit: Audit | None = None
    repeats: Charted | None = None
    reliability: ReliabilityResult | None = None
    preferences: Charted | None = None
    missing: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A figure to see before any table: what it is, its value, and what belongs to it."""

    name: str
    value: str
    more: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Content:
    """What a section says of one board.

    answer      the answer in a few words, for the list at the top of the report
    sentence    the answer in a sentence that the numbers below back up
    paragraphs  what else has to be said before the tables
    code        lines to type
    """

    answer: str
    sentence: str
    facts: tuple[Fact, ...] = ()
    paragraphs: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    tables: tuple[Grid, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Section:
    """One question of a report.

    name      its place in the page, and the start of the names of its files
    label     what the table of contents calls it
    question  its heading
    method    how it is found out, in a few plain sentences
    sources   the papers, with their DOIs
    content   what it says of a board
    drawings  charts that explain the method, the same for every board; drawn only when they are shown
    """

    name: str
    label: str
    question: str
    method: tuple[str, ...]
    sources: tuple[str, ...]
    content: Callable[[ReportInputs], Content]
    drawings: Callable[[], tuple[Chart, ...]] = tuple


def nothing(reason: str) -> Content:
    """A section that has nothing to show, and why."""
    return Content(answer="not known", sentence=reason)


def without(grid: Grid, *names: str) -> Grid:
    """A table without some of its columns."""
    kept = [place for place, column in enumerate(grid.columns) if column.name not in names]
    columns: list[Column] = [grid.columns[place] for place in kept]
    rows: list[list[Value]] = [[row[place] for place in kept] for row in grid.rows]
    return replace(grid, columns=columns, rows=rows)
