"""Rows of a result: a dataclass whose fields are the columns of a table and the keys of the JSON, declared once.

`column` is a field that is one column, `ends` an interval in two columns, `each` a mapping with a column per key. Other
fields are keys alone.

>>> @row_class
... class Line:
...     run: str = column("Run")
...     ci95: tuple[float, float] = ends("low", "95% from", "high", "to", "number")
...     ranks: Mapping[str, int] = each("count")
...     team: str = column("Team", optional=True)
...     seed: int = 0
>>> line = Line("bm25", (0.25, 0.5), {"RR@10": 1, "AP": 2}, "")
>>> grid = grid_of(Line, [line], title="Board")
>>> [one.name for one in grid.columns], grid.rows
(['run', 'low', 'high', 'rr_10', 'ap'], (('bm25', 0.25, 0.5, 1, 2),))
>>> row_dict(line)
{'run': 'bm25', 'ci95': [0.25, 0.5], 'ranks': {'RR@10': 1, 'AP': 2}, 'team': '', 'seed': 0}
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from datetime import date
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from runoff.display.grid import Attached, Best, Column, Grid, Kind, Value, machine_name
from runoff.errors import UsageError

Row = TypeVar("Row")
_SHAPE = "shape"
_Columns = Iterator[tuple[Column, Iterable[Value]]]


@dataclass(frozen=True)
class _Shape:
    """How a field is shown: as a column; or, with `ends`, as two; or, with `key_name`, as one per key."""

    column: Column
    cell: Callable[[Any], Value] | None = None
    is_optional: bool = False
    is_key: bool = True
    ends: tuple[tuple[str, str], ...] = ()
    key_name: str = ""
    of_key: Callable[[str], Mapping[str, Any]] | None = None

    def columns(self, name: str, values: Sequence[Any]) -> _Columns:
        if self.key_name:
            yield from self._of_keys(values)
        elif self.ends:
            for place, (end, heading) in enumerate(self.ends):
                cells = [None if value is None else value[place] for value in values]
                yield replace(self.column, name=end, heading=heading), cells
        elif not self.is_optional or any(value not in {None, ""} for value in values):
            yield replace(self.column, name=name), [_cell(value, self.cell) for value in values]

    def _of_keys(self, values: Sequence[Mapping[str, Any]]) -> _Columns:
        keys = list(dict.fromkeys(key for value in values for key in value))
        names = [machine_name(self.key_name.format(key)) for key in keys]
        if len(set(names)) < len(names):
            names = [machine_name(self.key_name.format(number)) for number, _ in enumerate(names, start=1)]
        for number, (key, name) in enumerate(zip(keys, names, strict=True), start=1):
            settings = self.of_key(key) if self.of_key else {}
            # A column that is part of another one of the same key: a column of a mapping with the same keys.
            owners = {machine_name(self.column.to.format(key)) for key in keys} if self.column.to else set()
            to = machine_name(self.column.to.format(key if len(owners) == len(keys) else number)) if owners else ""
            shape = replace(self.column, name=name, to=to, heading=self.column.heading.format(key), **settings)
            yield shape, [_cell(value.get(key), self.cell) for value in values]


def column(  # noqa: PLR0913  # the settings of `Column`
    heading: str,
    kind: Kind = "text",
    *,
    cell: Callable[[Any], Value] | None = None,
    optional: bool = False,
    key: bool = True,
    digits: int | None = None,
    best: Best | None = None,
    signed: bool = False,
    is_needed: bool = False,
    attached: Attached | None = None,
    to: str = "",
    help: str = "",  # noqa: A002  # the name that `Column` has
    default: Any = MISSING,
) -> Any:
    """A field of a row that is a column of its table. The settings are those of `Column`, whose name is the field's.

    cell      makes what is shown of a value that is not a cell itself
    optional  leave the column out where no row has a value
    key       whether the field is a key of the JSON too
    """
    shape = Column(
        "c",
        heading,
        kind,
        digits=digits,
        best=best,
        signed=signed,
        is_needed=is_needed,
        attached=attached,
        to=to,
        help=help,
    )
    return field(default=default, metadata={_SHAPE: _Shape(shape, cell, optional, key)})


def ends(
    low: str,
    low_heading: str,
    high: str,
    high_heading: str,
    kind: Kind,
    *,
    digits: int | None = None,
    key: bool = True,
) -> Any:
    """A field of two values, such as an interval, that is two columns."""
    shape = _Shape(Column("c", "", kind, digits=digits), is_key=key, ends=((low, low_heading), (high, high_heading)))
    return field(metadata={_SHAPE: shape})


def each(
    kind: Kind = "text",
    *,
    name: str = "{}",
    heading: str = "{}",
    cell: Callable[[Any], Value] | None = None,
    key: bool = True,
    **settings: Any,
) -> Any:
    """A field with a value per key, such as a mean per measure: a column per key; `{}` is the key in its name."""
    shape = Column("c", heading, kind, **settings)
    return field(metadata={_SHAPE: _Shape(shape, cell, is_key=key, key_name=name)})


@dataclass_transform(frozen_default=True, field_specifiers=(column, ends, each, field))
def row_class(row_type: type[Row]) -> type[Row]:
    """Make a frozen dataclass of a class whose fields may be columns."""
    return dataclass(frozen=True)(row_type)


def grid_of(
    row_type: type[Row],
    rows: Iterable[Row],
    *,
    title: str,
    notes: Sequence[str] = (),
    legend: str = "",
    without: Iterable[str] = (),
    **changes: str | Mapping[str, Any] | Callable[[str], Mapping[str, Any]],
) -> Grid:
    """The table of some rows, with the columns of their fields in order.

    without  fields to leave out
    changes  by field, another heading, such as the name of the measure; or several settings of its column; of a field
             with a column per key, a function that gives them
    """
    shapes = {entry.name: entry.metadata[_SHAPE] for entry in _fields(row_type) if _SHAPE in entry.metadata}
    left_out, rows = set(without), list(rows)
    unknown = sorted((left_out | set(changes)) - set(shapes))
    if unknown:
        raise UsageError(f"{row_type.__name__} has no column {unknown[0]!r}; its columns are {', '.join(shapes)}")
    columns: list[tuple[Column, Iterable[Value]]] = []
    for name, shape in shapes.items():
        if name not in left_out:
            change = changes.get(name, {})
            if callable(change):
                shape = replace(shape, of_key=change)  # noqa: PLW2901
            else:
                settings = {"heading": change} if isinstance(change, str) else change
                shape = replace(shape, column=replace(shape.column, **settings))  # noqa: PLW2901
            columns += shape.columns(name, [getattr(row, name) for row in rows])
    return Grid.of(columns, title=title, notes=notes, legend=legend)


def row_of(row_type: type[Row], *sources: object, **values: Any) -> Row:
    """A row of the given values, and of the attributes of some objects that have the names of its other fields."""
    for entry in _fields(row_type):
        if entry.name not in values:
            source = next((source for source in sources if hasattr(source, entry.name)), None)
            if source is not None or entry.default is MISSING:
                values[entry.name] = getattr(source, entry.name)
    return row_type(**values)


def row_dict(row: object, *names: str, without: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a row by name, as JSON holds them: lists, dictionaries, dates as text, None for NaN.

    names    some attributes alone, in this order
    without  fields to leave out
    """
    if not names and is_dataclass(row):
        names = tuple(name for name in key_names(row) if name not in without)
    return {name: plain(getattr(row, name)) for name in names}


def key_names(row: object) -> tuple[str, ...]:
    """The fields of a row, or of its class, that are keys of its JSON."""
    return tuple(entry.name for entry in _fields(row) if _SHAPE not in entry.metadata or entry.metadata[_SHAPE].is_key)


def _fields(row_type: Any) -> tuple[Field[Any], ...]:
    return fields(row_type)


def _cell(value: Any, shown: Callable[[Any], Value] | None = None) -> Value:
    if shown is not None and value is not None:
        return shown(value)
    return value.isoformat() if isinstance(value, date) else value


def plain(value: Any) -> Any:
    """A value as JSON holds it."""
    if is_dataclass(value) and not isinstance(value, type):
        return row_dict(value)
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, date):
        return value.isoformat()
    return None if isinstance(value, float) and math.isnan(value) else value
