"""The report of a board of published means: the order, the records, the submissions, and what is not known."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
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
from runoff.reports.sections import SECTIONS, Content, Fact, Origin
from runoff.reports.sections.leader import first_runs
from runoff.reports.sections.origin import origin_content
from runoff.results.audit import AuditResult
from runoff.tables.board import Board, BoardRun
from runoff.verbs._published_board import PublishedBoardResult, has_only_means, published_board, published_sets
from runoff.verbs.audit import AuditOptions, audit

UNKNOWN: Final = (
    "Only means were published. How certain the lead is, how the top runs differ, whether other measures agree and "
    "whether the labels are good enough cannot be said from means."
)
WHAT_TO_DO: Final = (
    "To find out, give each of the [[runs]] in the board.toml the path of its run file, add the labels as "
    "[labels.NAME], and make the report again."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedReportResult(SectionedResult):
    """The report of published means; as text and JSON it is the board with the answer to every question before it."""

    board: PublishedBoardResult
    audit: AuditResult

    def grid(self) -> Grid:
        """The board."""
        return self.board.grid()

    def to_dict(self) -> dict[str, object]:
        """The answers, and the keys of `runoff board --format json` that published means can fill."""
        return {**self.answers(), **self.board.to_dict()}


def published_report(
    source: str | os.PathLike[str],
    *,
    title: str | None = None,
    command: str = "",
    full: bool = False,
) -> PublishedReportResult:
    """What can be said about a board of which only means were published: order, records, submissions and changes.

    source     a `board.toml` without run files, such as `runoff board --import` writes
    command    what to type to make the report again
    full       unfold everything
    """
    if not has_only_means(source):
        raise UsageError(
            f"{os.fspath(source)} has run files, or no published means; expected published means alone; "
            "see `runoff report`"
        )
    described = read_board(source)
    described = described if title is None else replace(described, title=title)
    board = replace(published_board(source), title=described.title)
    audited = audit(described, options=AuditOptions())
    origin = _origin(described, Path(source), board.query_set, command)
    contents = _contents(board, audited, origin)
    return PublishedReportResult(
        title=board.title,
        about=f"{counted(len(board.runs), 'run')} by published {board.measure} on the {board.query_set} queries",
        headline=board.opening(0)[0],
        sections=tuple((section, contents[section.name]) for section in SECTIONS if section.name in contents),
        origin=origin,
        full=full,
        board=board,
        audit=audited,
    )


def _contents(board: PublishedBoardResult, audited: AuditResult, origin: Origin) -> dict[str, Content]:
    """What each section says about published means, by its name; the others need scores of every query."""
    leads, *records = board.opening(0)
    _about, _no_order, *findings = audited.opening(0)
    first, *more = [*_orders(board, audited.runs), *findings]
    whole, *others = board.grids()
    return {
        "verdict": Content(
            answer="not known: only means were published", sentence=leads, facts=_facts(board), paragraphs=(WHAT_TO_DO,)
        ),
        "leader": Content(
            answer=f"{board.runs[0].name} by its published mean; how certain that is cannot be said",
            sentence=records[0] if records else f"{counted(len(board.runs), 'run')} in the order of their means.",
            excerpt=first_runs(whole),
            paragraphs=tuple(records[1:]),
            charts=board.charts(),
            tables=(whole, *others),
        ),
        "doubts": Content(answer="everything but the order of the means", sentence=UNKNOWN),
        "elsewhere": Content(
            answer=_elsewhere(board, audited), sentence=first, paragraphs=tuple(more), tables=audited.grids()
        ),
        "origin": origin_content(origin, {}),
    }


def _facts(board: PublishedBoardResult) -> tuple[Fact, ...]:
    leader, records = board.runs[0], board.records
    about = ", ".join(part for part in (leader.team, leader.date.isoformat() if leader.date else "") if part)
    facts = [
        Fact(name="Leader", value=leader.name, more=about),
        Fact(
            name=f"Published {board.measure}",
            value=f"{leader.scores[board.query_set]:.4f}",
            more=f"on the {board.query_set} queries",
        ),
        Fact(name="Runs", value=f"{len(board.runs):,}", more=_teams(board)),
    ]
    if records is not None:
        facts.append(Fact(name="Records", value=f"{len(records.records):,}", more="over time"))
    return tuple(facts)


def _elsewhere(board: PublishedBoardResult, audited: AuditResult) -> str:
    """Where the leader leads by published means, and how many submissions were against the rule, in a few words."""
    sets = published_sets(audited.runs)
    leads = [name for name in sets if _leader(audited.runs, name) == board.runs[0].name]
    parts = [f"leads on {' and '.join(leads)} by the published means" if len(sets) > 1 else "one set of queries only"]
    broken = len({(one.team, one.name) for one in audited.submissions.violations})
    parts += [f"{counted(broken, 'submission')} against the rule"] if broken else []
    return "; ".join(parts)


def _orders(board: PublishedBoardResult, runs: Sequence[BoardRun]) -> Iterator[str]:
    """Who leads on each set of queries with published means, and how similar the orders are."""
    import numpy as np

    others = [name for name in published_sets(runs) if name != board.query_set]
    if not others:
        yield f"Means were published for the {board.query_set} queries alone, so there is no other order."
    for name in others:
        both = [run for run in runs if {name, board.query_set} <= run.scores.keys()]
        places = [
            np.unique([-run.scores[one] for run in both], return_inverse=True)[1].astype(np.int32)[None, :]
            for one in (board.query_set, name)
        ]
        alike = f" The two orders of the {len(both):,} runs with both means have a Kendall's tau of "
        first, other = board.runs[0].name, _leader(runs, name)
        elsewhere = f"and on the {name} ones" if first == other else f"and {other} on the {name} ones"
        text = f"By the published means {first} leads on the {board.query_set} queries {elsewhere}."
        yield text + (f"{alike}{float(tau_b(*places)[0]):.2f}; 1 is the same order." if len(both) > 1 else "")


def _leader(runs: Sequence[BoardRun], query_set: str) -> str:
    return min(
        (run for run in runs if query_set in run.scores), key=lambda run: (-run.scores[query_set], run.name)
    ).name


def _teams(board: PublishedBoardResult) -> str:
    teams = len({run.team for run in board.runs if run.team})
    return f"of {counted(teams, 'team')}" if teams else ""


def _origin(board: Board, path: Path, query_set: str, command: str) -> Origin:
    import platform
    from importlib.metadata import version

    settings = {"Measure": board.measure, "Queries": query_set, "Known of each run": "the published mean alone"}
    versions = {"runoff": version("runoff"), "numpy": version("numpy"), "Python": platform.python_version()}
    return Origin(
        files=input_files([("board", path)], path.parent), settings=settings, versions=versions, command=command
    )
