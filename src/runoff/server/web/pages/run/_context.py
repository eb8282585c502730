"""What the page of a run shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.server.web.frame.context import Crumb, PageContext, shown

if TYPE_CHECKING:
    from runoff.server.web.frame.charts import ChartView


@dataclass(frozen=True, kw_only=True)
class ScoreLine:
    """A mean of the run."""

    labels: str = shown("The label set and its version.")
    queries: str = shown("The query set and its version.")
    measure: str = shown("The measure.")
    mean: str = shown("The mean, with the digits of the board.")
    count: str = shown("How many queries, and how many of them the run lacks.")
    private: bool = shown("Whether labels or queries are private.")


@dataclass(frozen=True, kw_only=True)
class RunPage(PageContext):
    """The page of a run."""

    name: str = shown("The name of the run.")
    team: str = shown("Its team, or a word in place of it.")
    board: Crumb = shown("The board and its address.")
    state: str = shown("queued, scoring, scored or rejected.")
    refresh: int = shown("Seconds after which the page asks again; 0 when the run is done.")
    status: str = shown("What the state means, in a sentence.")
    pairs: tuple[tuple[str, str], ...] = shown("Facts of the submission, each a name and a value.")
    description: str = shown("What the team says about the run.")
    problems: tuple[str, ...] = shown("What is wrong with the file, with line numbers.")
    scores: tuple[ScoreLine, ...] = shown("The means of the run.")
    verdict: str = shown("The verdict against the record of its day; empty while there is none.")
    marks: str = shown("† and ‡ of that comparison as it is now.")
    sentence: str = shown("The verdict in a sentence.")
    champion: Crumb | None = shown("The record that it was compared with.")
    charts: tuple[ChartView, ...] = shown("Outcomes against that record.")
    counts: bool = shown("Whether it counts for the rule of submissions.")
    entry: str = shown("Whether it stands for its team, for those of the team.", "")
    entry_address: str = shown("Where the team lets it stand for it; empty where it cannot be chosen.", "")
    counts_address: str = shown("Where an organiser changes that; empty for everybody else.")
    compare: str = shown("The page that compares it with that record; empty if there is none.")
