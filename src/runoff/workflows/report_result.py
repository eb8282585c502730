"""The result of a report: a page, the tables of a paper, and pictures for print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from runoff.reports import Grid, Shown, render_latex
from runoff.reports.page import render_page
from runoff.reports.sections import SECTIONS, Content, ReportInputs, Section
from runoff.workflows.leaderboard import BoardResult


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportResult(Shown):
    """A report; as text and JSON it is the board with the answer to every question before it."""

    board: BoardResult
    inputs: ReportInputs

    @cached_property
    def sections(self) -> tuple[tuple[Section, Content], ...]:
        """Every section with what it says of this board."""
        return tuple((section, section.content(self.inputs)) for section in SECTIONS)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """The sentence of every section."""
        return tuple(content.sentence for _, content in self.sections)

    def grid(self) -> Grid:
        """The board."""
        return self.board.grid()

    def grids(self) -> tuple[Grid, ...]:
        """Every table of every section."""
        return tuple(grid for _, content in self.sections for grid in content.tables)

    def to_dict(self) -> dict[str, object]:
        """The answers, and the keys of `runoff board --format json`."""
        lead, origin = self.inputs.lead, self.inputs.origin
        return {
            "verdict": {
                "kind": lead.kind,
                "leader": lead.leader,
                "not_worse": list(lead.not_worse),
                "better": list(lead.better),
                "sentence": lead.sentence,
            },
            "answers": [
                {"section": section.name, "question": section.question, "answer": content.answer,
                 "sentence": content.sentence}
                for section, content in self.sections
            ],
            "files": [vars(file) for file in origin.files],
            "settings": dict(origin.settings),
            "versions": dict(origin.versions),
            "command": origin.command,
            **self.board.to_dict(),
        }  # fmt: skip

    def to_page(self) -> str:
        """The report as one HTML document that needs nothing else."""
        ranks = self.inputs.ranks
        runs = f"{len(ranks.runs):,} {'run' if len(ranks.runs) == 1 else 'runs'}"
        about = f"{runs} on {ranks.queries:,} queries by {ranks.measure}"
        return render_page(self.inputs.title, about, self.sections)

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
