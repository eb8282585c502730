"""Labels of a board from the machine of its server: versions listed, added and taken into use."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from runoff.errors import NotFoundError
from runoff.server.cases.labels.versions import NewLabels, add_labels, use_labels
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.views.stored_board import in_use, open_sets
from runoff.server.store.boards import StoredBoard, load_board_by_slug
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.label_sets import LabelSet, load_label_sets


def add_file_labels(  # noqa: PLR0913
    database: Database,
    files: FileStore,
    slug: str,
    path: Path,
    *,
    name: str | None = None,
    note: str = "",
    sealed: bool = False,
    relevance_level: int | None = None,
    now: datetime,
    reader: LimitedReader = USUAL_READER,
) -> LabelSet:
    """Add the labels of a file as the next version of a label set, of the one that the board ranks by without a name.

    For whoever can use the machine: nobody is asked for a role, and the log names nobody.
    """
    board, called = _named(database, slug, name)
    new = NewLabels(name=called, path=path, file_name=path.name, note=note, sealed=sealed,
                    relevance_level=relevance_level)  # fmt: skip
    return add_labels(database, files, board, new, actor=None, now=now, reader=reader)


def use_label_version(
    database: Database, slug: str, version: int, *, name: str | None = None, now: datetime
) -> LabelSet:
    """Let a board rank by a version of a label set, of the one that it ranks by without a name."""
    board, called = _named(database, slug, name)
    with database.read() as connection:
        versions = {one.version: one for one in load_label_sets(connection, board.id) if one.name == called}
    if version not in versions:
        known = ", ".join(str(number) for number in versions) or "none"
        raise NotFoundError(f"board {slug!r} has no version {version} of labels {called!r}; expected one of {known}")
    return use_labels(database, board, versions[version].id, actor=None, now=now)


def label_lines(database: Database, slug: str) -> Iterator[str]:
    """Every version of a board's labels, a line each."""
    with database.read() as connection:
        versions = load_label_sets(connection, load_board_by_slug(connection, slug).id)
    used = {one.id for one in in_use(versions).values()}
    for one in versions:
        state = "in use" if one.id in used else "used before" if one.use else "not used yet"
        kind = "private" if one.sealed else "open"
        level = f", relevance level {one.relevance_level}" if one.relevance_level else ""
        note = f" ({one.note})" if one.note else ""
        yield (
            f"{one.name}, version {one.version}: {state}, {kind}, {one.queries:,} queries, {one.judged:,} judged"
            f"{level}{note}"
        )


def _named(database: Database, slug: str, name: str | None) -> tuple[StoredBoard, str]:
    with database.read() as connection:
        board = load_board_by_slug(connection, slug)
        return board, name or open_sets(connection, board)[0].name
