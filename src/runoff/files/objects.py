"""What other libraries hold in memory, as columns: frames, tables, datasets, dicts, tuples and records.

Nothing of theirs is imported: an object is recognised by what it offers. `OBJECT_FORMS` is the ordered list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from runoff.errors import InputError
from runoff.files.column_names import DOC_NAMES, QUERY_NAMES, Kind, find_column
from runoff.files.problems import quoted
from runoff.files.tabular import LIKE_QRELS, Columns, are_small_and_whole

NUMBER_NAMES: Final[Mapping[Kind, str]] = {"run": "score", "qrels": "relevance"}


class ObjectForm(NamedTuple):
    """One form of table in memory: whether an object is one, and its columns."""

    name: str
    fits: Callable[[Any], bool]
    columns: Callable[[Any, Kind, str], Columns]


def columns_of(table: Any, kind: Kind, where: str) -> Columns:
    """The columns of whatever holds a run or qrels in memory; an InputError if it is none of `OBJECT_FORMS`."""
    for form in OBJECT_FORMS:
        if form.fits(table):
            return form.columns(table, kind, where)
    number = "score" if kind == "run" else "grade"
    problem = (
        f"{where}: a {type(table).__name__} is not a table; expected a frame, a {{query: {{document: {number}}}}} "
        f"dict or (query, document, {number}) tuples; to read a file use read_run or read_qrels"
    )
    raise InputError([problem])


def is_table(table: Any) -> bool:
    """Whether an object is one whole table, and not a list of tables."""
    if isinstance(table, (list, tuple)):
        return _is_rows(table)
    return any(form.fits(table) for form in OBJECT_FORMS[:-1])


def own_name(table: Any) -> str | None:
    """What an object says that it is called, as the runs and qrels of ranx do."""
    name = getattr(table, "name", None)
    return name if _is_ranx(table) and isinstance(name, str) and name else None


def _is_ranx(table: Any) -> bool:
    return type(table).__module__.partition(".")[0] == "ranx" and hasattr(table, "to_dict")


def _of_ranx(table: Any, kind: Kind, where: str) -> Columns:
    wanted, other = ("Run", "Qrels") if kind == "run" else ("Qrels", "Run")
    if type(table).__name__ == other:
        raise InputError([f"{where}: the {other} of ranx; expected its {wanted}; check the order of the arguments"])
    return _of_nested(table.to_dict(), kind, where)


def _is_irds(table: Any) -> bool:
    return hasattr(table, "qrels_iter") or hasattr(table, "scoreddocs_iter")


def _of_irds(table: Any, kind: Kind, where: str) -> Columns:
    """A dataset of ir_datasets: its qrels, or its scored documents as a run."""
    offered, noun = ("scoreddocs", "scored documents") if kind == "run" else ("qrels", "qrels")
    has = getattr(table, f"has_{offered}", None)
    if not hasattr(table, f"{offered}_iter") or (has is not None and not has()):
        raise InputError(
            [f"{where}: this dataset has no {noun}; expected one that has; choose another, or a part of it"]
        )
    return _of_rows(getattr(table, f"{offered}_iter")(), kind, where)


def _has_named_columns(table: Any) -> bool:
    """A table of pyarrow or a dataset of Hugging Face, whose columns are called `column_names`."""
    return isinstance(getattr(table, "column_names", None), Sequence) and hasattr(table, "__getitem__")


def _of_named_columns(table: Any, _kind: Kind, where: str) -> Columns:
    return {str(name): _listed(table[name]) for name in _distinct(table.column_names, where)}


def _is_lazy(table: Any) -> bool:
    return hasattr(type(table), "collect") and hasattr(type(table), "collect_schema")


def _is_frame(table: Any) -> bool:
    return _is_lazy(table) or (hasattr(table, "columns") and hasattr(table, "__getitem__"))


def _of_frame(table: Any, _kind: Kind, where: str) -> Columns:
    if _is_lazy(table):
        table = table.collect()
    if hasattr(table, "reset_index"):  # pandas, with columns of the index where it lacks others
        lacking = [names for names in (QUERY_NAMES, DOC_NAMES) if not find_column(map(str, table.columns), names)]
        levels = [name for name in table.index.names if any(find_column([str(name)], names) for names in lacking)]
        table = table.reset_index(levels) if levels else table
    return {str(column): _listed(table[column]) for column in _distinct(table.columns, where)}


def _listed(column: Any) -> Sequence[Any]:
    """A column as a list of Python's own values, whatever library it is from."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            listed: Sequence[Any] = getattr(column, method)()
            return listed
    return list(column)


def _distinct(names: Iterable[Any], where: str) -> list[Any]:
    listed = list(names)
    for name in listed:
        if listed.count(name) > 1:
            raise InputError(
                [f"{where}: two columns are called {quoted(str(name))}; expected every column once; rename or drop one"]
            )
    return listed


def _is_nested(table: Any) -> bool:
    return isinstance(table, Mapping)


