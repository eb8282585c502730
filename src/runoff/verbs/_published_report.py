"""The report of a board of published means alone: the order, the records and the submissions, and what is not known."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from runoff.boards.kendall import tau_b
from runoff.display import Grid
from runoff.errors import UsageError
from runoff.files.board_toml import read_board
from runoff.phrases import counted
from runoff.reading.boards import input_files
from runoff.reports.result import SectionedResult
from runoff.reports.sections import Content, Fact, Origin, Section
from runoff.reports.sections.origin import origin_content
from runoff.results.audit import AuditResult
from runoff.tables.board import Board, BoardRun
from runoff.verbs._published_board import PublishedBoardResult, has_only_means, published_board
from runoff.verbs.audit import AuditOptions, audit

WHAT_TO_DO: Final = (
    "To find out this and what is not known below, give each of the [[runs]] in the board.toml the path of its run "
    "file, add the labels as [labels.NAME], and make the report again."
)
UNKNOWN: Final[Mapping[str, tuple[str, str]]] = {
    "verdict": (
        "not known: only means were published",
        (
            "Whether the leader is better than the other runs cannot be told from means: it takes the scores of both "
            "runs on every query."
        ),
    ),
    "outcomes": (
        "not known",
        "How the top runs differ cannot be told from means: it takes the rank at which each run answers each query.",
    ),
    "measures": ("not known", "Whether every measure would agree cannot be told from the means of one measure."),
    "repeats": (
        "not known",
        (
            "Whether the tests repeat cannot be told from means: it takes scores on every query, to split the queries "
            "in halves."
        ),
    ),
    "labels": (
        "not known",
        (
            "Whether the labels are good enough cannot be told from means: it takes the documents that the runs rank "
            "first."
        ),
    ),
}
"""What published means do not tell, by section: the answer, and why."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedReportResult(SectionedResult):
    """The report of published means; as text and JSON it is the board with the answer to every question before it."""

    board: PublishedBoardResult
    audit: AuditResult
    origin: Origin

    @property
    def title(self) -> str:
        """The title of the board."""
        return self.board.title

    @property
    def about(self) -> str:
        """What the board is, in a line."""
        runs = f"{len(self.board.runs):,} {'run' if len(self.board.runs) == 1 else 'runs'}"
        return f"{runs} by published {self.board.measure} on the {self.board.query_set} queries"

    @property
    def headline(self) -> str:
        """Who leads, and what is not known."""
        return self.board.opening(0)[0]

    def content(self, section: Section) -> Content:
        """What a section says of this board."""
        if section.name in UNKNOWN:
            answer, why = UNKNOWN[section.name]
            if section.name == "verdict":
                return Content(answer=answer, sentence=why, facts=self._facts(), paragraphs=(WHAT_TO_DO,))
            return Content(answer=answer, sentence=why)
        if section.name == "leader":
            first, *more = self.board.opening(0)
            leads = f"{self.board.runs[0].name} by its published mean; how sure is not known"
            return Content(
                answer=leads,
                sentence=first,
                paragraphs=tuple(more),
                charts=self.board.charts(),
                tables=self.board.grids(),
            )
        if section.name == "elsewhere":
            _about, _no_order, *said = self.audit.opening(0)
            first, *more = [*_orders(self.board, self.audit.runs), *said]
            return Content(
                answer=_elsewhere(self.board, self.audit),
                sentence=first,
                paragraphs=tuple(more),
                tables=self.audit.grids(),
            )
        return origin_content(self.origin)

    def _facts(self) -> tuple[Fact, ...]:
        leader = self.board.runs[0]
        about = ", ".join(part for part in (leader.team, leader.date.isoformat() if leader.date else "") if part)
        records = self.board.records
        facts = [
            Fact(name="Leader", value=leader.name, more=about),
            Fact(
                name=f"Published {self.board.measure}",
                value=f"{leader.scores[self.board.query_set]:.4f}",
                more=f"on the {self.board.query_set} queries",
            ),
            Fact(name="Runs", value=f"{len(self.board.runs):,}", more=_teams(self.board)),
        ]
        if records is not None:
            facts.append(Fact(name="Records", value=f"{len(records.records):,}", more="over time"))
        return tuple(facts)

    def grid(self) -> Grid:
        """The board."""
        return self.board.grid()

    def to_dict(self) -> dict[str, object]:
        """The answers, and the keys of `runoff board --format json` that published means can fill."""
        return {**self.answers(self.origin), **self.board.to_dict()}


