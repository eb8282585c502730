"""Numbers in text, exactly as a careful reader would read them one by one."""

from __future__ import annotations

import math
import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff import rows
from runoff.tables.ids import Rows, Text, numbers_of

_DECIMAL: Final = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def parse_decimal(token: bytes) -> float:
    """The finite number that one token spells; NaN if it spells none."""
    number = float(token) if _DECIMAL.fullmatch(token) else math.nan
    return number if math.isfinite(number) else math.nan


def parse_decimals(text: Text, starts: Rows, lengths: Rows) -> tuple[NDArray[np.float64], Rows]:
    """The numbers spelled by some tokens, and the rows of those that are not finite numbers (their value is NaN)."""
    columns = (numbers_of(column) for column in (starts, lengths))
    values = np.frombuffer(rows.parse_decimals(text.padded_bytes, *columns), dtype=np.float64)
    return values, np.flatnonzero(np.isnan(values))
