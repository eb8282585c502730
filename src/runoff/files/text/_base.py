"""The contract of a run format: its fields, and which of them are query, document and number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class RunFormat:
    """A text format for runs, recognised by its number of fields.

    number     the field with the score or rank
    kind       what it is: `rows.SCORE` or `rows.RANK`
    fault_of   says what is wrong with a number that cannot be used
    open_end   whether a line may have more fields than are named; they belong to the last one
    """

    name: str
    fields: tuple[str, ...]
    query: int
    doc: int
    number: int
    kind: int
    fault_of: Callable[[bytes], str]
    open_end: bool = False

    def fits(self, field_count: int) -> bool:
        """Whether a line with that many fields can be of this format."""
        return field_count >= len(self.fields) if self.open_end else field_count == len(self.fields)

    @property
    def layout(self) -> tuple[int, bool, int, int, int, int]:
        """The same as `runoff.rows` takes it."""
        return len(self.fields), self.open_end, self.query, self.doc, self.number, self.kind
