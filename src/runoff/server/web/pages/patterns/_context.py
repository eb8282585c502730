"""What the page of patterns shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.frame.fields import Field, FieldGroup
from runoff.server.web.frame.numbers import Interval

if TYPE_CHECKING:
    from runoff.reports.page.tables import Table
    from runoff.reports.sections import Fact
    from runoff.server.web.frame.charts import ChartView
    from runoff.server.web.frame.quotas import QuotaView
    from runoff.server.web.pages.board import Option
    from runoff.server.web.pages.judge import CodeView, PairView


@dataclass(frozen=True, kw_only=True)
class PatternsPage(PageContext):
    """Every widget."""

    verdicts: tuple[tuple[str, str], ...] = shown("Verdicts with their marks.")
    states: tuple[str, ...] = shown("States of a run.")
    facts: tuple[Fact, ...] = shown("Large numbers.")
    intervals: tuple[Interval, ...] = shown("Intervals on a line.")
    options: tuple[Option, ...] = shown("Choices of a list.")
    problems: tuple[str, ...] = shown("Problems of a file.")
    quotas: tuple[QuotaView, ...] = shown("A quota with room, and one that is used up.")
    table: Table = shown("A table.")
    chart: ChartView = shown("A chart.")
    groups: tuple[FieldGroup, ...] = shown("Fields of each kind, one with a problem.")
    pair: PairView = shown("Two passages to be judged.")
    code: CodeView = shown("A completion code.")
    field: Field = shown("A field outside a group.")
