"""Charts on pages."""

from __future__ import annotations

import runoff
from runoff.server.cases.views.public import public_chart
from runoff.server.web.frame.charts import chart_view


def test_four_addresses_and_the_words_of_a_chart():
    chart = runoff.scale("RR@3").chart()
    view = chart_view(public_chart(chart), "/boards/a/charts", {"team": "a&b"})
    assert view.light == "/boards/a/charts/scale_values.svg?team=a%26b&theme=light&size=page"
    assert len({view.light, view.dark, view.phone, view.phone_dark}) == 4
    assert view.alternative == chart.summary
    assert "0.1667" in view.text + view.alternative
    rounded = chart_view(public_chart(chart.with_digits(1)), "/boards/a/charts", {})
    assert "0.1667" not in rounded.text + rounded.alternative
