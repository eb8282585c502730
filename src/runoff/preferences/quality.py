"""Quality of assessors: failed test pairs, judgments that are excluded, side bias, and time per pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.choices import CorrectionName, Exclude
from runoff.errors import UsageError
from runoff.preferences.pairs import PreferredShare
from runoff.significance import Family, binomial_p, correct
from runoff.tables.ids import Rows
from runoff.tables.preferences import ABSENT, LEFT, RIGHT, TIE, Preferences

"""What a failed test pair discards: the judgments of that assessor in that task, or all judgments of the assessor."""


@dataclass(frozen=True, kw_only=True)
class AssessorQuality:
    """One assessor.

    tasks, failed_tasks  tasks that were done, and those of them with a failed test pair
    tests, failed_tests  test pairs
    kept, discarded      judgments of real pairs
    """

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

    exclude             what is discarded for a failed test pair
    assessors_per_task  how many assessors should do each task well
    kept                the judgments of real pairs that count
    discarded           how many judgments of real pairs do not, because of a failed test pair
    tests               judgments of test pairs; failed_tests: those with the wrong answer, a tie among them
    unplaced            failed test pairs that name neither assessor nor task, so that nothing could be discarded
    assessors           every assessor who is named, in order of appearance
    excluded            assessors who failed a test pair and get no more tasks
    reissue             tasks with discarded judgments that fewer assessors than wanted have done well
    """

    exclude: Exclude
    assessors_per_task: int
    kept: Preferences
    discarded: int
    tests: int
    failed_tests: int
    unplaced: int
    assessors: tuple[AssessorQuality, ...]
    excluded: tuple[str, ...]
    reissue: tuple[Reissue, ...]


LEAST_ANSWERS: Final = 5
LEVEL: Final = 0.05
"""Of a test pair that counts as bad: how many people answered it, and the level of the one-sided sign test."""


def is_bad_test_pair(answered: int, failed: int) -> bool:
    """Whether a test pair is failed so often that its answer is wrong, rather than the answers of people.

    At least five people answered it, and more failed than by tossing a coin: one-sided exact binomial p of at most 5%.
    Half of those who click at random fail any pair, so that a bare majority would switch off good pairs; people who
    read and agree on the other answer all fail a bad one.

    >>> [is_bad_test_pair(answered, failed) for answered, failed in ((4, 4), (5, 5), (6, 5), (8, 7), (19, 14))]
    [False, True, False, True, True]
    """
    passed = answered - failed
    return answered >= LEAST_ANSWERS and failed > passed and float(binomial_p(failed, passed)) / 2 <= LEVEL


def quality(table: Preferences, *, exclude: Exclude = "task", assessors_per_task: int | None = None) -> QualityResult:
    """The judgments that count, the assessors who are out, and the tasks to issue again.

    A task of an assessor is failed if one of its test pairs has the wrong answer. Its judgments are discarded; other
    tasks of the same assessor stay. Judgments of an assessor that name no task are one task.

    exclude             `assessor` discards everything that an assessor who failed a test pair has judged
    assessors_per_task  how many assessors should do each task well; None: the most who did one task well

    Arabzadeh et al. 2021, section 3.1, https://arxiv.org/abs/2109.00062

    >>> rows = [("q", "a", "b", "a", "ann", "t1"), ("q", "a", "x", "x", "ann", "t1", None, "a"),
    ...         ("q", "a", "b", "b", "bob", "t2"), ("q", "a", "x", "a", "bob", "t2", None, "a")]
    >>> result = quality(Preferences.of(rows))
    >>> [row.preferred for row in result.kept], result.excluded, [one.task for one in result.reissue]
    (['b'], ('ann',), ['t1'])
    """
    if exclude not in ("task", "assessor"):
        raise UsageError(f"exclude={exclude!r} cannot be used; expected 'task' or 'assessor'")
    if assessors_per_task is not None and assessors_per_task < 1:
        raise UsageError(f"assessors_per_task={assessors_per_task} cannot be used; expected 1 or more")
    is_test = table.is_test
    failed = is_test & (table.choice != table.expected)
    who, task = table.row_assessor.astype(np.int64), table.row_task.astype(np.int64)
    groups, group = np.unique((who + 1) * (len(table.tasks) + 1) + task + 1, return_inverse=True)
    group_who, group_task = np.divmod(groups, len(table.tasks) + 1)
    group_who, group_task = group_who - 1, group_task - 1
    is_placed = (group_who != ABSENT) | (group_task != ABSENT)
    is_failed = (np.bincount(group[failed], minlength=len(groups)) > 0) & is_placed
    is_out = is_failed
    if exclude == "assessor":
        is_out = is_failed | ((group_who != ABSENT) & np.isin(group_who, group_who[is_failed]))
    keep = ~is_test & ~is_out[group]
    wanted = assessors_per_task or max(int(_per_task(table, group_task[~is_failed]).max(initial=0)), 1)
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
        exclude=exclude,
        assessors_per_task=wanted,
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
        reissue=_reissue(table, group_who, group_task, is_out, wanted),
    )