def published_report(
    source: str | os.PathLike[str], *, title: str | None = None, command: str = "", query_set: str | None = None
) -> PublishedReportResult:
    """What can be said about a board of which only means were published: order, records, submissions and changes.

    source     a `board.toml` without run files, such as `runoff board --import` writes
    query_set  whose means; those on `private` queries if there are any, else on `public` ones, else the first named
    command    what to type to make the report again
    """
    if not has_only_means(source):
        raise UsageError(
            f"{os.fspath(source)} has run files, or no published means; expected published means alone; "
            "see `runoff report`"
        )
    described = read_board(source)
    described = described if title is None else replace(described, title=title)
    shown = replace(published_board(source, query_set=query_set), title=described.title)
    return PublishedReportResult(
        board=shown,
        audit=audit(described, question=AuditOptions()),
        origin=_origin(described, Path(source), shown.query_set, command),
    )


def _elsewhere(board: PublishedBoardResult, audited: AuditResult) -> str:
    """Where the leader leads by published means, and how many submissions were against the rule, in a few words."""
    sets = _query_sets(audited.runs)
    leads = [name for name in sets if _leader(audited.runs, name) == board.runs[0].name]
    parts = [f"leads on {' and '.join(leads)} by the published means" if len(sets) > 1 else "one set of queries only"]
    broken = len({(one.team, one.name) for one in audited.submissions.violations})
    parts += [f"{counted(broken, 'submission')} against the rule"] if broken else []
    return "; ".join(parts)


def _orders(board: PublishedBoardResult, runs: Sequence[BoardRun]) -> Iterator[str]:
    """Who leads on each set of queries with published means, and how alike the orders are."""
    import numpy as np

    others = [name for name in _query_sets(runs) if name != board.query_set]
    if not others:
        yield f"Means were published for the {board.query_set} queries alone, so there is no other order to look at."
    for name in others:
        both = [run for run in runs if {name, board.query_set} <= run.scores.keys()]
        places = [
            np.unique([-run.scores[one] for run in both], return_inverse=True)[1].astype(np.int32)[None, :]
            for one in (board.query_set, name)
        ]
        alike = f" The two orders of the {len(both):,} runs with both means have a Kendall's tau of "
        first, other = board.runs[0].name, _leader(runs, name)
        there = f"and on the {name} ones" if first == other else f"and {other} on the {name} ones"
        said = f"By the published means {first} leads on the {board.query_set} queries {there}."
        yield said + (f"{alike}{float(tau_b(*places)[0]):.2f}; 1 is the same order." if len(both) > 1 else "")


def _query_sets(runs: Sequence[BoardRun]) -> list[str]:
    return list(dict.fromkeys(name for run in runs for name in run.scores))


def _leader(runs: Sequence[BoardRun], query_set: str) -> str:
    return min(
        (run for run in runs if query_set in run.scores), key=lambda run: (-run.scores[query_set], run.name)
    ).name


def _teams(board: PublishedBoardResult) -> str:
    teams = len({run.team for run in board.runs if run.team})
    return f"of {teams:,} {'team' if teams == 1 else 'teams'}" if teams else ""


def _origin(board: Board, path: Path, query_set: str, command: str) -> Origin:
    import platform
    from importlib.metadata import version

    settings = {"Measure": board.measure, "Queries": query_set, "Known of each run": "the published mean alone"}
    versions = {"runoff": version("runoff"), "numpy": version("numpy"), "Python": platform.python_version()}
    return Origin(
        files=input_files([("board", path)], path.parent), settings=settings, versions=versions, command=command
    )
