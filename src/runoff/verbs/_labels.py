"""Versions of labels and the judgments behind them, for the functions that keep labels up to date."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from runoff.arguments import checks_arguments
from runoff.choices import Exclude
from runoff.display import Column, Grid
from runoff.display.grid import Value
from runoff.files.judging.task_table import read_tasks
from runoff.files.qrels import LabelVersion, read_labels, render_labels
from runoff.files.streams import Source
from runoff.preferences import UpdatedLabels, mark_test_pairs, quality
from runoff.preferences.maintenance import best_known
from runoff.reading.judgments import JudgmentSources, as_judgments, digests, read_judgment_files
from runoff.reading.sources import QrelsSource, ReadOptions, as_qrels, is_file
from runoff.tables.preferences import JudgmentFile, Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.tasks import Tasks

LabelSource: TypeAlias = QrelsSource | LabelVersion
"""Qrels of any kind, or a version of labels."""
TaskSource: TypeAlias = Tasks | Source
"""Tasks, or their file."""
TaskSources: TypeAlias = TaskSource | Sequence[TaskSource] | None
MOST_ROWS: Final = 30
"""Rows that tables for people show."""
MOST_IDS: Final = 3
"""Document ids in a cell of such a table."""


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class MaintainOptions:
    """How labels are kept.

    depth           how many top documents of each run are compared
    exclude         what a failed test pair discards: that task's judgments, or all of the assessor
    single_answers  make graded labels into single answers: the best known ones alone, all of grade 1
    """

    depth: int = 1
    exclude: Exclude = "task"
    single_answers: bool = False


def version_of(labels: LabelVersion, updated: UpdatedLabels) -> int:
    """The version of labels after judgments; that of the old ones if nothing changed."""
    return labels.version + updated.is_changed


def changes_said(labels: LabelVersion, updated: UpdatedLabels) -> str:
    """What judgments change in labels, in a sentence or two."""
    replaced, rings, queries = len(updated.replaced), len(updated.rings), len(best_known(updated.labels))
    if not updated.is_changed:
        return f"Version {labels.version} stands: no judgment changes one of {queries:,} best known answers."
    said = f"Version {version_of(labels, updated)}: {replaced:,} of {queries:,} queries have "
    said += "new best known answers beside the old ones" if updated.keeps_rows else "another best known answer"
    said += f"; in {rings:,} of them several answers beat each other in a cycle." if rings else "."
    about = grades_said(labels.qrels, updated)
    return f"{said} {about}" if about else said


def replaced_grid(updated: UpdatedLabels) -> Grid:
    """A row per query whose best known answers changed, with those that went and those that came."""
    rows: list[list[Value]] = [
        [query_id, *(_first_of([doc for doc in docs if doc not in other]) for docs, other in ((old, new), (new, old)))]
        for query_id, old, new in updated.replaced
    ]
    return Grid(
        title="Best known answers that changed",
        columns=[Column("query", "Query"), Column("old", "Old"), Column("new", "New")],
        rows=rows[:MOST_ROWS],
        notes=rows_left_out(len(rows), "queries"),
    )


def _first_of(documents: Sequence[str]) -> str | None:
    """A few document ids, and how many more there are; graded labels can have a hundred of the highest grade."""
    more = f" and {len(documents) - MOST_IDS:,} more" if len(documents) > MOST_IDS else ""
    return " ".join(documents[:MOST_IDS]) + more or None


def rows_left_out(rows: int, what: str) -> list[str]:
    """A note where a table does not have all rows."""
    return [f"{MOST_ROWS} of {rows:,} {what}; JSON has all."] if rows > MOST_ROWS else []


def grades_said(old: Qrels, updated: UpdatedLabels) -> str:
    """What became of graded labels; nothing of labels that are answers alone."""
    if updated.keeps_rows:
        return (
            f"The labels are graded: all {len(old):,} rows stay, {len(updated.labels) - len(old):,} are new, and what "
            "is preferred to a best known answer gets the highest grade of its query."
        )
    if updated.made_single:
        return f"{len(old):,} graded rows are made into {len(updated.labels):,} answers of grade 1, as asked for."
    return ""


def label_lines_of(labels: LabelVersion, updated: UpdatedLabels, files: Sequence[JudgmentFile]) -> Iterator[str]:
    """The lines of a file with the new version of labels; of the old one, if nothing changed."""
    if not updated.is_changed:
        parent, judgments = labels.parent or "", labels.judgments
    else:
        parent, judgments = labels.digest, digests(files)
    return render_labels(updated.labels, version=version_of(labels, updated), parent=parent, judgments=judgments)


def counted_judgments(
    judgments: JudgmentSources, tasks: TaskSources, exclude: Exclude, reading: ReadOptions
) -> tuple[Preferences, tuple[JudgmentFile, ...]]:
    """All judgments that count: those of tasks whose test pairs were passed; and what each file brought."""
    sources = as_judgments(judgments)
    table, files = read_judgment_files(sources, reading=reading) if sources else (Preferences.of([]), ())
    known = [answer for source in as_list(tasks) for answer in as_tasks(source).known_answers]
    table = mark_test_pairs(table, known) if known else table
    return quality(table, exclude=exclude).kept, files


def as_tasks(source: TaskSource) -> Tasks:
    """Tasks, from their file if need be."""
    return source if isinstance(source, Tasks) else read_tasks(source)


def as_list(tasks: TaskSources) -> list[TaskSource]:
    """The single sources of tasks."""
    return [] if tasks is None else list(tasks) if isinstance(tasks, (list, tuple)) else [tasks]  # type: ignore[list-item]


def as_labels(source: LabelSource, reading: ReadOptions) -> LabelVersion:
    """A version of the labels from a file, or from qrels of whatever kind, which are version 1."""
    if isinstance(source, LabelVersion):
        return source
    if is_file(source) and not isinstance(source, Qrels):
        return read_labels(source, max_bytes=reading.max_bytes)
    return LabelVersion(qrels=as_qrels(source, reading=reading), version=1, digest="", parent=None, judgments=())
