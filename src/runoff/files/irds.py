"""Qrels, queries and texts of ir_datasets, by the name of a dataset: `irds:msmarco-passage/trec-dl-2019/judged`.

ir_datasets is an extra. It keeps what it downloads in its own folder, and so works offline afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, TypeAlias

from runoff.errors import InputError, needs_extra
from runoff.files.objects import columns_of
from runoff.files.streams import Source, source_name
from runoff.files.tabular import qrels_of_table
from runoff.tables.qrels import Qrels

_PREFIX: Final = "irds:"
Part: TypeAlias = Literal["docs", "queries"]


def is_irds(source: object) -> bool:
    """Whether something names a dataset of ir_datasets.

    >>> is_irds("irds:vaswani"), is_irds("qrels.txt")
    (True, False)
    """
    return isinstance(source, (str, os.PathLike)) and os.fspath(source).startswith(_PREFIX)


def irds_qrels(source: Source, *, name: str) -> Qrels:
    """The qrels of a dataset."""
    with _opened(source, "qrels") as dataset:
        columns = columns_of(dataset, "qrels", source_name(source))
    return qrels_of_table(columns, name, where=source_name(source))


def irds_query_ids(source: Source) -> tuple[str, ...]:
    """The ids of a dataset's queries."""
    with _opened(source, "queries") as dataset:
        return tuple(query.query_id for query in dataset.queries_iter())


def irds_texts(source: Source, ids: Iterable[str], part: Part) -> Iterator[tuple[str, str]]:
    """Id and text of some documents or queries of a dataset."""
    with _opened(source, part) as dataset:
        if part == "docs":
            records = [(doc.doc_id, doc) for doc in dataset.docs_store().get_many_iter(ids)]
        else:
            wanted = set(ids)
            records = [(query.query_id, query) for query in dataset.queries_iter() if query.query_id in wanted]
    return ((text_id, record.default_text()) for text_id, record in records)


@contextmanager
def _opened(source: Source, part: Literal["docs", "queries", "qrels"]) -> Iterator[Any]:
    """A dataset with such a part; what goes wrong while it is used becomes an InputError that names it."""
    where = source_name(source)
    with needs_extra(where, "irds"):
        import ir_datasets
    try:
        dataset = ir_datasets.load(where.removeprefix(_PREFIX))
    except KeyError:
        raise InputError(
            [f"{where}: ir_datasets has no such dataset; expected a name as on https://ir-datasets.com; check it"]
        ) from None
    if not getattr(dataset, f"has_{part}")():
        raise InputError(
            [f"{where}: this dataset has no {part}; expected one that has; choose a part of it, or one above it"]
        )
    try:
        yield dataset
    except (OSError, RuntimeError) as error:  # no network, or a licence that was not accepted
        first: Any = error.args
        while isinstance(first, tuple) and first:
            first = first[0]  # ir_datasets lists everything that it tried behind the reason
        reason = (str(first).strip().splitlines() or [type(error).__name__])[0]
        problem = (
            f"{where}: cannot be had ({reason}); expected a network, or a dataset in the folder of ir_datasets; "
            "download it with `ir_datasets export`, and set IR_DATASETS_HOME"
        )
        raise InputError([problem]) from None
