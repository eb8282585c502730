"""The contract of a run format: its fields, and how a chunk's fields become scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.files.tokens import Tokens
from runoff.tables.ids import Rows


@dataclass(frozen=True)
class RunFormat:
    """A text format for runs, told by its number of fields.

    open_end tells that a line may have more fields than are named; they belong to the last one. score_of gives the
    scores of all rows (higher is better) and the rows whose score cannot be used; fault_of says what is wrong with such
    a field.
    """

    name: str
    fields: tuple[str, ...]
    query: int
    doc: int
    score: int
    score_of: Callable[[Tokens, int], tuple[NDArray[np.float64], Rows]]
    fault_of: Callable[[bytes], str]
    open_end: bool = False

    def fits(self, field_count: int) -> bool:
        """Whether a line with that many fields can be of this format."""
        return field_count >= len(self.fields) if self.open_end else field_count == len(self.fields)
