"""Whether runs and labels belong together: queries that runs lack, and lists without a judged document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from runoff.errors import InputError
from runoff.files.parquet.cut_qrels import CutQrels
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run
from runoff.tables.serps import UNJUDGED, Serps

MOST_NAMED: Final = 12
"""Runs that a sentence names; JSON has all."""
MANY: Final = 50
"""Lists without a single judged document that are no bad luck any more: the documents have other names."""
ROWS: Final = 4096
"""Queries that are looked at at once: almost always the first of them have a judged document."""


KEPT: Final = {"first": "first", "best": "best-scored"}
"""By rule for duplicates, which row of a document is kept."""


@dataclass(frozen=True, kw_only=True)
class Fit:
    """How a run fits the labels.

    missing_queries  queries of the labels that it has no document for
    is_judged        whether any of its documents is judged, to the depth that was read
    is_whole         whether no list is longer than that
    dropped          rows that were dropped because their document is listed twice; duplicates: by which rule
    """

    run: str
    missing_queries: int
    is_judged: bool = True
    is_whole: bool = True
    dropped: int = 0
    duplicates: str = "error"

    @classmethod
    def of_serps(cls, serps: Serps) -> Fit:
        """From SERPs."""
        blocks = range(0, len(serps.grades), ROWS)
        is_judged = any(bool((serps.grades[low : low + ROWS] > UNJUDGED).any()) for low in blocks)
        return cls(
            run=serps.run, missing_queries=serps.missing_queries, is_judged=is_judged, is_whole=serps.is_whole,
            dropped=serps.dropped, duplicates=serps.duplicates,
        )  # fmt: skip

    @classmethod
    def of_run(cls, run: Run, query_ids: Sequence[str]) -> Fit:
        """From a run and the queries that it should have; whether documents are judged does not matter."""
        missing = len(set(query_ids) - set(run.query_ids))
        return cls(run=run.name, missing_queries=missing, dropped=run.dropped, duplicates=run.duplicates)


def check_fit(
    fits: Sequence[Fit],
    queries: int,
    like: str,
    labels: str,
    *,
    depth: int | None = None,
    each: bool = False,
    is_part: bool = False,
) -> None:
    """Refuse labels that do not belong to the runs: what is scored by them would be rows of zeros.

    A run that has none of the queries is refused, and so are runs of which no document is judged, all of them
    together; one of several may simply have failed, and so may all in the first ranks of a few lists: then `fit_notes`
    says so.

    like    one of the queries
    labels  what messages call the labels
    depth   ranks that were read; None for whole lists
    each    refuse every single run without a judged document in more lists than it can have failed on by bad luck,
            as in a comparison of two
    is_part whether these are some of the queries of the labels: one of several runs may lack them all then
    """
    foreign = [fit.run for fit in fits if queries and fit.missing_queries == queries]
    if foreign and (len(foreign) == len(fits) or not is_part):
        problem = (
            f"{_names(foreign)}: no query in common with {labels}, which has {queries:,}; expected query ids such as "
            f"'{like}'; check that runs and labels belong together"
        )
        raise InputError([problem])
    unjudged = [fit.run for fit in fits if not fit.is_judged]
    lists = [queries - fit.missing_queries for fit in fits if not fit.is_judged]
    # A few lists without a judged document in their first ranks may be bad luck.
    is_sure = bool(lists) and (max(lists) >= MANY or all(fit.is_whole for fit in fits if not fit.is_judged))
    if is_sure and (len(unjudged) == len(fits) or (each and max(lists) >= MANY)):
        where = "in the lists" if depth is None else f"to rank {depth} of the lists"
        problem = (
            f"{_names(unjudged)}: no document {where} is judged in {labels}, so all scores would be 0; expected runs "
            "and labels of the same documents; check that document ids are spelled alike"
        )
        raise InputError([problem])


def check_labels(
    fits: Sequence[Fit], query_ids: Sequence[str], labels: Qrels | CutQrels, *, depth: int | None, each: bool = False
) -> None:
    """The same for labels, whole or cut into parts, and the queries that were scored."""
    if len(query_ids):
        is_part = isinstance(labels, Qrels) and labels.is_part
        check_fit(fits, len(query_ids), query_ids[0], labels.name, depth=depth, each=each, is_part=is_part)


def fits_of_runs(
    runs: Sequence[Run], query_ids: Sequence[str], labels: str, *, is_part: bool = False
) -> tuple[Fit, ...]:
    """How runs fit some queries, whatever is judged; that one has none of them is an error, as in `check_fit`."""
    fits = tuple(Fit.of_run(run, query_ids) for run in runs)
    if query_ids and fits:
        check_fit(fits, len(query_ids), query_ids[0], labels, is_part=is_part)
    return fits


def fit_notes(fits: Sequence[Fit], queries: int, where: str = "") -> Iterator[str]:
    """A line on the queries that runs lack, and one on runs without a judged document; only where there are any."""
    if any(fit.missing_queries for fit in fits):
        yield f"Missing queries{where}, which score 0: {fit_counts(fits)} (of {queries:,})."
    unjudged = [fit.run for fit in fits if not fit.is_judged and fit.missing_queries < queries]
    if unjudged:
        yield (
            f"No document of {_names(unjudged)} is judged{where}, to the depth that was read, so all scores are 0: "
            "check that document ids are spelled as in the labels."
        )


def dropped_notes(fits: Sequence[Fit]) -> Iterator[str]:
    """A line on rows that were dropped because their documents are listed twice; only where there are any."""
    for rule, kept in KEPT.items():
        rows = [f"{fit.run} {fit.dropped:,}" for fit in fits if fit.dropped and fit.duplicates == rule]
        if rows:
            yield (
                f"Rows dropped, whose documents are listed more than once for a query: {_names(rows)}; the {kept} row "
                "of each was kept."
            )


def missing_of(fits: Sequence[Fit]) -> dict[str, int]:
    """By run, the queries that it lacks; only where there are some."""
    return {fit.run: fit.missing_queries for fit in fits if fit.missing_queries}


def fit_counts(fits: Sequence[Fit]) -> str:
    """The runs that lack queries, and how many; empty if there are none."""
    return _names([f"{run} {count:,}" for run, count in missing_of(fits).items()])


def _names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
