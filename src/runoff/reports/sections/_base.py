"""The contract of a report section: what it is made from, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from runoff.display.grid import Grid

if TYPE_CHECKING:
    from runoff.boards.reliability import ReliabilityResult
    from runoff.boards.stability import StabilityResult
    from runoff.display import Shown
    from runoff.display.charts import Chart
    from runoff.results.audit import AuditResult
    from runoff.results.board import BoardResult
    from runoff.results.comparison import Comparison
    from runoff.results.ipso_agreement import DepthShares, IpsoBoardResult
    from runoff.results.label_facts import LabelFactsResult
    from runoff.results.multi_comparison import MultiComparison
    from runoff.tables.board import BoardRun
    from runoff.verdicts import Doubt, EvidenceResult, LeadVerdict


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
    """Everything that sections are made from; a part that is not known is None or empty.

    ranks             the ranks over bootstrap samples of the queries
    lead              the verdict on the leader; doubts: what contradicts it
    comparisons       the other runs against the leader, best mean first; empty where ranked lists are not known
    evidence          all evidence about the first of them
    multi_comparison  the first of them, as many as are shown, as one table
    shares            how often measures must agree about two ranked lists
    preferences       what people preferred; None until judgments of pairs are given
    full              whether the report has everything: `ipso`, `repeats` and `reliability` are None without it
    missing           by the name of a section that could not be made, why
    """

    title: str
    runs: tuple[BoardRun, ...]
    board: BoardResult
    ranks: StabilityResult
    lead: LeadVerdict
    origin: Origin
    doubts: tuple[Doubt, ...] = ()
    labels: LabelFactsResult | None = None
    comparisons: Sequence[Comparison] = ()
    evidence: tuple[EvidenceResult, ...] = ()
    multi_comparison: MultiComparison | None = None
    shares: DepthShares | None = None
    ipso: IpsoBoardResult | None = None
    audit: AuditResult | None = None
    repeats: Shown | None = None
    reliability: ReliabilityResult | None = None
    preferences: Shown | None = None
    full: bool = False
    missing: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A figure to see before any table: what it is, its value, and what belongs to it."""

    name: str
    value: str
    more: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Content:
    """What a section says about one board.

    answer      the answer in a few words: what is read of a section that is folded
    sentence    the answer in a sentence that the numbers below back up
    points      what else has to be read: each with the name of the section that has more about it
    excerpt     the rows and columns of the tables that are shown at once
    first_chart the chart that is shown at once
    paragraphs, code, charts, tables  the rest; folded in a section that is shown at once
    """

    answer: str
    sentence: str
    facts: tuple[Fact, ...] = ()
    points: tuple[Doubt, ...] = ()
    excerpt: Grid | None = None
    first_chart: Chart | None = None
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
    content   what it says about a board; None where it has nothing to say, and the section is left out
    is_open   whether it is shown at once, with the rest of it folded; else the whole section is folded
    drawings  charts that explain the method, the same for every board; only in a full report
    """

    name: str
    label: str
    question: str
    method: tuple[str, ...]
    sources: tuple[str, ...]
    content: Callable[[ReportInputs], Content | None]
    is_open: bool = False
    drawings: Callable[[], tuple[Chart, ...]] = tuple


def excerpt(grid: Grid, names: Sequence[str], rows: int | None = None, title: str | None = None) -> Grid:
    """The first rows of a table and some of its columns, those that it has, in its own order; without its notes."""
    places = [place for place, column in enumerate(grid.columns) if column.name in names]
    return replace(
        grid,
        title=grid.title if title is None else title,
        columns=[grid.columns[place] for place in places],
        rows=[[row[place] for place in places] for row in grid.rows[:rows]],
        notes=[],
    )