def _of_nested(table: Mapping[Any, Any], kind: Kind, where: str) -> Columns:
    queries: list[Any] = []
    docs: list[Any] = []
    numbers: list[Any] = []
    for query, scored in table.items():
        if not isinstance(scored, Mapping):
            raise InputError([_not_nested(query, scored, where)])
        if any(issubclass(each, Mapping) for each in set(map(type, scored.values()))):
            raise InputError([_deeper(query, where)])
        queries += [query] * len(scored)
        docs += scored.keys()
        numbers += scored.values()
    _check_scores(queries, numbers, kind, where)
    return {"query_id": queries, "doc_id": docs, NUMBER_NAMES[kind]: numbers}


def _check_scores(queries: Sequence[Any], numbers: Sequence[Any], kind: Kind, where: str) -> None:
    """An InputError if what nobody named is given as a run and holds grades: whole, small, and equal within a query."""
    if kind == "run" and are_small_and_whole(numbers) and len(set(zip(queries, numbers, strict=True))) < len(numbers):
        raise InputError([f"{where}: {LIKE_QRELS}"])


def _not_nested(query: Any, value: Any, where: str) -> str:
    if _has_named_columns(value) or _is_frame(value):
        return (
            f"{where}: {quoted(str(query))} is a table of its own; expected one table; choose a part of it, such as "
            f"[{str(query)!r}]"
        )
    return (
        f"{where}: query {quoted(str(query))} maps to a {type(value).__name__}; expected a dict "
        "{document: number}; nest the dict by query"
    )


def _deeper(name: Any, where: str) -> str:
    return (
        f"{where}: {quoted(str(name))} holds dicts of dicts; expected {{query: {{document: number}}}}; choose a part, "
        f"such as [{str(name)!r}]"
    )


def _is_rows(table: Any) -> bool:
    """Whether a list or tuple holds the rows of one table: triples, named tuples or dicts with fields of a row."""
    rows = table[:9] if isinstance(table, (list, tuple)) else ()
    return bool(rows) and all(
        (isinstance(row, tuple) and len(row) >= 3 and isinstance(row[1], (str, int)))
        or (isinstance(row, Mapping) and row and not any(isinstance(value, Mapping) for value in row.values()))
        for row in rows
    )


def _of_rows(table: Iterable[Any], kind: Kind, where: str) -> Columns:
    """The columns of rows; rows that name their fields are read by these names, others in the order of the fields."""
    rows = iter(table)
    first = next(rows, None)
    names: tuple[str, ...] = ("query_id", "doc_id", NUMBER_NAMES[kind])
    records = chain(() if first is None else (first,), rows)
    if isinstance(first, Mapping):
        return _of_records(records, where)
    fields = tuple(map(str, getattr(first, "_fields", ())))
    if find_column(fields, QUERY_NAMES) and find_column(fields, DOC_NAMES):
        names = fields
    collected: tuple[list[Any], ...] = tuple([] for _ in names)
    for number, row in enumerate(records, start=1):
        if not isinstance(row, Iterable) or isinstance(row, (str, bytes, Mapping)):
            kind_of_row = type(row).__name__
            raise InputError(
                [f"{where}:{number}: a {kind_of_row} is not a row; expected a tuple ({', '.join(names)}); fix the row"]
            )
        values = tuple(row)
        if len(values) < len(names):
            raise InputError(
                [f"{where}:{number}: {len(values)} fields; expected {len(names)} ({', '.join(names)}); fix the row"]
            )
        for column, value in zip(collected, values, strict=False):
            column.append(value)
    if names != fields:
        _check_scores(collected[0], collected[2], kind, where)
    return dict(zip(names, collected, strict=True))


def _of_records(records: Iterable[Any], where: str) -> Columns:
    """The columns of dicts with a row each; a field that a row lacks is None there."""
    columns: dict[str, list[Any]] = {}
    for number, record in enumerate(records, start=1):
        if not isinstance(record, Mapping):
            kind = type(record).__name__
            raise InputError(
                [f"{where}:{number}: a {kind} is not a row; expected a dict with named fields; fix the row"]
            )
        for name, value in record.items():
            columns.setdefault(str(name), [None] * (number - 1)).append(value)
        for column in columns.values():
            column.extend([None] * (number - len(column)))
    return columns


def _can_be_rows(table: Any) -> bool:
    return isinstance(table, Iterable) and not isinstance(table, (str, bytes))


OBJECT_FORMS: Final = (
    ObjectForm("a run or qrels of ranx", _is_ranx, _of_ranx),
    ObjectForm("a dataset of ir_datasets", _is_irds, _of_irds),
    ObjectForm("a table of pyarrow or a dataset of Hugging Face", _has_named_columns, _of_named_columns),
    ObjectForm("a frame of Polars, pandas or PyTerrier", _is_frame, _of_frame),
    ObjectForm("a {query: {document: number}} dict, as for pytrec_eval", _is_nested, _of_nested),
    ObjectForm("tuples, named tuples of ir_measures and ir_datasets, or dicts with a row each", _can_be_rows, _of_rows),
)
"""In the order in which they are tried: a frame can be iterated, too."""
