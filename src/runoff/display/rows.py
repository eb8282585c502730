"""A row of a result as a dataclass: its fields are the columns of the table and the keys of the JSON.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, kw_only=True)
... class Line:
...     run: str = column("Run")
...     mean: float = column("Mean", "number", best="high")
...     ranks: tuple[int, int] = column("Ranks", cell=lambda ranks: f"{ranks[0]} to {ranks[1]}")
...     seed: int = 0
>>> line = Line(run="bm25", mean=0.25, ranks=(1, 3))
>>> grid_of(Line, [line], title="Board").rows
(('bm25', 0.25, '1 to 3'),)
>>> row_dict(line)
{'run': 'bm25', 'mean': 0.25, 'ranks': [1, 3], 'seed': 0}
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff.display.grid import Best, Column, Grid, Kind, Value
from runoff.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_COLUMN = "column"


@dataclass(frozen=True)
class _Shown:
    column: Column
    cell: Callable[[Any], Value] | None


def column(  # noqa: PLR0913  # the settings of `Column`
    heading: str,
    kind: Kind = "text",
    *,
    cell: Callable[[Any], Value] | None = None,
    digits: int | None = None,
    best: Best | None = None,
    signed: bool = False,
    is_needed: bool = False,
    help: str = "",  # noqa: A002  # the name that `Column` has
    default: Any = MISSING,
) -> Any:
    """A field of a row that is a column of its table; `cell` makes what is shown of a value that is no cell itself.

    The settings are those of `Column`, whose name is the field's.
    """
    shape = Column("c", heading, kind, digits=digits, best=best, signed=signed, is_needed=is_needed, help=help)
    return field(default=default, metadata={_COLUMN: _Shown(shape, cell)})


def grid_of(
    row_type: type[DataclassInstance],
    rows: Iterable[DataclassInstance],
    *,
    title: str,
    notes: Sequence[str] = (),
    without: Iterable[str] = (),
    headings: Mapping[str, str] | None = None,
) -> Grid:
    """The table of some rows: a column per field made by `column`, in their order.

    without   fields to leave out
    headings  other headings of some columns, such as the name of the measure
    """
    left_out, headings = set(without), headings or {}
    shown = {one.name: one.metadata[_COLUMN] for one in fields(row_type) if _COLUMN in one.metadata}
    unknown = sorted((left_out | set(headings)) - set(shown))
    if unknown:
        raise UsageError(f"{row_type.__name__} has no column {unknown[0]!r}; its columns are {', '.join(shown)}")
    kept = {name: shape for name, shape in shown.items() if name not in left_out}
    columns = [_named(shape.column, name, headings.get(name)) for name, shape in kept.items()]
    cells = [[_cell(shape, getattr(row, name)) for name, shape in kept.items()] for row in rows]
    return Grid(title=title, columns=columns, rows=cells, notes=notes)


def row_dict(row: DataclassInstance, *, without: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a row by name, as JSON holds them: tuples as lists, rows within it as dictionaries."""
    return {entry.name: _plain(getattr(row, entry.name)) for entry in fields(row) if entry.name not in without}


def _named(shape: Column, name: str, heading: str | None) -> Column:
    return replace(shape, name=name, heading=heading or shape.heading)


def _cell(shape: _Shown, value: Any) -> Value:
    return value if shape.cell is None or value is None else shape.cell(value)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return row_dict(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
