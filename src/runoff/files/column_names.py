"""What the columns of runs and qrels are called, in files with a header, Parquet, frames and records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from runoff.errors import InputError

Kind: TypeAlias = Literal["run", "qrels"]
"""What a file or table was asked for as."""

QUERY_NAMES: Final = ("query_id", "qid", "q_id", "topic_id", "query", "topic")
DOC_NAMES: Final = ("doc_id", "docno", "docid", "did", "corpus_id", "pid", "passage_id", "document_id", "doc")
SCORE_NAMES: Final = ("run_score", "score")
RANK_NAMES: Final = ("rank",)
GRADE_NAMES: Final = ("relevance", "label", "grade", "rel", "rating", "judgment", "judgement")
RUN_NAMES: Final = (*RANK_NAMES, "run", "run_id", "tag", "run_tag", "system")
"""Columns that only runs have: beside one of them `score` is never a grade."""
_BEIR_NAMES: Final = ("corpus_id",)
_SIGNS: Final = re.compile(r"[\s_\-.]+")


class NumberColumn(NamedTuple):
    """The column of the numbers, what they are, and whether it is called `score` in runs and in BEIR's qrels alike."""

    name: str
    holds: Literal["score", "rank", "grade"]
    is_either: bool = False


def plain_name(name: str) -> str:
    """A column's name without case and signs.

    >>> [plain_name(name) for name in ("corpus-id", "Query ID", "docId")]
    ['corpusid', 'queryid', 'docid']
    """
    return _SIGNS.sub("", name).lower()


def find_column(columns: Iterable[str], names: Sequence[str]) -> str | None:
    """The column that has the first of some names, as they are written or with other case and signs; None if none has.

    >>> find_column(["query-id", "corpus-id"], QUERY_NAMES), find_column(["docid", "docno"], DOC_NAMES)
    ('query-id', 'docno')
    """
    listed = list(columns)
    exact = next((name for name in names if name in listed), None)
    if exact is not None:
        return exact
    plain = {plain_name(column): column for column in reversed(listed)}
    return next((plain[plain_name(name)] for name in names if plain_name(name) in plain), None)


def picked(columns: Iterable[str], names: Sequence[str], where: str) -> str:
    """The column that has the first of some names; an InputError if none has."""
    listed = list(columns)
    column = find_column(listed, names)
    if column is None:
        raise InputError([_no_column(listed, names, where)])
    return column


def number_column_of(columns: Iterable[str], kind: Kind, where: str) -> NumberColumn:
    """The column with the scores, ranks or grades; an InputError says what the table looks like if it has none.

    A run has scores, else ranks. Qrels have grades; BEIR calls them `score`.
    """
    listed = list(columns)
    score, rank, grade = (find_column(listed, names) for names in (SCORE_NAMES, RANK_NAMES, GRADE_NAMES))
    if kind == "run":
        if score is not None:
            is_beir = find_column(listed, _BEIR_NAMES) is not None and find_column(listed, RUN_NAMES) is None
            return NumberColumn(score, "score", is_either=is_beir)
        if rank is not None:
            return NumberColumn(rank, "rank")
        hint = f"; '{grade}' is a column of qrels" if grade is not None else ""
        raise InputError([_no_column(listed, (*SCORE_NAMES, *RANK_NAMES), where, hint=hint)])
    if grade is not None:
        return NumberColumn(grade, "grade")
    run_column = find_column(listed, RUN_NAMES)
    if score is not None and run_column is None:
        return NumberColumn(score, "grade", is_either=True)
    hint = f"; '{run_column}' is a column of runs" if run_column is not None else ""
    raise InputError([_no_column(listed, GRADE_NAMES, where, hint=hint)])


def _no_column(columns: Sequence[str], names: Sequence[str], where: str, *, hint: str = "") -> str:
    return (
        f"{where}: no column for '{names[0]}' among {', '.join(map(repr, columns)) or 'none'}{hint}; expected one "
        f"called {' or '.join(map(repr, names))}; rename a column"
    )
