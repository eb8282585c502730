"""Judging tasks: pairs of documents in the order and on the sides in which an assessor is shown them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from runoff.errors import UsageError


class JudgingPair(NamedTuple):
    """One pair of one task.

    task      the task's id
    place     where in the task the pair is shown, from 1
    pair      the pair's id: the same wherever the same two documents of a query are shown, on whatever sides
    expected  the right answer of a test pair, None for a real pair
    """

    task: str
    place: int
    pair: str
    query_id: str
    left: str
    right: str
    expected: str | None = None


@dataclass(frozen=True, kw_only=True)
class Tasks:
    """Tasks, one behind the other; the pairs of a task are together, in the order of their places."""

    name: str
    pairs: tuple[JudgingPair, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        before = None
        for row in self.pairs:
            if row.task != before and row.task in seen:
                raise UsageError(f"task '{row.task}' is in two places; expected its pairs together; sort the rows")
            seen.add(row.task)
            before = row.task
            if row.left == row.right:
                raise UsageError(f"document '{row.left}' is compared with itself in task '{row.task}'; give two")
            if row.expected is not None and row.expected not in (row.left, row.right):
                raise UsageError(
                    f"the answer '{row.expected}' in task '{row.task}' is neither '{row.left}' nor '{row.right}'; "
                    "name one of the two"
                )

    def __len__(self) -> int:
        return len(self.by_task)

    def __iter__(self) -> Iterator[JudgingPair]:
        return iter(self.pairs)

    def __repr__(self) -> str:
        return f"<Tasks {self.name}: {len(self.pairs):,} pairs in {len(self):,} tasks>"

    @cached_property
    def by_task(self) -> dict[str, tuple[JudgingPair, ...]]:
        """The pairs of each task, in order."""
        pairs: dict[str, list[JudgingPair]] = {}
        for row in self.pairs:
            pairs.setdefault(row.task, []).append(row)
        return {task: tuple(rows) for task, rows in pairs.items()}

    @property
    def real_pairs(self) -> int:
        """How many pairs are no test pairs; one that is in several tasks counts in each."""
        return sum(row.expected is None for row in self.pairs)

    @property
    def known_answers(self) -> tuple[tuple[str, str, str], ...]:
        """(query, right answer, wrong answer) of every test pair, each once."""
        answers = {
            (row.query_id, row.expected, row.right if row.expected == row.left else row.left): None
            for row in self.pairs
            if row.expected is not None
        }
        return tuple(answers)

    def only(self, tasks: Sequence[str]) -> Tasks:
        """Some of the tasks, in the order of this table."""
        unknown = [task for task in tasks if task not in self.by_task]
        if unknown:
            raise UsageError(
                f"{len(unknown):,} of {len(tasks):,} chosen tasks are not in {self.name}, the first is '{unknown[0]}'; "
                "expected tasks of this table; check the list"
            )
        wanted = set(tasks)
        return Tasks(name=self.name, pairs=tuple(row for row in self.pairs if row.task in wanted))
