"""CSV: the main table for other programs, nothing rounded."""

from __future__ import annotations

from runoff.display._base import Format, Look, Showable
from runoff.display.grid import Grid, Value
from runoff.files.csv_cells import harmless_cell, quoted_cell


def render_csv(grid: Grid) -> str:
    """A grid as RFC 4180 text with LF line ends, machine column names and an empty field for an undefined value.

    Floats are the shortest text that reads back as the same number; yes/no is true/false. Text that a spreadsheet
    would take for a formula gets an apostrophe in front.
    """
    lines = [",".join(column.name for column in grid.columns)]
    for row in grid.rows:
        line = ",".join(map(_field, row))
        # A line with nothing on it would be skipped by most readers.
        lines.append(line or '""')
    return "\n".join(lines) + "\n"


def _field(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    return quoted_cell(harmless_cell(value))


def _render(result: Showable, _look: Look) -> str:
    return render_csv(result.grid())


CSV = Format(name="csv", help="The main table, at full precision.", suffix=".csv", render=_render)
