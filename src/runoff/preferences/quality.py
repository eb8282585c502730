"""Quality: assessors who fail a test pair lose that task's judgments and get no more tasks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.tables.ids import Rows
from runoff.tables.preferences import ABSENT, LEFT, RIGHT, Preferences


@dataclass(frozen=True, kw_only=True)
class AssessorQuality:
    """One assessor: tasks done and failed, test pairs judged and failed, judgments of real pairs kept and discarded."""

    assessor: str
    tasks: int
    failed_tasks: int
    tests: int
    failed_tests: int
    kept: int
    discarded: int


@dataclass(frozen=True, kw_only=True)
class Reissue:
    """A task to issue again: how many assessors it still needs, and who must not get it, having done it before."""

    task: str
    missing: int
    done_by: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class QualityResult:
    """What the test pairs say.

    kept        the judgments of real pairs that count
    discarded   how many judgments of real pairs do not, because a test pair of the same task and assessor was failed
    tests       judgments of test pairs; failed_tests: those with the wrong answer, a tie among them
    unplaced    failed test pairs that name neither assessor nor task, so that nothing could be discarded for them
    assessors   every assessor who is named, in order of appearance
    excluded    assessors who failed a test pair and get no more tasks
    reissue     tasks that fewer assessors than wanted have done well
    """

    kept: Preferences
    discarded: int
    tests: int
    failed_tests: int
    unplaced: int
    assessors: tuple[AssessorQuality, ...]
    excluded: tuple[str, ...]
    reissue: tuple[Reissue, ...]


def quality(table: Preferences, *, assessors_per_task: int = 1) -> QualityResult:
    """The judgments that count, the assessors who are out, and the tasks to issue again.

    A task of an assessor is failed if one of its test pairs has the wrong answer. Its judgments are discarded; other
    tasks of the same assessor stay. Judgments of an assessor that name no task are one task.

    assessors_per_task  how many assessors should do each task well

    Arabzadeh et al. 2021, section 3.1, https://arxiv.org/abs/2109.00062

    >>> rows = [("q", "a", "b", "a", "ann", "t1"), ("q", "a", "x", "x", "ann", "t1", None, "a"),
    ...         ("q", "a", "b", "b", "bob", "t2"), ("q", "a", "x", "a", "bob", "t2", None, "a")]
    >>> result = quality(Preferences.of(rows))
    >>> [row.preferred for row in result.kept], result.excluded, [one.task for one in result.reissue]
    (['b'], ('ann',), ['t1'])
    """
    if assessors_per_task < 1:
        raise UsageError(f"assessors_per_task={assessors_per_task} cannot be used; expected 1 or more")
    is_test = table.is_test
    failed = is_test & (table.choice != table.expected)
    who, task = table.row_assessor.astype(np.int64), table.row_task.astype(np.int64)
    groups, group = np.unique((who + 1) * (len(table.tasks) + 1) + task + 1, return_inverse=True)
    group_who, group_task = np.divmod(groups, len(table.tasks) + 1)
    group_who, group_task = group_who - 1, group_task - 1
    is_placed = (group_who != ABSENT) | (group_task != ABSENT)
    is_failed = (np.bincount(group[failed], minlength=len(groups)) > 0) & is_placed
    keep = ~is_test & ~is_failed[group]
    number = len(table.assessors)
    tallies = [
        np.bincount(who[rows & (who != ABSENT)], minlength=number).tolist()
        for rows in (is_test, failed, keep, ~is_test & ~keep)
    ]
    tasks = [
        np.bincount(group_who[chosen & (group_who != ABSENT)], minlength=number).tolist()
        for chosen in (np.ones(len(groups), dtype=np.bool_), is_failed)
    ]
    return QualityResult(
        kept=table.take(keep),
        discarded=int((~is_test & ~keep).sum()),
        tests=int(is_test.sum()),
        failed_tests=int(failed.sum()),
        unplaced=int((failed & ~is_placed[group]).sum()),
        assessors=tuple(
            AssessorQuality(
                assessor=name,
                tasks=tasks[0][place],
                failed_tasks=tasks[1][place],
                tests=tallies[0][place],
                failed_tests=tallies[1][place],
                kept=tallies[2][place],
                discarded=tallies[3][place],
            )
            for place, name in enumerate(table.assessors)
            if tasks[0][place]
        ),
        excluded=tuple(name for place, name in enumerate(table.assessors) if tallies[1][place]),
        reissue=_reissue(table, group_who, group_task, is_failed, assessors_per_task),
    )


def _reissue(
    table: Preferences, group_who: Rows, group_task: Rows, is_failed: NDArray[np.bool_], wanted: int
) -> tuple[Reissue, ...]:
    """Tasks that were failed at least once and have too few good assignments."""
    good = np.bincount(group_task[(group_task != ABSENT) & ~is_failed], minlength=len(table.tasks))
    bad = np.bincount(group_task[(group_task != ABSENT) & is_failed], minlength=len(table.tasks))
    found = []
    for place in np.flatnonzero((bad > 0) & (good < wanted)).tolist():
        done = group_who[group_task == place]
        found.append(
            Reissue(
                task=table.tasks[place],
                missing=int(wanted - good[place]),
                done_by=tuple(table.assessors[one] for one in done.tolist() if one != ABSENT),
            )
        )
    return tuple(found)


def mark_test_pairs(table: Preferences, pairs: Iterable[tuple[str, str, str]]) -> Preferences:
    """The table with some pairs marked as test pairs, for files that do not say which they are.

    pairs  (query, right answer, wrong answer) of each

    >>> table = Preferences.of([("q", "x", "a", "x"), ("q", "a", "b", "a")])
    >>> mark_test_pairs(table, [("q", "a", "x")]).expected.tolist()
    [-1, 0]
    """
    queries = {query_id: place for place, query_id in enumerate(table.query_ids)}
    docs = {doc_id: place for place, doc_id in enumerate(table.docs)}
    width = max(len(docs), 1)
    answers = [
        (queries[query], docs[right], docs[wrong])
        for query, right, wrong in pairs
        if query in queries and right in docs and wrong in docs
    ]
    wanted = {(query * width + right, query * width + wrong) for query, right, wrong in answers}
    items = np.array(sorted({item for pair in wanted for item in pair}), dtype=np.int64)
    left, right = (table.row_query.astype(np.int64) * width + side for side in (table.left, table.right))
    maybe = np.flatnonzero(np.isin(left, items) & np.isin(right, items))
    expected = table.expected.copy()
    for row in maybe.tolist():
        shown = int(left[row]), int(right[row])
        if shown in wanted:
            expected[row] = LEFT
        elif shown[::-1] in wanted:
            expected[row] = RIGHT
    return replace(table, expected=expected)
