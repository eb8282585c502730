"""The result of a report: a page, the tables of a paper, and pictures for print."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from runoff.display import Grid, Shown, render_latex
from runoff.reports.page import render_page
from runoff.reports.sections import SECTIONS, Content, Origin, ReportInputs, Section
from runoff.results.audit import AuditResult
from runoff.results.board import BoardResult


@dataclass(frozen=True, kw_only=True, eq=False)
class SectionedResult(Shown):
    """A report of some kind: an answer to each of the questions."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The title of the page."""

    @property
    @abstractmethod
    def about(self) -> str:
        """What the board is, in a line."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """What to say first, in a sentence."""

    @abstractmethod
    def content(self, section: Section) -> Content:
        """What a section says of this board."""

    @cached_property
    def sections(self) -> tuple[tuple[Section, Content], ...]:
        """Every section with what it says of this board."""
        return tuple((section, self.content(section)) for section in SECTIONS)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """The sentence of every section."""
        return tuple(content.sentence for _, content in self.sections)

    def grids(self) -> tuple[Grid, ...]:
        """Every table of every section."""
        return tuple(grid for _, content in self.sections for grid in content.tables)

    def answers(self, origin: Origin) -> dict[str, object]:
        """The answers and how they were computed, as keys of `runoff report --format json`."""
        return {
            "answers": [
                {"section": section.name, "question": section.question, "answer": content.answer,
                 "sentence": content.sentence}
                for section, content in self.sections
            ],
            "files": [vars(file) for file in origin.files],
            "settings": dict(origin.settings),
            "versions": dict(origin.versions),
            "command": origin.command,
        }  # fmt: skip

    def to_page(self) -> str:
        """The report as one HTML document that needs nothing else."""
        return render_page(self.title, self.about, self.sections)

    def latex_files(self) -> Iterator[tuple[str, str]]:
        """A file name and its content for every table, in the form that goes into a paper."""
        for section, content in self.sections:
            for number, grid in enumerate(content.tables, start=1):
                yield f"{section.name}-{number}.tex", render_latex(grid)

    def figure_files(self, *suffixes: str) -> Iterator[tuple[str, bytes]]:
        """A file name and its content for every chart, at print size, for each kind of picture."""
        for section, content in self.sections:
            for number, chart in enumerate(content.charts, start=1):
                printed = chart.in_style(size="print")
                for suffix in suffixes:
                    yield f"{section.name}-{number}-{chart.name}{suffix}", printed.to_file(suffix)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportResult(SectionedResult):
    """A report; as text and JSON it is the board with the answer to every question before it."""

    board: BoardResult
    audit: AuditResult
    inputs: ReportInputs

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.inputs.title

    @property
    def about(self) -> str:
        """How many runs and queries there are, and the measure."""
        ranks = self.inputs.ranks
        runs = f"{len(ranks.runs):,} {'run' if len(ranks.runs) == 1 else 'runs'}"
        return f"{runs} on {ranks.queries:,} queries by {ranks.measure}"

    @property
    def headline(self) -> str:
        """The verdict on the first run."""
        return self.inputs.lead.sentence

    def content(self, section: Section) -> Content:
        """What a section says of this board."""
        return section.content(self.inputs)

    def grid(self) -> Grid:
        """The board."""
        return self.board.grid()

    def to_dict(self) -> dict[str, object]:
        """The answers, and the keys of `runoff board --format json`."""
        lead = self.inputs.lead
        return {
            "verdict": {
                "kind": lead.kind,
                "leader": lead.leader,
                "tied": list(lead.tied),
                "not_worse": list(lead.not_worse),
                "sentence": lead.sentence,
            },
            **self.answers(self.inputs.origin),
            **self.board.to_dict(),
        }
