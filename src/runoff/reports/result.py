"""The result of a report: a page, the tables of a paper, and pictures for print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from runoff.display import Grid, Shown, render_latex
from runoff.reports.page import render_page
from runoff.reports.sections import Content, Origin, ReportInputs, Section
from runoff.results.audit import AuditResult
from runoff.results.board import BoardResult


@dataclass(frozen=True, kw_only=True, eq=False)
class SectionedResult(Shown):
    """A report of some kind: an answer to each question that its board can answer.

    about     what the board is, in a line
    headline  the verdict, in a sentence
    full      whether everything on the page is unfolded
    """

    title: str
    about: str
    headline: str
    sections: tuple[tuple[Section, Content], ...]
    origin: Origin
    full: bool = False

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """The sentence of every section, and the reasons for doubt."""
        return tuple(
            " ".join([content.sentence, *(point.sentence for point in content.points)]) for _, content in self.sections
        )

    def grids(self) -> tuple[Grid, ...]:
        """Every table of every section."""
        return tuple(grid for _, content in self.sections for grid in content.tables)

    def answers(self) -> dict[str, object]:
        """The answers and how they were computed, as keys of `runoff report --format json`."""
        return {
            "answers": [
                {
                    "section": section.name,
                    "question": section.question,
                    "answer": content.answer,
                    "sentence": content.sentence,
                }
                for section, content in self.sections
            ],
            "doubts": [vars(point) for _, content in self.sections for point in content.points],
            "files": [vars(file) for file in self.origin.files],
            "settings": dict(self.origin.settings),
            "versions": dict(self.origin.versions),
            "command": self.origin.command,
        }

    def to_page(self) -> str:
        """The report as one HTML document that needs nothing else."""
        return render_page(self.title, self.about, self.sections, full=self.full)

    def own_formats(self) -> Mapping[str, Callable[[], str]]:
        """As HTML it is a page."""
        return {"html": self.to_page}

    def brief(self) -> str:
        """The verdict."""
        return self.headline

    def latex_files(self) -> Iterator[tuple[str, str]]:
        """A file name and its content for every table, in the form that goes into a paper."""
        for section, content in self.sections:
            for number, grid in enumerate(content.tables, start=1):
                yield f"{section.name}-{number}.tex", render_latex(grid)

    def figure_files(self, *suffixes: str) -> Iterator[tuple[str, bytes]]:
        """A file name and its content for every chart, at print size, for each kind of picture."""
        for section, content in self.sections:
            charts = (*((content.first_chart,) if content.first_chart else ()), *content.charts)
            for number, chart in enumerate(charts, start=1):
                printed = chart.in_style(size="print")
                for suffix in suffixes:
                    yield f"{section.name}-{number}-{chart.name}{suffix}", printed.to_file(suffix)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportResult(SectionedResult):
    """A report; as text and JSON it is the board with the answer to every question before it."""

    board: BoardResult
    audit: AuditResult
    inputs: ReportInputs

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
            **self.answers(),
            **self.board.to_dict(),
        }
