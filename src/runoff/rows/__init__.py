"""The rows of run files and qrels: split into fields, grouped by query, ranked, matched with judgments.

The work is done in C, by `_compiled`. `reference` has the same functions in plain Python: it says what they do, the
tests compare the two, and it does the work where no C compiler was found at installation.
"""

from __future__ import annotations

try:
    from runoff.rows import _compiled as _rows
except ImportError:
    from runoff.rows import reference as _rows  # type: ignore[no-redef]

IS_COMPILED = _rows.__name__.endswith("_compiled")

Batch = _rows.Batch
Judged = _rows.Judged
Lists = _rows.Lists
Ranked = _rows.Ranked
block_start = _rows.block_start
columns_batch = _rows.columns_batch
group = _rows.group
parse_decimals = _rows.parse_decimals
parse_rows = _rows.parse_rows
split_fields = _rows.split_fields

PADDING, MOST_FAULTS, HIGHEST_GRADE = _rows.PADDING, _rows.MOST_FAULTS, _rows.HIGHEST_GRADE
CONTROL, NOT_UTF8, WIDTH, NUMBER = _rows.CONTROL, _rows.NOT_UTF8, _rows.WIDTH, _rows.NUMBER
SCORE, RANK, GRADE = _rows.SCORE, _rows.RANK, _rows.GRADE
UNRANKED = _rows.UNRANKED
