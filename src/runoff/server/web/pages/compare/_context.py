"""What the page of a comparison shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.frame.context import PageContext, shown
from runoff.server.web.pages.board import Option

if TYPE_CHECKING:
    from runoff.reports.page.tables import Table
    from runoff.server.web.frame.charts import ChartView


@dataclass(frozen=True, kw_only=True)
class ComparePage(PageContext):
    """The page of a comparison."""

    board: str = shown("The name of the board.")
    address: str = shown("Where the page is, without its choices.")
    runs: tuple[Option, ...] = shown("The runs that can be compared, by their numbers.")
    labels: tuple[Option, ...] = shown("Open label sets.")
    queries: tuple[Option, ...] = shown("Open query sets.")
    champion: str = shown("The number of the run to beat; empty before one is chosen.")
    challenger: str = shown("The number of the run that claims to be better.")
    chosen_labels: str = shown("The label set of the comparison.")
    chosen_queries: str = shown("The query set of the comparison.")
    heading: str = shown("Which runs are compared; empty where nothing was.")
    verdict: str = shown("The verdict, with how the runs differ.")
    marks: str = shown("† and ‡.")
    sentences: tuple[str, ...] = shown("The verdict and the outcomes in sentences.")
    note: str = shown("Where queries are left out: of what the numbers are.", "")
    empty: str = shown("What to say where nothing was compared.")
    tables: tuple[Table, ...] = shown("Means, tests and IPSO.")
    charts: tuple[ChartView, ...] = shown("Outcomes, IPSO and differences.")