def _reissue(
    table: Preferences, group_who: Rows, group_task: Rows, is_out: NDArray[np.bool_], wanted: int
) -> tuple[Reissue, ...]:
    """Tasks that lost judgments of somebody and have too few good assignments."""
    good, bad = _per_task(table, group_task[~is_out]), _per_task(table, group_task[is_out])
    reissues = []
    for place in np.flatnonzero((bad > 0) & (good < wanted)).tolist():
        done = group_who[group_task == place]
        reissues.append(
            Reissue(
                task=table.tasks[place],
                missing=int(wanted - good[place]),
                done_by=tuple(table.assessors[assessor] for assessor in done.tolist() if assessor != ABSENT),
            )
        )
    return tuple(reissues)


def _per_task(table: Preferences, tasks: Rows) -> Rows:
    """int64, tasks: how often each is among some; what names no task is left out."""
    return np.bincount(tasks[tasks != ABSENT], minlength=len(table.tasks))


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
        sides = int(left[row]), int(right[row])
        if sides in wanted:
            expected[row] = LEFT
        elif sides[::-1] in wanted:
            expected[row] = RIGHT
    return replace(table, expected=expected)


@dataclass(frozen=True, kw_only=True)
class AssessorSides:
    """One assessor: how often the left document is preferred, and the p-value corrected over all assessors."""

    assessor: str
    left: PreferredShare
    p: float


@dataclass(frozen=True, kw_only=True)
class SideBiasResult:
    """How often the left document is preferred.

    left       over all judgments; with sides drawn at random it is expected half the time
    assessors  every assessor who is named, in order of appearance; family is what their p-values are corrected over
    """

    left: PreferredShare
    assessors: tuple[AssessorSides, ...]
    correction: CorrectionName
    family: Family | None


def side_bias(table: Preferences, *, correction: CorrectionName = "holm") -> SideBiasResult:
    """How often the left document is preferred, over all and by assessor, with exact binomial tests.

    Test pairs are left out, for their right answer is known, and ties too. It says something only if sides were drawn
    at random.

    >>> side_bias(Preferences.of([("q", "a", "b", "a"), ("q", "c", "d", "c")])).left.share
    1.0
    """
    rows = np.flatnonzero(~table.is_test)
    choice, who = table.choice[rows], table.row_assessor[rows]
    overall = PreferredShare.of(*(int((choice == side).sum()) for side in (LEFT, RIGHT, TIE)))
    counts = np.column_stack(
        [
            np.bincount(who[(who != ABSENT) & (choice == side)], minlength=len(table.assessors))
            for side in (LEFT, RIGHT, TIE)
        ]
    )
    judging = np.flatnonzero(counts.sum(axis=1)).tolist()
    shares = [PreferredShare.of(*counts[place].tolist()) for place in judging]
    if not shares:
        return SideBiasResult(left=overall, assessors=(), correction=correction, family=None)
    family = Family("all assessors", len(shares))
    corrected = correct([share.p for share in shares], correction=correction, family=family)
    assessors = tuple(
        AssessorSides(assessor=table.assessors[place], left=share, p=p)
        for place, share, p in zip(judging, shares, corrected.p.tolist(), strict=True)
    )
    return SideBiasResult(left=overall, assessors=assessors, correction=correction, family=family)


@dataclass(frozen=True, kw_only=True)
class PairTimes:
    """Times of some judgments: how many are known, their median, and the share below the limit; NaN without any."""

    assessor: str | None
    timed: int
    median: float
    too_fast: float


@dataclass(frozen=True, kw_only=True)
class TimingResult:
    """How long pairs take, over all and by assessor; `below` is the limit, in seconds, for too fast."""

    below: float
    overall: PairTimes
    assessors: tuple[PairTimes, ...]


def timing(table: Preferences, *, below: float = 2.0) -> TimingResult:
    """Seconds per pair, where they are known: the median, and the share that took less than `below` seconds.

    >>> table = Preferences.of([("q", "a", "b", "a", "ann", None, 1.5), ("q", "a", "c", "a", "ann", None, 8.5)])
    >>> timing(table).overall
    PairTimes(assessor=None, timed=2, median=5.0, too_fast=0.5)
    """
    if not below >= 0.0:
        raise UsageError(f"below={below!r} cannot be used; expected seconds, 0 or more; write below=2.0")
    timed = np.flatnonzero(~np.isnan(table.seconds))
    seconds, who = table.seconds[timed], table.row_assessor[timed]
    order = np.lexsort((seconds, who))
    order = order[who[order] != ABSENT]
    starts = np.flatnonzero(np.diff(who[order], prepend=ABSENT))
    parts = np.split(seconds[order], starts[1:]) if starts.size else []
    assessors = [
        _times(part, below, table.assessors[who[order[start]]]) for part, start in zip(parts, starts, strict=True)
    ]
    return TimingResult(below=below, overall=_times(seconds, below, None), assessors=tuple(assessors))


def _times(seconds: NDArray[np.float64], below: float, assessor: str | None) -> PairTimes:
    if not seconds.size:
        return PairTimes(assessor=assessor, timed=0, median=float("nan"), too_fast=float("nan"))
    return PairTimes(
        assessor=assessor,
        timed=len(seconds),
        median=float(np.median(seconds)),
        too_fast=float((seconds < below).mean()),
    )
