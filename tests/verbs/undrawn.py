"""Pages whose charts are not drawn, for tests of what is around them; drawing is most of the work of a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from runoff.display.charts import Chart
from runoff.reports.page.pictures import Drawing, Sketch


@contextmanager
def undrawn_charts() -> Iterator[None]:
    """Until the end of the block a page shows the title of a chart in its place."""
    with patch("runoff.reports.page.assembly.sketch", _titled):
        yield


def _titled(chart: Chart, key: str, *, as_text: bool) -> Sketch:
    title = Drawing([f"<svg><title>{key}</title></svg>"], [])
    return Sketch(chart=chart, key=key, wide=title, narrow=title, text=chart.title if as_text else "")
