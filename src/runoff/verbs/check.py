"""Check: every fault of runs and qrels, and what looks odd about them, without scoring."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from runoff.arguments import checks_arguments
from runoff.errors import InputError, UsageError
from runoff.files.board_toml import read_board
from runoff.files.checked import CheckedRun, check_qrels_file, check_run_file, note_error
from runoff.files.problems import Problems
from runoff.files.query_list import read_query_list
from runoff.files.streams import map_in_order, source_name, usable_cores
from runoff.phrases import listed
from runoff.reading.boards import board_inputs, is_board
from runoff.reading.sources import (
    Progress,
    QrelsSource,
    ReadOptions,
    RunSource,
    RunSources,
    as_qrels,
    as_run,
    as_runs,
    counted,
    is_file,
)
from runoff.results.check import CheckedFile, FileCheckResult
from runoff.results.check_messages import MISSING_METADATA, UNKNOWN_QUERIES, Finding
from runoff.tables.board import Board
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.run_metadata import missing_fields
from runoff.verbs._check_findings import (
    fit_findings,
    length_findings,
    list_findings,
    misfits,
    qrels_findings,
    rank_findings,
    same_file_findings,
)

DEPTH: Final = 10


@checks_arguments
def check(
    runs: RunSources | Board | None = None,
    qrels: QrelsSource | None = None,
    *,
    depth: int = DEPTH,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> FileCheckResult:
    """Find every fault of runs and qrels, and warn of what looks odd; nothing is scored.

    runs   one run, several, or a `board.toml`, all of whose files are checked; None to check the qrels alone
    qrels  the labels that the runs are to be scored with; without them each run is checked by itself
    depth  the rank to which ties and documents without a judgment are counted

    >>> result = check({"q1": {"d7": 2.0}}, {"q1": {"d1": 1}})
    >>> result.errors, result.files[1].problems[0].what
    (1, 'no document of any list is judged in qrels, so all scores would be 0')
    """
    if runs is None and qrels is None:
        raise UsageError("nothing to check; expected runs, qrels or both; name a file")
    if depth < 1:
        raise UsageError(f"depth {depth} cannot be used; expected a rank of 1 or more; write depth=10")
    checker = _Checker(depth=depth, reading=reading or ReadOptions())
    files: list[CheckedFile] = []
    labels: Qrels | None = None
    sources: Sequence[RunSource] = []
    names: Sequence[str] = []
    required: Sequence[str] = ()
    if is_board(runs):
        files, sources, described, required = checker.board(runs)
        labels, names = described if qrels is None else None, list(map(str, sources))
    elif runs is not None:
        sources, names = as_runs(runs, labels=[qrels])  # type: ignore[arg-type]  # not a Board
    if qrels is not None:
        checked, labels = checker.qrels(qrels)
        files.append(checked)
    called = labels.name if labels is not None else ""
    runs_checked = checker.runs(sources, names, labels, progress, required=required)
    return FileCheckResult(files=(*files, *runs_checked), qrels=called, depth=depth)


@dataclass(frozen=True, kw_only=True)
class _Checker:
    depth: int
    reading: ReadOptions

    def qrels(self, source: QrelsSource) -> tuple[CheckedFile, Qrels | None]:
        """Qrels, and what is wrong with them."""
        if is_file(source):
            checked = check_qrels_file(source, max_bytes=self.reading.max_bytes)
            file = CheckedFile(file=source_name(source), kind="qrels", format=checked.format, lines=checked.lines)
            file, qrels = _with_problems(file, checked.problems), checked.qrels
        else:
            problems, qrels, name = Problems(), None, source.name if isinstance(source, Qrels) else "qrels"
            try:
                qrels = as_qrels(source, reading=self.reading)
            except InputError as error:
                note_error(error, name, problems)
            file = _with_problems(CheckedFile(file=name, kind="qrels", format="table"), problems)
        return file if qrels is None else replace(file, warnings=tuple(qrels_findings(qrels))), qrels

    def runs(
        self,
        sources: Sequence[RunSource],
        names: Sequence[str],
        labels: Qrels | None,
        progress: Progress | None,
        *,
        required: Sequence[str] = (),
    ) -> list[CheckedFile]:
        """Runs, and what is wrong with them, each alone and beside the others; their metadata have required fields."""
        if not sources:
            return []
        request = self.reading.request(*([labels] if labels is not None else []), depth=self.depth)
        names = [source_name(run) if is_file(run) else name for run, name in zip(sources, names, strict=True)]
        at_once = min(len(sources), usable_cores())
        threads = max(1, usable_cores() // at_once)
        read = partial(self._run, request=request, threads=threads)
        checked = list(counted(map_in_order(read, sources, threads=at_once), len(sources), progress))
        lengths = length_findings([run.lists for run in checked])
        copies = same_file_findings(sources, names)
        files = []
        for name, run, short, copied in zip(names, checked, lengths, copies, strict=True):
            file = CheckedFile(file=name, kind="run", format=run.format, lines=run.lines)
            errors = [] if run.lists is None or labels is None else list(misfits(run.lists, labels))
            warnings = list(self._oddities(run, request, name=name, fits=not errors))
            if missing := missing_fields(run.metadata, required):
                errors.append(MISSING_METADATA.finding(fields=listed(missing)))
            file = replace(file, warnings=(*warnings, *short, *copied))
            files.append(_with_problems(file, run.problems, errors))
        return files

    def _run(self, source: RunSource, *, request: ListRequest, threads: int) -> CheckedRun:
        if is_file(source):
            return check_run_file(source, request, max_bytes=self.reading.max_bytes, threads=threads)
        problems, lists = Problems(), None
        try:
            run = as_run(source, reading=self.reading)
            lists = run.lists(request)
        except InputError as error:
            note_error(error, "run", problems)
        lines = None if lists is None else int(lists.lengths.sum())
        return CheckedRun(format="table", lines=lines, problems=problems, lists=lists, ranks=None)

    @staticmethod
    def _oddities(run: CheckedRun, request: ListRequest, *, name: str, fits: bool) -> Iterable[Finding]:
        if run.ranks is not None:
            yield from rank_findings(run.ranks, run.ranks.queries)
        if run.lists is not None:
            yield from list_findings(run.lists, request)
        if run.lists is not None and request.labels and fits:
            yield from fit_findings(run.lists, request, run=name)

    def board(self, source: Any) -> tuple[list[CheckedFile], list[RunSource], Qrels | None, Sequence[str]]:
        """The files that a `board.toml` names beside its runs, the runs, the labels that rank it, required fields."""
        if isinstance(source, Board):
            board, files = source, []
        else:
            problems = Problems()
            try:
                board = read_board(source)
            except InputError as error:
                note_error(error, os.fspath(source), problems)
            file = _with_problems(CheckedFile(file=os.fspath(source), kind="board", format="TOML"), problems)
            if problems.total:
                return [file], [], None, ()
            files = [file]
        label_sets = {}
        for name, path in board.labels.items():
            checked, label_sets[name] = self.qrels(path)
            files.append(checked)
        first = next(iter(label_sets.values()), None)
        files += [self._queries(os.fspath(path), first) for path in board.queries.values()]
        required = board.required_metadata or ()
        sources: list[RunSource] = [run.path for run in board.runs if run.path is not None]
        if first is None or any(file.problem_count for file in files if file.kind == "queries"):
            return files, sources, first, required
        inputs = board_inputs(board, first)
        return files, sources, first if inputs.queries is None else first.only(inputs.queries), required

    def _queries(self, path: str, labels: Qrels | None) -> CheckedFile:
        problems = Problems()
        file = CheckedFile(file=path, kind="queries", format="list")
        try:
            queries = read_query_list(path, max_bytes=self.reading.max_bytes)
        except InputError as error:
            note_error(error, path, problems)
            return _with_problems(file, problems)
        unknown = [] if labels is None else [query for query in queries if query not in labels.query_places]
        if not unknown or labels is None:
            return replace(file, lines=len(queries))
        finding = UNKNOWN_QUERIES.finding(count=len(unknown), queries=len(queries), qrels=labels.name, like=unknown[0])
        return _with_problems(replace(file, lines=len(queries)), problems, [finding])


def _with_problems(file: CheckedFile, problems: Problems, more: Sequence[Finding] = ()) -> CheckedFile:
    read = tuple(Finding(problem.line, *problem.parts) for problem in problems.in_order())
    return replace(file, problems=(*read, *more), problem_count=problems.total + len(more))
