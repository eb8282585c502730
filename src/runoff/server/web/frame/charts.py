"""A chart on a page: pictures for both themes and two widths, and what they say in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runoff.server.cases.views.public import PublicChart


@dataclass(frozen=True, kw_only=True)
class ChartView:
    """A chart as the widget shows it."""

    key: str
    title: str
    alternative: str
    text: str
    light: str
    dark: str
    phone: str
    phone_dark: str


def chart_view(chart: PublicChart, folder: str, choice: Mapping[str, str]) -> ChartView:
    """A chart whose pictures are at `folder/NAME.svg`, for what a visitor has chosen."""

    def address(theme: str, size: str) -> str:
        return f"{folder}/{chart.name}.svg?{urlencode({**choice, 'theme': theme, 'size': size})}"

    return ChartView(
        key=f"chart-{chart.name.replace('_', '-')}",
        title=chart.title,
        alternative=chart.summary,
        text=chart.text,
        light=address("light", "page"),
        dark=address("dark", "page"),
        phone=address("light", "phone"),
        phone_dark=address("dark", "phone"),
    )
